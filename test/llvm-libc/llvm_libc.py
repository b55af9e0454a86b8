#!/usr/bin/env python3
"""Builds LLVM's own tests of its C library for GPUs with LLVM's CMake rules, and runs them through gpuexec.

usage: llvm_libc.py --build BUILD [--arch gfx942] [options]            build, then run on this machine
       llvm_libc.py --build BUILD --arch sm_90 --pack FOLDER [options]  build; FOLDER/run.py runs them on a machine with a GPU

The source is Debian's llvm-toolchain-19, which apt fetches into ~/.cache/gpuexec/projects (160 MB). It is not changed; clang 22
compiles it. It is built below BUILD/llvm-libc/ARCH (650 MB), where a second run compiles only what is missing, and then runs all
tests again. For sm_90, CUDA's ptxas and nvlink are needed. run.py, beside this file, says how tests are run and counted.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "toolchain" / "port"))
from description import Problem
from sources import Sources

PACKAGE = "llvm-toolchain-19"
PARTS = ("libc", "cmake", "runtimes", "llvm/utils/lit", "llvm/utils/llvm-lit")  # "cmake" also below llvm
NEEDED = {"cmake": "cmake", "ninja": "ninja-build", "tar": "tar", "xz": "xz-utils"}
TARGETS = ("libc-hermetic-tests", "libc-integration-tests")


def parse_arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0], description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="gpuexec's build folder")
    parser.add_argument("--arch", default="gfx942")
    parser.add_argument("--source", help="upstream's archive, instead of Debian's: llvm-project-19*.tar.xz")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin", help="the folder of clang")
    parser.add_argument("--link", default="-O1", help="clang's options for links, most of the time; LLVM's own, -O3, take four "
                        "times as long (default: -O1)")
    parser.add_argument("--cache", default=os.path.expanduser("~/.cache/gpuexec/projects"))
    parser.add_argument("--jobs", default=str(os.cpu_count()), help="compilers, and tests, at a time")
    parser.add_argument("--device", default="emulator", help="as gpuexec's (default: emulator)")
    parser.add_argument("--timeout", default="120", help="seconds that one test may take")
    parser.add_argument("--filter", default="", help="build and run only tests whose name has a match of this expression")
    parser.add_argument("--pack", metavar="FOLDER", help="run nothing; write a folder that another machine can run")
    return parser.parse_args()


class Suite:
    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = pathlib.Path(arguments.build).resolve() / "llvm-libc"
        self.work = self.folder / arguments.arch
        self.source, self.tree = self.folder / "source", self.work / "build"
        self.llvm = pathlib.Path(arguments.llvm)

    def check_tools(self):
        missing = ["%s (%s)" % (tool, package) for tool, package in NEEDED.items() if not shutil.which(tool)]
        missing += ["%s (llvm-22, clang-22)" % (self.llvm / tool) for tool in ("clang++", "llvm-ar", "llvm-link")
                    if not (self.llvm / tool).exists()]
        try:
            import yaml
        except ImportError:
            missing.append("Python's yaml (python3-yaml)")
        if self.arguments.arch.startswith("sm_"):
            cuda = os.path.join(os.environ.get("CUDA_PATH", "/usr/local/cuda"), "bin")
            missing += ["%s (CUDA)" % tool for tool in ("ptxas", "nvlink")
                        if not shutil.which(tool) and not os.path.exists(os.path.join(cuda, tool))]
        if missing:
            raise Problem("not found: " + ", ".join(missing))

    def unpack(self):
        """The parts of the source that libc's build reads."""
        done = self.source / "unpacked"
        if done.exists():
            return
        archive = self.arguments.source or Sources(pathlib.Path(self.arguments.cache)).archive(PACKAGE)
        print("unpacking %s" % archive, flush=True)
        shutil.rmtree(self.source, ignore_errors=True)
        self.source.mkdir(parents=True)
        run(["tar", "-xf", str(archive), "-C", str(self.source), "--strip-components=1", "--wildcards"] +
            ["*/%s/*" % part for part in PARTS])
        done.touch()

    def configure(self):
        amd = self.arguments.arch.startswith("gfx")
        triple = "amdgcn-amd-amdhsa" if amd else "nvptx64-nvidia-cuda"
        clang = subprocess.run([self.llvm / "clang", "-dumpversion"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        settings = {
            "LLVM_ENABLE_RUNTIMES": "libc", "CMAKE_BUILD_TYPE": "Release", "CMAKE_EXE_LINKER_FLAGS": self.arguments.link,
            "CMAKE_C_COMPILER": self.llvm / "clang", "CMAKE_CXX_COMPILER": self.llvm / "clang++",
            "CMAKE_AR": self.llvm / "llvm-ar", "CMAKE_RANLIB": self.llvm / "llvm-ranlib",
            "CMAKE_C_COMPILER_TARGET": triple, "CMAKE_CXX_COMPILER_TARGET": triple,
            "CMAKE_C_COMPILER_WORKS": 1, "CMAKE_CXX_COMPILER_WORKS": 1,
            "LLVM_RUNTIMES_TARGET": triple, "LLVM_DEFAULT_TARGET_TRIPLE": triple, "LLVM_INCLUDE_TESTS": "ON",
            "LLVM_LIBC_FULL_BUILD": "ON", "LIBC_WNO_ERROR": "ON",
            # Headers come from the generator in Python: no tablegen, and so no LLVM, has to be built.
            "LIBC_HDRGEN_EXE": "/bin/true", "LIBC_USE_NEW_HEADER_GEN": "ON",
            "LIBC_GPU_TEST_ARCHITECTURE": self.arguments.arch, "LIBC_GPU_TEST_JOBS": self.arguments.jobs,
            "LIBC_GPU_LOADER_EXECUTABLE": HERE / "record.py",
        }
        # LLVM refuses another clang than its own version's: the source is told that it is clang's.
        settings |= dict(zip(("LLVM_VERSION_MAJOR", "LLVM_VERSION_MINOR", "LLVM_VERSION_PATCH"), clang.split(".")))
        if shutil.which("ccache"):
            settings["CMAKE_C_COMPILER_LAUNCHER"] = settings["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
        self.work.mkdir(parents=True, exist_ok=True)
        run(["cmake", "-G", "Ninja", "-S", str(self.source / "runtimes"), "-B", str(self.tree)] +
            ["-D%s=%s" % item for item in settings.items()], log=self.work / "configure.log")

    def ninja(self, targets, log, goes_on=False):
        tests = self.work / "recorded.jsonl"
        environment = dict(os.environ, GPUEXEC_TESTS=str(tests), GPUEXEC_KNOWN_VARIABLES=" ".join(os.environ))
        run(["ninja", "-C", str(self.tree), "-j", self.arguments.jobs, "-k", "0", *targets], log=self.work / log, goes_on=goes_on,
            env=environment)

    def targets(self):
        listed = subprocess.run(["ninja", "-C", str(self.tree), "-t", "targets", "all"], stdout=subprocess.PIPE, text=True,
                                check=True).stdout
        return re.findall(r"^([^:\n/]+): phony$", listed, re.MULTILINE)

    def compile(self):
        """Builds images; record.py writes down how LLVM's rules would run each."""
        names = self.targets()
        (self.work / "recorded.jsonl").unlink(missing_ok=True)
        # Some of the rules forget that they need a header: all of them first.
        self.ninja([name for name in names if re.fullmatch(r"libc\.include\..*hdr__", name)], "headers.log", goes_on=True)
        wanted = TARGETS
        if self.arguments.filter:
            built = [name.removesuffix(".__build__") for name in names if name.endswith(".__build__")]
            wanted = [name for name in built if name in names and re.search(self.arguments.filter, name)]
            if not wanted:
                raise Problem("no test's name has a match of %s" % self.arguments.filter)
        print("building, see %s" % (self.work / "ninja.log"), flush=True)
        self.ninja(wanted, "ninja.log", goes_on=True)
        log = (self.work / "ninja.log").read_text(errors="replace")
        failed = re.findall(r"^FAILED: (?:\[code=\d+\] )?(\S+)", log, re.MULTILINE)
        return sorted({pathlib.Path(name).name.removesuffix(".__build__") for name in failed if name.endswith(".__build__")} |
                      {name for name in failed if not name.endswith(".__build__")})

    def collect(self, not_built):
        """Puts images, tests.json and known_failures.txt into a folder for run.py."""
        folder = self.work / "suite"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "images").mkdir(parents=True)
        tests = []
        recorded = self.work / "recorded.jsonl"
        for line in sorted(set(recorded.read_text().splitlines())) if recorded.exists() else []:
            test = json.loads(line)
            image = next(word for word in test["arguments"] if word.endswith(".__build__"))
            name = os.path.basename(image).removesuffix(".__build__")
            os.link(image, folder / "images" / name)
            test["arguments"] = ["@" + name if word == image else word for word in test["arguments"]]
            tests.append({"name": name, **test})
        version = re.search(r"DEFINED LLVM_VERSION_MAJOR\)\s*set\(LLVM_VERSION_MAJOR (\d+)",
                            (self.source / "cmake" / "Modules" / "LLVMVersion.cmake").read_text()).group(1)
        with open(folder / "tests.json", "w") as file:
            json.dump({"version": version, "arch": self.arguments.arch, "not_built": not_built, "tests": tests}, file, indent=1)
        for name in ("known_failures.txt", "run.py"):
            shutil.copy2(HERE / name, folder)
        return folder, len(tests)


def run(command, log=None, goes_on=False, env=None):
    output = open(log, "w") if log else None
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT if log else None, env=env)
    if done.returncode and not goes_on:
        last = log.read_text(errors="replace").strip().splitlines()[-20:] if log else []
        raise Problem("\n".join(["%s failed, status %d" % (command[0], done.returncode)] + last))


def main():
    arguments = parse_arguments()
    gpuexec = os.path.join(os.path.abspath(arguments.build), "bin", "gpuexec")
    suite = Suite(arguments)
    try:
        suite.check_tools()
        suite.unpack()
        suite.configure()
        folder, count = suite.collect(suite.compile())
    except Problem as problem:
        print("llvm_libc.py: error: %s" % problem, file=sys.stderr)
        return 1
    if not arguments.pack:
        return subprocess.run([sys.executable, str(folder / "run.py"), "--gpuexec", gpuexec, "--device", arguments.device,
                               "--jobs", arguments.jobs, "--timeout", arguments.timeout]).returncode
    shutil.copytree(folder, arguments.pack, dirs_exist_ok=True)
    os.makedirs(os.path.join(arguments.pack, "bin"), exist_ok=True)
    shutil.copy2(gpuexec, os.path.join(arguments.pack, "bin"))
    print("%s: %d tests of LLVM's libc for %s; run it there with ./run.py" % (arguments.pack, count, arguments.arch))
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
