# One suite per device, and one ("host") for what needs no device or is about the emulator itself. check.py writes a
# small lit.site.cfg.py for each, which sets gpuexec_site and loads this file.

import ctypes
import ctypes.util
import glob
import os
import shutil
import subprocess
import sys

here = os.path.dirname(__file__)
sys.path.insert(0, os.path.join(here, "lit"))
import gpuexec_lit
import repeated_test
import tier_modes

# Folders whose tests choose their own device or need none.
HOST_FOLDERS = {"bundle", "cli", "cluster", "cuda", "dejagnu", "differential", "fuzz", "gcc", "info", "interop", "llvm-libc", "long", "nvptx", "offload", "project", "projects"}

site = config.gpuexec_site  # set by lit.site.cfg.py: build, llvm, device (None for the host suite)
config.name = site["name"]
config.test_format = repeated_test.Repeated(tier_modes.times(site["tiers"]))  # by bash: statuses are tested with $?
config.suffixes = [".c", ".cpp", ".cc", ".test", ".s", ".ll"]
config.test_source_root = here

folders = {f for f in os.listdir(config.test_source_root) if os.path.isdir(os.path.join(config.test_source_root, f))}
skip = folders - HOST_FOLDERS if not site["device"] else HOST_FOLDERS
if site["only"]:
    skip = folders - {site["only"]}
config.excludes = sorted(skip | {"Inputs", "inputs", "lit", "support", "unit", "clean_room", "descriptions", "ports", "CMakeLists.txt", "__pycache__"})
if "--check=uninit" in site["run_with"]:
    config.excludes += [
        "check.c",  # uses undefined values itself
        "heap-grows.c",  # writes blocks to a file of which it has set each 512th byte
        "uninit",  # gives its programs the option itself; bugs.c has nothing but such uses
    ]
if site["tiers"]:  # each of a few hundred runs would wait for compilers
    config.excludes += ["exit-status-_Exit.c", "exit-status-exit.c", "exit-status-return.c"]
if site["root"]:  # tests that the build wrote: the fuzzers'
    config.test_source_root = site["root"]
    config.excludes = []

build = site["build"]
bin_dir = os.path.join(build, "bin")
llvm_bin = site["llvm"]
config.environment["PATH"] = os.pathsep.join([bin_dir, llvm_bin, os.environ["PATH"]])
config.environment["LC_ALL"] = "C.UTF-8"
if site["long"]:
    config.environment["GPUEXEC_TEST_LEVELS"] = "-O0,-O2"  # test/cxx
# Not the user's own: a second run of the tests starts with what the first one compiled.
config.environment["GPUEXEC_LINK_CACHE"] = os.path.join(build, "test", "link-cache")
config.environment["GPUEXEC_JIT_CACHE"] = "off"  # what is compiled depends on no other test
config.environment["GPUEXEC_PORTS"] = "off"  # nor libraries that the user has installed with gpucc-port
config.environment["GPUEXEC_SERVER"] = "off"  # this user's server is none of the tests' business
if site["tiers"]:
    config.environment.update(tier_modes.environment(site["tiers"], os.path.join(config.test_exec_root, "kept")))
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "HOME", "CCACHE_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

sanitized = {"asan", "tsan"} & set(site["features"])  # the emulator is many times slower then
device = gpuexec_lit.configure(config, lit_config, device=site["device"] or "emulator", bin_dir=bin_dir,
                               timeout=1200 if sanitized or site["run_with"] or site["tiers"] else 120, run_with=site["run_with"], gpucc=site["gpucc"],
                               run_through=site["run_through"] and "'%s' %s" % (sys.executable, os.path.join(here, "Inputs", site["run_through"])))
config.substitutions += [
    # For functions without state: all lanes, several waves and blocks. A GPU runs 4096 threads at once; on the emulated one the
    # processor runs them one after the other, and 1024 show the same.
    ("%many", "--threads 256 --blocks %d" % (4 if device.kind == "emulator" else 16)),
    ("%hostcxx", os.path.join(llvm_bin, "clang++") + " -O2 -w"),
    ("%hostcc", os.path.join(llvm_bin, "clang") + " -O2 -w -std=gnu17"),
    ("%python", "'%s'" % sys.executable),
    ("%inputs", os.path.join(here, "Inputs")),
    ("%source", os.path.dirname(here)),
    ("%build", build),
    ("%compiler", site["gpucc"] or os.path.join(bin_dir, "gpucc")),  # for scripts that add --arch themselves
    ("%bin", bin_dir),
    ("%fuzz-seconds", str(site["fuzz_seconds"])),
    ("%fuzz-seed", str(site["fuzz_seed"])),
]
config.available_features |= set(site["features"])
config.available_features.add("long" if site["long"] else "short")
# `gpuexec blas` on a stand-in for a GPU, which is built where OpenBLAS is.
doubles = [os.path.join(build, "test", name) for name in ("fake-cuda/libcuda.so.1", "unit/libcublas-double.so", "unit/libcusolver-double.so")]
if all(map(os.path.exists, doubles)):
    config.available_features.add("cuda-double")
