#!/usr/bin/env python3
"""Makes a whole program for a GPU with Debian's GCC, which has compilers for GPUs only as parts of its OpenMP.

usage: offload_cc.py [--root ROOT] GCC-VERSION TARGET [gcc's options] SOURCE... -o OUTPUT

TARGET is amdgcn-amdhsa or nvptx-none. main and what it calls must be within `omp declare target`: the host's compiler hands that
to the GPU's, whose linker adds its start-up code and C library as it does for a program of its own. With ROOT the compilers are
in an unpacked release of Debian (test/interop/debian_root.py).
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CHROOT = os.path.join(HERE, "..", "..", "interop", "run_chroot.sh")


def main():
    words = sys.argv[1:]
    root = None
    if words[0] == "--root":
        root, words = words[1], words[2:]
    version, target, words = words[0], words[1], words[2:]
    at = words.index("-o")
    output, words = words[at + 1], words[:at] + words[at + 2 :]
    sources = [word for word in words if word.endswith(".c")]
    options = [word for word in words if word not in sources and word != "-lm"]
    machine = [word for word in options if word.startswith(("-m", "-W"))]
    with tempfile.TemporaryDirectory() as place:
        inside = "/work" if root else place
        for source in sources:
            shutil.copy(source, place)

        def run(*command):
            prefix = [CHROOT, root, place] if root else []
            environment = dict(os.environ, GCC_OFFLOAD_OMP_REQUIRES_FILE=inside + "/requires")
            subprocess.run(prefix + list(command), check=True, env=environment)

        objects = []
        for source in sources:
            name = os.path.join(inside, os.path.basename(source))
            objects.append(name + ".o")
            run("gcc-" + version, "-O1", "-w", "-fopenmp", "-foffload=" + target,
                *[word for word in options if word not in machine], "-c", name, "-o", name + ".o")
        run("x86_64-linux-gnu-accel-%s-gcc-%s" % (target, version), "-xlto", "-foffload-abi=lp64", "-O1", *machine, *objects,
            "-o", inside + "/program")
        shutil.copy(os.path.join(place, "program"), output)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
