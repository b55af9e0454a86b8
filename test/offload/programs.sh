#!/bin/sh
# Programs of Debian 12 without and under `gpuexec blas`: the tests of numpy.linalg and scipy.linalg, Octave, R, HPC Challenge. They go through
# the GPU with all their calls (--min-size=0), and some once more with times. Needs python3-scipy python3-pytest python3-hypothesis octave
# r-base-core hpcc, and for a GPU nothing but its driver and libraries; without one GPUEXEC_BLAS_LIBCUDA and the like name stand-ins.
# usage: sh programs.sh GPUEXEC OUTFOLDER
# One line each: name, exit status (124: out of time), seconds, what it said; all its output is in OUTFOLDER/NAME.txt. The exit status is 1
# where a program failed, or printed something else under gpuexec.
# Environment: BLAS_SIZE (2000) of the timings of Octave and R, HPL_SIZE (5792) of hpcc's second problem, LIMIT (300) seconds for each program,
# NUMPY_STACKS=1 (see the end), ONLY: a regular expression of the names to run.
gpuexec=$1 out=$2
: "${gpuexec:?}" "${out:?}"
limit=${LIMIT:-300} size=${BLAS_SIZE:-2000} hpl=${HPL_SIZE:-5792} python=/usr/bin/python3
gpuexec=$(readlink -f "$gpuexec") || exit 2
failed=0
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
export BLAS_SIZE=$size HOME=$out # what is learned of this machine stays in OUTFOLDER, too
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_btl=self OMPI_MCA_pml=ob1
export OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_mca_base_component_show_load_errors=0
mkdir -p "$out/.local/share" && cd "$out/.local/share" || exit 2

is_wanted() { [ -z "$ONLY" ] || echo "$1" | grep -qE "$ONLY"; }
# run NAME WHAT COMMAND...: WHAT is a function that reads NAME.txt and says it in a line
run() {
  name=$1 what=$2
  shift 2
  is_wanted "$name" || return 0
  start=$(date +%s.%N)
  timeout -k 10 "$limit" "$@" > "$out/$name.txt" 2>&1 < /dev/null
  status=$?
  seconds=$(echo "$start $(date +%s.%N)" | awk '{printf "%.1f", $2 - $1}')
  printf '%-24s status %-3s %7s s  %s\n' "$name" "$status" "$seconds" "$($what "$out/$name.txt")"
  case $status in 0) ;; *) failed=1; grep -E '^(FAILED|ERROR) ' "$out/$name.txt" | cut -c1-200 | sed 's/^/    /' | head -n 20
    grep -qE '^(FAILED|ERROR) ' "$out/$name.txt" || tail -n 5 "$out/$name.txt" | cut -c1-200 | sed 's/^/    /';; esac
}
last() { tail -n 1 "$1"; }
nothing() { wc -l < "$1" | sed 's/$/ lines/'; }
# what the statistics of NAME say, of all its processes
calls() {
  is_wanted "$1" || return 0
  $python - "$out/$1".*.json <<'P'
import json, sys
functions = {}
for path in sys.argv[1:]:
    try: s = json.load(open(path))
    except (OSError, ValueError) as e: print("    statistics:", path, e); continue
    for name, f in s.get("functions", {}).items():
        n = functions.setdefault(name, [0, 0])
        n[0] += f.get("gpu_calls", 0); n[1] += f.get("cpu_calls", 0)
on = sum(n[0] for n in functions.values()); off = sum(n[1] for n in functions.values())
most = sorted((n for n in functions if functions[n][0]), key=lambda n: -functions[n][0])
print("    %d calls of %d functions on the GPU, %d on the processor:" % (on, len(most), off), " ".join("%s %d" % (n, functions[n][0]) for n in most[:14]), "..." if len(most) > 14 else "")
P
}
both() { # both NAME WHAT OPTIONS COMMAND...: without, then under gpuexec
  n=$1 w=$2 o=$3
  shift 3
  run "$n" "$w" "$@"
  rm -f "$out/$n-gpu".*.json
  run "$n-gpu" "$w" "$gpuexec" blas $o --blas-stats="$out/$n-gpu.%p.json" "$@"
  calls "$n-gpu"
}
compare() { # compare NAME: what NAME and NAME-gpu printed
  [ -s "$out/$1.txt" ] && [ -s "$out/$1-gpu.txt" ] || return 0
  is_wanted "$1" || return 0
  if diff "$out/$1.txt" "$out/$1-gpu.txt" > "$out/$1.diff"; then echo "    $1: the same $(wc -l < "$out/$1.txt") lines with and without"
  else failed=1; echo "    $1: DIFFERENT:"; head -n 12 "$out/$1.diff" | sed 's/^/    /'; fi
}

