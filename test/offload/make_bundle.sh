#!/bin/sh
# Makes a folder that tries `gpuexec blas` on a machine with an NVIDIA GPU and no packages of its own: this build's command and library,
# the tests' programs, OpenBLAS. There: sh FOLDER/run.sh [PYTHON]
# usage: make_bundle.sh BUILD FOLDER
set -e
build=$1 to=$2 here=$(dirname "$0")
mkdir -p "$to/bin" "$to/lib/gpuexec" "$to/openblas"
cp "$build/bin/gpuexec" "$to/bin"
cp "$build/lib/gpuexec/libgpuexec-offload-blas.so" "$to/lib/gpuexec"
cp "$build/test/unit/offload-pages-test" "$here/Inputs/statistics.py" "$here/../../bench/blas-programs" "$to"
for library in openblas.so.0 gfortran.so.5 quadmath.so.0; do cp -L "/usr/lib/x86_64-linux-gnu/lib$library" "$to/openblas"; done
strip "$to/bin/gpuexec" "$to"/openblas/*.so.* "$to/offload-pages-test"
cc=${CC:-/usr/lib/llvm-22/bin/clang}
for program in functions equations operands vectors products qr spectra solvers digests; do
  "$cc" -O2 -w -std=gnu17 -rdynamic "$here/Inputs/$program.c" -o "$to/$program" -Wl,--no-as-needed -lopenblas -lm
done
"$cc" -O2 -w -std=gnu17 "$here/../../bench/blas_products.c" -o "$to/blas_products" -lopenblas -lm
cat > "$to/run.sh" <<'END'
cd "$(dirname "$0")"
export LD_LIBRARY_PATH="$PWD/openblas:/usr/local/cuda/lib64:$LD_LIBRARY_PATH"
python=${1:-python3}
say() { echo "== $*"; "$@" || echo "FAILED: status $?"; }
run() { say ./bin/gpuexec blas --blas-stats "$@"; }
say ./offload-pages-test --gtest_brief=1
run --min-size=0 ./functions 25 24
run --min-size=0 ./functions 2 200
run --min-size=0 ./equations
run --min-size=0 ./qr
run --min-size=0 ./spectra
for n in 1 2 3; do say ./bin/gpuexec blas --min-size=0 --deterministic ./digests threads; done
say ./bin/gpuexec blas --min-size=0 --deterministic ./digests turns
for function in gesvd gesdd potrf; do run --verbose ./solvers $function 1000 20; done
for way in same write syscall free remap discard thread fork output alias overlap; do run --min-size=0 ./operands $way; done
run --min-size=32 ./vectors
run --min-size=0 ./products 500 30/8
run --min-size=0 --deterministic ./products 500 30/8
run ./products 3000 40
printf 'NVBLAS_LOGFILE /dev/null\nNVBLAS_CPU_BLAS_LIB %s\nNVBLAS_GPU_LIST 0\nNVBLAS_AUTOPIN_MEM_ENABLED\n' "$PWD/openblas/libopenblas.so.0" > nvblas.conf
say $python ./blas-programs --gpuexec ./bin/gpuexec --products ./blas_products --rounds 2 --sizes ${SIZES:-8,32,128,512,1024,2048,4096,8192} \
  --also "nvblas=env NVBLAS_CONFIG_FILE=$PWD/nvblas.conf LD_PRELOAD=libnvblas.so.13"
unset LD_LIBRARY_PATH # Python's wheels have a BLAS of their own
say $python ./blas-programs --gpuexec ./bin/gpuexec --size ${SIZE:-4000} --repeat 8 --rounds 2
END
echo "$to: $(du -sh "$to" | cut -f1)"
