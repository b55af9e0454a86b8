#!/usr/bin/env python3
"""Unpacks binary packages of a release of Debian, with all that they depend on, into a folder of their own.

    debian_root.py NAME LINK

makes ~/.cache/gpuexec/clients/NAME, once, and a symbolic link to it. NAME.versions beside it lists what is in it. The system's
apt keeps its lists and settings. Programs run with the release's own dynamic loader: run_in.sh starts them. run_chroot.sh starts
what must find its files where the release has them, a compiler for instance.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "toolchain", "port"))
from sources import Lock

# Name of the folder: release and packages. Debian 12's HIP is too old for three of the emulated GPUs.
ROOTS = {
    "hip": ("forky", ["libamdhip64-6", "libamdhip64-dev", "rocm-device-libs-21", "rocm-opencl-icd", "ocl-icd-libopencl1",
                      "opencl-c-headers", "clinfo"]),
    "gcc": ("forky", ["gcc-16-offload-amdgcn", "libc6-dev"]),
}

SOURCES = """Types: deb
URIs: http://deb.debian.org/debian
Suites: {suite}
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""


def apt(folder, *arguments):
    """Runs apt-get with settings and lists in `folder`, and with no package installed. Ends the program on failure."""
    command = ["apt-get", "-qq", "-o", "Dir::Etc::sourcelist=%s/debian.sources" % folder, "-o", "Dir::Etc::sourceparts=/dev/null",
               "-o", "Dir::State=%s" % folder, "-o", "Dir::Cache=%s" % folder, "-o", "Dir::State::status=/dev/null",
               "-o", "Debug::NoLocking=1", "-o", "APT::Sandbox::User=", *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        sys.exit("debian_root.py: apt-get %s: %s" % (arguments[0], (done.stderr or done.stdout).strip()))


def unpack(root, versions, suite, packages):
    with tempfile.TemporaryDirectory(dir=root.parent) as folder:
        for part in ("lists", "archives"):
            (pathlib.Path(folder) / part / "partial").mkdir(parents=True)
        (pathlib.Path(folder) / "debian.sources").write_text(SOURCES.format(suite=suite))
        apt(folder, "update")
        apt(folder, "install", "--download-only", "--no-install-recommends", "-y", *packages)
        shutil.rmtree(root, ignore_errors=True)
        names = []
        for package in sorted((pathlib.Path(folder) / "archives").glob("*.deb")):
            subprocess.run(["dpkg-deb", "-x", package, root], check=True)
            names.append(" ".join(package.stem.split("_")[:2]).replace("%3a", ":"))
        for name in ("bin", "lib", "lib64"):
            if not (root / name).exists():
                (root / name).symlink_to("usr/" + name)
        for name in ("dev", "tmp", "work"):
            (root / name).mkdir(exist_ok=True)
        versions.write_text("\n".join(names) + "\n")


def main():
    name, link = sys.argv[1:]
    suite, packages = ROOTS[name]
    cache = pathlib.Path(os.path.expanduser("~/.cache/gpuexec/clients"))
    root, versions = cache / name, cache / (name + ".versions")
    with Lock(cache / (name + ".lock")):
        if not versions.exists():
            unpack(root, versions, suite, packages)
    if os.path.lexists(link):
        os.unlink(link)
    os.symlink(root, link)


main()