# 0. what is here; also has Python compile what it loads, which is not to count below
$python -c 'import numpy, scipy, scipy.linalg, scipy.stats, scipy.special, hypothesis, pytest, numpy.testing; print("numpy", numpy.__version__, "scipy", scipy.__version__, "pytest", pytest.__version__)'
echo "$(nproc) processors; BLAS: $(readlink -f /usr/lib/x86_64-linux-gnu/libblas.so.3) $(readlink -f /usr/lib/x86_64-linux-gnu/liblapack.so.3); octave and R at n = $size, hpcc at n = $hpl"

# 1. 2. the tests of numpy.linalg and of scipy.linalg
packages=/usr/lib/python3/dist-packages
pytest="$python -m pytest -q --tb=short -rf -p no:cacheprovider"
both numpy last --min-size=0 $pytest -k "not generalized" $packages/numpy/linalg/tests
files=
for t in basic decomp decomp_cholesky blas fblas lapack matfuncs solvers; do files="$files $packages/scipy/linalg/tests/test_$t.py"; done
both scipy last --min-size=0 $pytest $files

# 3. Octave and R
cat > "$out/digits.m" <<'M'
n = 300; k = 1:n * n;
a = reshape (mod (31 * k .^ 2 + 17 * k, 65521) / 65521, n, n);
b = reshape (mod (29 * k .^ 2 + 5 * k, 65537) / 65537, n, n);
s = (a + a') / 2; p = a' * a + eye (n);
say = @(what, x) printf ("%s %s\n", what, sprintf (" %.9g", x));
c = a * b; say ("product", [norm(c, "fro"), c(1, 1:4), c(n, n-3:n)]);
c = a' * b; say ("a'*b", [norm(c, "fro"), c(1, 1:4)]);
c = a * a'; say ("a*a'", [norm(c, "fro"), c(2, 1:4)]);
say ("a*vector", (a * b(:, 1))(1:4)');
c = single (a) * single (b); printf ("single product %.5g %.5g\n", norm (double (c), "fro"), c(1, 1));
z = complex (a, b) * complex (b, a); say ("complex product", [norm(z, "fro"), real(z(1, 1:3)), imag(z(1, 1:3))]);
x = a \ b; say ("a\\b", [norm(x, "fro"), x(1, 1:4)]);
x = a \ b(:, 1); say ("a\\vector", x(1:4)');
x = b / a; say ("b/a", [norm(x, "fro"), x(1, 1:4)]);
x = p \ b; say ("definite p\\b", [norm(x, "fro"), x(1, 1:4)]);
x = complex (a, b) \ complex (b, a); say ("complex solve", [norm(x, "fro"), real(x(1, 1:3))]);
say ("det", det (a / 5)); x = inv (a); say ("inv", [norm(x, "fro"), x(1, 1:4)]);
[l, u, q] = lu (a); say ("lu", [norm(l, "fro"), norm(u, "fro"), abs(diag (u))(1:4)']);
r = chol (p); say ("chol", [norm(r, "fro"), r(1, 1:4), r(n, n)]);
[q, r] = qr (a); say ("qr", [norm(r, "fro"), abs(diag (r))(1:4)']); printf ("qr right %d %d\n", norm (q * r - a) < 1e-10, norm (q' * q - eye (n)) < 1e-11);
x = a(:, 1:100) \ b(:, 1:3); say ("least squares", [norm(x, "fro"), x(1, :)]);
e = eig (s); say ("symmetric eig", e([1:3, n-2:n])');
[v, d] = eig (s); say ("symmetric eig", diag (d)([1:3, n-2:n])'); printf ("eigenvectors right %d\n", norm (s * v - v * d) < 1e-10);
e = sort (abs (eig (a)), "descend"); say ("eig", e(1:8)');
[v, d] = eig (a); printf ("eigenvectors right %d\n", norm (a * v - v * d) < 1e-9);
e = eig (s, p); say ("generalised eig", e([1:3, n-2:n])');
g = svd (a); say ("svd", g([1:4, n-3:n])');
[u, g, v] = svd (a); say ("svd", diag (g)([1:4, n-3:n])'); printf ("singular vectors right %d\n", norm (u * g * v' - a) < 1e-10);
say ("norm, cond", [norm(a), cond(a)]); x = expm (a / 100); say ("expm", [norm(x, "fro"), x(1, 1:3)]);
M
cat > "$out/times.m" <<'M'
n = str2double (getenv ("BLAS_SIZE")); rand ("seed", 1); a = rand (n); b = rand (n); s = a + a'; p = a' * a + n * eye (n);
function took (what, f)
  printf ("%s:", what);
  for i = 1:2 t = tic; x = f (); printf (" %.3f", toc (t)); end
  printf (" s\n");
end
function x = both (f) [q, r] = f (); x = r; end
took ("product", @() a * b);
took ("single product", @() single (a) * single (b));
took ("solve", @() a \ b);
took ("chol", @() chol (p));
took ("qr", @() both (@() qr (a)));
took ("symmetric eigenvalues", @() eig (s));
took ("symmetric eigenvectors", @() both (@() eig (s)));
M
cat > "$out/digits.R" <<'R'
n <- 300; k <- as.numeric(1:(n * n))
a <- matrix((31 * k^2 + 17 * k) %% 65521 / 65521, n); b <- matrix((29 * k^2 + 5 * k) %% 65537 / 65537, n)
s <- (a + t(a)) / 2; p <- crossprod(a) + diag(n); f <- function(x) sqrt(sum(Mod(x)^2))
say <- function(what, ...) cat(what, sprintf("%.9g", c(...)), "\n"); right <- function(what, x) cat(what, "right", x, "\n")
x <- a %*% b; say("product", f(x), x[1, 1:4], x[n, (n-3):n])
x <- crossprod(a, b); say("crossprod", f(x), x[1, 1:4]); x <- crossprod(a); say("crossprod", f(x), x[2, 1:4]); x <- tcrossprod(a); say("tcrossprod", f(x), x[2, 1:4])
x <- a %*% b[, 1]; say("a*vector", x[1:4])
x <- (a + 1i * b) %*% (b + 1i * a); say("complex product", f(x), Re(x[1, 1:3]), Im(x[1, 1:3]))
x <- solve(a, b); say("solve", f(x), x[1, 1:4]); x <- solve(a); say("inverse", f(x), x[1, 1:4])
x <- solve(a + 1i * b, b + 1i * a); say("complex solve", f(x), Re(x[1, 1:3])); say("det", det(a / 5))
r <- chol(p); say("chol", f(r), r[1, 1:4], r[n, n]); x <- chol2inv(r); say("chol2inv", f(x), x[1, 1:4]); x <- backsolve(r, b); say("backsolve", f(x), x[1, 1:4])
q <- qr(a, LAPACK = TRUE); say("qr", abs(diag(qr.R(q)))[1:4]); right("qr", f(qr.Q(q) %*% qr.R(q) - a[, q$pivot]) < 1e-10)
q <- qr(a); say("linpack's qr", abs(diag(qr.R(q)))[1:4]); x <- qr.solve(a[, 1:100], b[, 1:3]); say("least squares", f(x), x[1, ])
x <- coef(lm.fit(a[, 1:50], b[, 1])); say("lm.fit", x[1:4])
e <- eigen(s); say("symmetric eigen", e$values[c(1:3, (n-2):n)]); right("eigenvectors", f(s %*% e$vectors - e$vectors %*% diag(e$values)) < 1e-10)
say("symmetric eigenvalues", eigen(s, only.values = TRUE)$values[c(1:3, (n-2):n)])
e <- eigen(a); say("eigen", Mod(e$values)[1:8]); right("eigenvectors", f(a %*% e$vectors - e$vectors %*% diag(e$values)) < 1e-9)
d <- svd(a); say("svd", d$d[c(1:4, (n-3):n)]); right("singular vectors", f(d$u %*% diag(d$d) %*% t(d$v) - a) < 1e-10)
say("norm, rcond", norm(a, "2"), rcond(a))
R
cat > "$out/times.R" <<'R'
n <- as.numeric(Sys.getenv("BLAS_SIZE")); set.seed(1); a <- matrix(runif(n * n), n); b <- matrix(runif(n * n), n); s <- a + t(a); p <- crossprod(a) + n * diag(n)
took <- function(what, f) { cat(what, ":", sep = ""); for (i in 1:2) cat("", sprintf("%.3f", system.time(f())[[3]])); cat(" s\n") }
took("product", function() a %*% b); took("crossprod", function() crossprod(a)); took("solve", function() solve(a, b))
took("chol", function() chol(p)); took("qr", function() qr(a, LAPACK = TRUE))
took("symmetric eigenvalues", function() eigen(s, symmetric = TRUE, only.values = TRUE)); took("symmetric eigenvectors", function() eigen(s, symmetric = TRUE))
R
lines() { tr '\n' ';' < "$1" | sed 's/;$//; s/;/; /g'; }
both octave-digits nothing --min-size=0 octave-cli -q --norc "$out/digits.m"; compare octave-digits
both R-digits nothing --min-size=0 Rscript --vanilla "$out/digits.R"; compare R-digits
both octave-times lines "" octave-cli -q --norc "$out/times.m"
both R-times lines "" Rscript --vanilla "$out/times.R"

# 4. hpcc. It runs all of its suite, and can't be told to run less; its random accesses take most of the time, in proportion to the power of
# two below half of the matrix: n = 5792 is the last before that doubles.
hpcc_says() {
  awk '/^WR/ {hpl = hpl sprintf("HPL n=%s %s s %.1f Gflops; ", $2, $6, $7)} / PASSED/ {passed++} / FAILED/ && !/tests/ {failed++}
    /^(StarDGEMM_Gflops|SingleDGEMM_Gflops|PTRANS_GBs|MPIFFT_Gflops|Success|HPL_time)=/ {rest = rest " " $0}
    /^[|][|]Ax-b.*(PASSED|FAILED)/ {r = r "residual " $2 " " $NF "; "} END {printf "%s%s %d lines passed, %d failed;%s", hpl, r, passed, failed, rest}' "${1%.txt}/hpccoutf.txt" 2>/dev/null
  sed 's/^/ /' "$1" | tail -n 1
}
hpcc_input=/usr/share/doc/hpcc/examples/_hpccinf.txt
hpcc_in() { # hpcc_in NAME N GPUEXEC...
  n=$1 at=$2
  shift 2
  is_wanted "$n" || return 0
  [ -r "$hpcc_input" ] || { echo "$n: not run: no $hpcc_input"; failed=1; return 0; }
  rm -rf "$out/$n"; mkdir -p "$out/$n"
  sed -e "6s/^[0-9]*/$at/" -e 's/^80\( *NBs\)/192\1/' -e 's/^2\( *[PQ]s\)$/1\1/' "$hpcc_input" > "$out/$n/hpccinf.txt"
  run "$n" hpcc_says "$@" env -C "$out/$n" hpcc
}
hpcc_in hpcc-1000 1000
rm -f "$out"/hpcc-1000-gpu.*.json
hpcc_in hpcc-1000-gpu 1000 "$gpuexec" blas --min-size=0 --blas-stats="$out/hpcc-1000-gpu.%p.json"; calls hpcc-1000-gpu
hpcc_in "hpcc-$hpl" "$hpl"
rm -f "$out/hpcc-$hpl-gpu".*.json
hpcc_in "hpcc-$hpl-gpu" "$hpl" "$gpuexec" blas --blas-stats="$out/hpcc-$hpl-gpu.%p.json"; calls "hpcc-$hpl-gpu"
# The rest of numpy's tests: stacks of many tiny matrices, a call each, 880 thousand calls that take minutes on a GPU. Only on demand.
if [ "$NUMPY_STACKS" ]; then
  both numpy-stacks last --min-size=0 $pytest -k "generalized and not TestCond" $packages/numpy/linalg/tests
  both numpy-cond last --min-size=0 $pytest -k "generalized and TestCond" $packages/numpy/linalg/tests
fi
exit "$failed"
