# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the programs of bench/rpc, or finds them in a pack (see `bench/rpc --pack`): a copy of this repository's layout
with the compiled programs in bench/prepared."""

import os
import shutil
import subprocess
import tarfile
import tempfile

from common import BUILD, HOST_CC, ROOT, tool

LLVM = "/usr/lib/llvm-22"
PREPARED = os.path.join(ROOT, "bench", "prepared")
OFFLOAD = "libLLVMOffload.so.22.1"
ARCHITECTURES = ("gfx942", "sm_90")


def source(*path):
    return os.path.join(ROOT, *path)


def compile_image(arch, path):
    subprocess.run([tool("gpucc"), "--arch=" + arch, "-O2", "-w", source("bench", "workloads", "rpc.c"), "-o", path], check=True)


def compile_bounce_kernel(arch, path):
    flags = ["-ffreestanding", "-O2", "-nogpulib", "-nostdlib"]
    if arch.startswith("sm_"):
        flags += ["--target=nvptx64-nvidia-cuda", "-march=" + arch, "-S"]  # PTX: the driver compiles it
    else:
        flags += ["--target=amdgcn-amd-amdhsa", "-mcpu=" + arch]
    subprocess.run([HOST_CC, *flags, source("bench", "bounce_kernel.c"), "-o", path], check=True)


def compile_bounce(path):
    subprocess.run([HOST_CC, "-O2", "-I", source(), source("bench", "bounce.c"), "-o", path], check=True)


def compile_offload(path):
    library = os.path.join(LLVM, "lib")
    command = [HOST_CC, "-O2", "-I" + os.path.join(LLVM, "include"), source("test", "interop", "inputs", "offload.c")]
    subprocess.run(command + ["-o", path, "-L" + library, "-lLLVMOffload"], check=True)


def have_offload():
    return all(os.path.exists(os.path.join(LLVM, name)) for name in ("lib/libLLVMOffload.so", "include/offload/OffloadAPI.h"))


def find_library(name, folders=()):
    """Path of a shared library that the dynamic loader would find, or in one of the folders."""
    lines = subprocess.run(["/sbin/ldconfig", "-p"], stdout=subprocess.PIPE, text=True).stdout.splitlines()
    found = [line.split("=>")[1].strip() for line in lines if line.split()[:1] == [name] and "x86-64" in line]
    found += [os.path.join(folder, name) for folder in folders]
    return next((path for path in found if os.path.exists(path)), None)


class Programs:
    """image, bounce (a command with bounce_arguments), offload (None where LLVM's runtime is not at hand)."""

    def __init__(self, device, folder):
        self.no_offload = None
        if os.path.isdir(PREPARED):
            self.take(device)
        else:
            self.compile(device, folder)
        kind = "cuda" if device.vendor == "nvptx" else "hsa"
        library = "libcuda.so.1"
        if kind == "hsa":
            library = "libhsa-runtime64.so.1"
            if device.kind == "emulator":
                library = os.path.join(BUILD, "lib", "gpuexec", library)
        self.bounce_arguments = [kind, library, self.kernel]
        if self.offload:
            self.offload_environment = self.environment(device, folder, library)

    def take(self, device):
        prepared = lambda name: os.path.join(PREPARED, name)
        self.image, self.kernel = prepared("rpc." + device.arch), prepared("bounce." + device.arch)
        if not os.path.exists(self.image):
            raise SystemExit("this pack has no image for %s" % device.arch)
        self.bounce, self.offload = prepared("bounce"), prepared("offload")
        self.libraries = prepared("lib")
        if not os.path.exists(self.offload):
            self.offload, self.no_offload = None, "this pack was made without liboffload-22"

    def compile(self, device, folder):
        path = lambda name: os.path.join(folder, name)
        self.image, self.kernel, self.bounce, self.offload = map(path, ("rpc", "bounce.image", "bounce", "offload"))
        self.libraries = os.path.join(LLVM, "lib")
        compile_image(device.arch, self.image)
        compile_bounce_kernel(device.arch, self.kernel)
        compile_bounce(self.bounce)
        if have_offload():
            compile_offload(self.offload)
        else:
            self.offload, self.no_offload = None, "Debian's liboffload-22-dev is not installed"

    def environment(self, device, folder, library):
        """LLVM's runtime opens libcuda.so and libhsa-runtime64.so by these names: it shall find what gpuexec uses."""
        links = os.path.join(folder, "links")
        os.mkdir(links)
        name = library.split("/")[-1]
        path = library if "/" in library else find_library(name, os.environ.get("LD_LIBRARY_PATH", "").split(":"))
        if path:
            os.symlink(path, os.path.join(links, name[: -len(".1")]))
        paths = [links, self.libraries, os.environ.get("LD_LIBRARY_PATH", "")]
        return dict(os.environ, LD_LIBRARY_PATH=":".join(filter(None, paths)))


def slim_llvm(path):
    """A libLLVM.so with no more in it than liboffload asks for: the distribution's is 150 MB and needs ten more libraries."""
    lines = subprocess.run(
        ["nm", "-D", "--undefined-only", os.path.join(LLVM, "lib", OFFLOAD)], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
    symbols = sorted({line.split()[-1].split("@")[0] for line in lines if "@LLVM_22.1" in line})
    with tempfile.NamedTemporaryFile("w", suffix=".map") as script:
        script.write("LLVM_22.1 { global: %s; local: *; };\n" % "; ".join(symbols))
        script.flush()
        folder = os.path.join(LLVM, "lib")
        archives = [
            os.path.join(folder, name)
            for name in sorted(os.listdir(folder))
            if name.startswith("libLLVM") and name.endswith(".a") and name != "libLLVMOffload.a"
        ]
        flags = ["-shared", "-fuse-ld=lld", "-Wl,-s", "-Wl,--gc-sections", "-Wl,-z,defs", "-Wl,-soname," + os.path.basename(path)]
        flags += ["-Wl,--version-script," + script.name] + ["-Wl,-u," + symbol for symbol in symbols]
        command = [HOST_CC + "++", *flags, *archives, "-lz", "-lzstd", "-lm", "-o", path]
        if subprocess.run(command).returncode:
            raise SystemExit("bench/rpc --pack: LLVM's libraries could not be linked")


RUN = """#!/bin/sh
# Unpacks the benchmark and runs it; options are those of bench/rpc.
set -e
here=$(cd "$(dirname "$0")" && pwd)
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$here/pack.tar.xz" "$to"
export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/nvidia/lib64:$to/bench/prepared/lib"
python3 "$to/bench/rpc" "$@"
"""


def pack(folder):
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as root:
        prepared = os.path.join(root, "bench", "prepared")
        libraries = os.path.join(prepared, "lib")
        os.makedirs(libraries)

        def copy(path, to):
            to = os.path.join(root, to)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(path, to)

        for name in ("bench/rpc", "bench/common.py", "bench/rpc_programs.py", "test/lit/gpuexec_lit.py"):
            copy(source(name), name)
        copy(tool("gpuexec"), "build/bin/gpuexec")
        for name in ("libhsa-runtime64.so.1", "libgpuexec-emulator-jit.so"):
            path = os.path.join(BUILD, "lib", "gpuexec", name)
            if os.path.exists(path):
                copy(path, "build/lib/gpuexec/" + name)
        for arch in ARCHITECTURES:
            compile_image(arch, os.path.join(prepared, "rpc." + arch))
            compile_bounce_kernel(arch, os.path.join(prepared, "bounce." + arch))
        compile_bounce(os.path.join(prepared, "bounce"))
        for name in ("libz.so.1", "libzstd.so.1"):
            shutil.copy(find_library(name), libraries)
        if have_offload():
            compile_offload(os.path.join(prepared, "offload"))
            shutil.copy(os.path.join(LLVM, "lib", OFFLOAD), libraries)
            slim_llvm(os.path.join(libraries, "libLLVM.so.22.1"))
        archive = os.path.join(folder, "pack.tar.xz")
        with tarfile.open(archive, "w:xz", preset=4) as tar:
            tar.add(root, arcname=".")
    script = os.path.join(folder, "run")
    with open(script, "w") as file:
        file.write(RUN)
    os.chmod(script, 0o755)
    print("%s: %.1f MB; on the other machine: %s/run" % (archive, os.path.getsize(archive) / 1e6, os.path.basename(folder)))