config.substitutions.append(("%cuda-double", "GPUEXEC_BLAS_LIBCUDA=%s GPUEXEC_BLAS_LIBCUBLAS=%s GPUEXEC_BLAS_LIBCUSOLVER=%s GPUEXEC_BLAS_MODEL=off" % tuple(doubles)))
# CUDA programs on the emulated device.
if all(os.path.exists(os.path.join(build, "lib", "gpuexec", *name)) for name in (("cuda", "libcudart.so.12"), ("cuda", "libcuda.so.1"), ("gpuexec-ptx",))):
    config.available_features.add("cuda-runtime")
if os.path.exists("/usr/include/thrust/version.h") and os.path.exists("/usr/include/cub/cub.cuh"):  # Debian's libthrust-dev, libcub-dev
    config.available_features.add("thrust")
if os.path.exists("/usr/include/cuda/std/atomic"):  # Debian's libcu++-dev
    config.available_features.add("libcu++")
if any(ctypes.util.find_library(name) for name in ("openblas", "blas")):  # what our libcublas calls
    config.available_features.add("host-blas")
if all(ctypes.util.find_library(name) for name in ("fftw3", "fftw3f")):  # what our libcufft calls
    config.available_features.add("fftw")
if all(map(shutil.which, ("mpirun.openmpi", "mpirun.mpich", "mpicc.openmpi", "mpicc.mpich"))):
    config.available_features.add("mpi")
config.substitutions.append(("%mpi", "sh '%s'" % os.path.join(here, "Inputs", "mpirun.sh")))
reference_blas = "/usr/lib/%s-linux-gnu/blas" % os.uname().machine
if os.path.exists(os.path.join(reference_blas, "libblas.so.3")):
    config.available_features.add("reference-blas")
config.substitutions.append(("%reference-blas", "LD_LIBRARY_PATH=%s:%s" % (reference_blas, reference_blas.removesuffix("blas") + "lapack")))
# What keeps operands on the device: userfaultfd and PAGEMAP_SCAN of Linux 6.7. Containers may forbid the first.
userfault = ctypes.CDLL(None).syscall(323, 1) if os.uname().machine == "x86_64" else -1
if userfault >= 0:
    os.close(userfault)
    if [int(number) for number in os.uname().release.split(".")[:2]] >= [6, 7]:
        config.available_features.add("watched-memory")
if not subprocess.run(["/usr/bin/python3", "-c", "import numpy"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
    config.available_features.add("numpy")
# Tests of projects of Debian run where `ninja check-projects` has fetched their sources.
for version in glob.glob(os.path.expanduser("~/.cache/gpuexec/projects/sources/*.version")):
    config.available_features.add("source-of-" + os.path.basename(version).removesuffix(".version"))
if os.path.exists("/usr/share/zoneinfo/Europe/Berlin"):
    config.available_features.add("zone-files")
# Servers on other machines: built where OpenSSL is. Two machines are two network namespaces, which root may make.
if os.path.exists(os.path.join(build, "lib", "gpuexec", "gpuexec-relay")) and shutil.which("openssl"):
    config.available_features.add("tls")
if shutil.which("ip") and not subprocess.run(["unshare", "-n", "ip", "link", "add", "name", "gx0", "type", "veth"],
                                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
    config.available_features.add("netns")
if shutil.which("bazel"):
    config.available_features.add("bazel")
if all(map(shutil.which, ("qemu-system-x86_64", "busybox", "cpio"))) and glob.glob("/boot/vmlinuz-*"):
    config.available_features.add("qemu")
# What one user can do to another: root becomes both. Both must reach the build.
if os.geteuid() == 0 and shutil.which("setpriv") and not subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "test", "-x",
                                                                         os.path.join(bin_dir, "gpuexec")], stderr=subprocess.DEVNULL).returncode:
    config.available_features.add("other-user")
# What --sandbox needs of the kernel; containers and old kernels may lack it, and the tests of it are skipped then.
if ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) > 0:
    config.available_features.add("landlock")
