# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helps to carry out a description's commands in a copy of the source tree, for gpucc-port and the tests of projects."""

import glob
import os
import pathlib
import re
import shutil

from description import Problem

PREFIX = "/usr"  # the prefix for which libraries are configured, as in Debian: paths in their code (/etc/xml/catalog) are Debian's
LLVM = "/usr/lib/llvm-22/bin"
LIMIT = 3600  # seconds that a build may take

# Programs that builds start, and Debian's packages of them.
PACKAGES = {"make": "make", "cmake": "cmake", "autoconf": "autoconf", "automake": "automake", "libtoolize": "libtool", "tclsh": "tcl",
            "clang": "clang-22", "llvm-ar": "llvm-22", "bash": "bash", "pkg-config": "pkg-config"}
TOOLS_OF_WAY = {"configure": ("make",), "CMake": ("cmake", "make"), "make": ("make",), "source list": ()}

# Patterns of lines in a build's log that say why it failed, the best first. A group leaves out the prefix "program:
# error: ".
REASONS = [r"undefined symbol: .*", r"(?:fatal )?error: (.*)", r"Error: .*", r"LLVM ERROR: .*",
           r"Stack dump.*", r".*No such file or directory", r".*not found", r"make.*\*\*\* .*"]


class Target:
    """The target of a build: "native", "gfx942", "sm_90". gpuexec: the prefix of a gpuexec, with its gpucc and CMake files; llvm: the
    folder of LLVM's tools."""

    def __init__(self, name, gpuexec, llvm=LLVM):
        self.name = name
        self.llvm = llvm
        self.native = name == "native"
        self.gpuexec = pathlib.Path(gpuexec)
        self.compiler = llvm + "/clang" if self.native else "%s/bin/gpucc --arch=%s" % (gpuexec, name)
        self.compiler_cxx = llvm + "/clang++" if self.native else "%s/bin/gpuc++ --arch=%s" % (gpuexec, name)
        self.triple = "nvptx64-nvidia-cuda" if name.startswith("sm_") else "amdgcn-amd-amdhsa"

    def environment(self, compiler, compiler_cxx, jobs, launcher=""):
        """The environment of the build commands. compiler and compiler_cxx: the values of CC and CXX; launcher: a program that runs
        its arguments, for CMake's calls of compiler and linker."""
        host = "" if self.native else "--host=%s" % ("nvptx-none" if self.name.startswith("sm_") else "amdgcn-amd-amdhsa")
        options = "-DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O2 -DCMAKE_C_FLAGS=-w -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DCMAKE_CXX_FLAGS=-w -DBUILD_SHARED_LIBS=OFF"
        options += " -DCMAKE_INSTALL_PREFIX=%s -DCMAKE_INSTALL_LIBDIR=lib" % PREFIX
        if self.native:
            options += " -DCMAKE_C_COMPILER=%s -DCMAKE_CXX_COMPILER=%s" % (compiler, compiler_cxx)
        else:
            options += " -DCMAKE_TOOLCHAIN_FILE=%s/lib/gpuexec/cmake/%s.cmake -DGPUEXEC_ARCH=%s" % (self.gpuexec, self.triple, self.name)
            options += " -DGPUEXEC_SELF_RUN=OFF"
        if not self.native and launcher:
            for language in "C", "CXX":
                options += " -DCMAKE_%s_COMPILER_LAUNCHER=%s -DCMAKE_%s_LINKER_LAUNCHER=%s" % (language, launcher, language, launcher)
        return {
            "PATH": "%s/bin:%s:/usr/local/bin:/usr/bin:/bin" % (self.gpuexec, self.llvm), "HOME": os.environ.get("HOME", "/"), "LC_ALL": "C",
            "CC": compiler, "CFLAGS": "-O2 -w", "CXX": compiler_cxx, "CXXFLAGS": "-O2 -w", "LDFLAGS": "",
            "HOST": host, "CMAKE_OPTIONS": options, "TARGET": self.name, "HOSTCC": self.llvm + "/clang",
            "AR": "ar" if self.native else self.llvm + "/llvm-ar", "RANLIB": "ranlib" if self.native else self.llvm + "/llvm-ranlib",
            "GPUEXEC_DEVICE": "emulator", "JOBS": str(jobs), "PREFIX": PREFIX,
            "GPUEXEC_PORTS": "off",  # the build finds only the libraries that its description names, not those that the user has installed
        }


def check_tools(description, target):
    """Problem, with the packages to install, if this machine lacks programs that the build of a library needs."""
    needed = ["bash", *TOOLS_OF_WAY[description.way], *description.tools]
    missing = [tool for tool in ("clang", "llvm-ar") if not shutil.which(target.llvm + "/" + tool)]
    missing += [tool for tool in needed if not shutil.which(tool)]
    if missing:
        raise Problem("building %s needs %s (Debian: apt-get install %s)"
                      % (description.name, " and ".join(missing), " ".join(PACKAGES.get(tool, tool) for tool in missing)))


def prepare_tree(source, copy):
    """Copies a source tree for a build."""
    shutil.copytree(source, copy, symlinks=True)
    _renew_config_sub(copy)
    _same_time(copy)


def first_reason(log):
    """The line of a build's log that best says why it failed, at most 160 characters."""
    for pattern in REASONS:
        found = re.search(pattern, log)
        if found:
            return (found.group(1) if found.groups() and found.group(1) else found.group(0)).strip()[:160]
    lines = log.strip().splitlines()
    return lines[-1][:160] if lines else "no output"


def collect_library(description, version, source, destination, place):
    """Moves headers, archives, and files of pkg-config and CMake that the library's commands have installed in $DESTDIR into the folder
    `place`, and adds the library's license. The files do not depend on the place of the folder. Problem if a file that the description
    names is missing. version: Debian's version; source: the source tree; destination: $DESTDIR."""
    made = pathlib.Path(str(destination) + PREFIX)
    (place / "lib").mkdir(parents=True)
    if (made / "include").is_dir():
        shutil.move(made / "include", place / "include")
    for archive in (made / "lib").glob("*.a"):
        shutil.move(archive, place / "lib")
    for name in description.libraries:
        if not (place / "lib" / ("lib%s.a" % name)).is_file():
            raise Problem("%s: the build made no lib%s.a" % (description.name, name))
    for name in description.headers:
        if not (place / "include" / name).is_file():
            raise Problem("%s: the build installed no %s" % (description.name, name))
    if (made / "lib" / "cmake").is_dir():
        shutil.move(made / "lib" / "cmake", place / "lib" / "cmake")
        for path in (place / "lib" / "cmake").rglob("*.cmake"):
            path.write_text(_relocated_cmake(path.read_text(), len(path.parent.relative_to(place).parts)))
    for found in sorted(made.glob("*/pkgconfig/*.pc")):
        (place / "lib" / "pkgconfig").mkdir(exist_ok=True)
        (place / "lib" / "pkgconfig" / found.name).write_text(_relocated(found.read_text()))
    _write_missing_pc(description, version, place)
    _copy_license(source, place / "share" / "doc" / description.name)


def _relocated_cmake(text, depth):
    """The text of a file of a CMake package, `depth` folders below the prefix, with paths relative to its own place. CMake's lines with
    _realOrig are left alone, because they compare with the original path."""
    prefix = "${CMAKE_CURRENT_LIST_DIR}" + "/.." * depth
    return "".join(line if "_realOrig" in line else re.sub(r"(?<![\w}.-])%s(?=/(include|lib|share)\b)" % PREFIX, lambda _: prefix, line)
                   for line in text.splitlines(keepends=True))


def _relocated(text):
    """The text of a .pc file for static libraries in a folder that can be moved: with paths relative to its own place, and with
    Libs.private and Requires.private in Libs and Requires, because programs link static libraries."""
    private = {"Libs": "", "Requires": ""}
    lines = []
    for line in text.splitlines():
        line = "prefix=${pcfiledir}/../.." if re.match(r"prefix *=", line) else re.sub(r"(?<![\w}.-])%s(?=/|$)" % PREFIX, "${prefix}", line)
        found = re.match(r"(Libs|Requires)\.private *:(.*)", line)
        if found:
            private[found.group(1)] = found.group(2).strip()
        else:
            lines.append(line)
    for name, more in private.items():
        if more:
            at = [i for i, line in enumerate(lines) if re.match(name + " *:", line)]
            if at:
                between = ", " if name == "Requires" and not lines[at[0]].endswith(":") and lines[at[0]].split(":", 1)[1].strip() else " "
                lines[at[0]] += between + more
            else:
                lines.append("%s: %s" % (name, more))
    if not any(line.startswith("prefix=") for line in lines):
        lines.insert(0, "prefix=${pcfiledir}/../..")
    return "\n".join(lines) + "\n"


def _write_missing_pc(description, version, place):
    upstream = re.sub(r"^\d+:|[-+]\D.*$|-[^-]*$", "", version.split()[0])
    path = place / "lib" / "pkgconfig" / (description.pkgconfig + ".pc")
    if path.exists():
        return
    path.parent.mkdir(exist_ok=True)
    path.write_text("prefix=${pcfiledir}/../..\n\nName: %s\nDescription: %s\nVersion: %s\nCflags: -I${prefix}/include\nLibs: -L${prefix}/lib %s\n"
                    % (description.name, description.about, upstream, " ".join("-l" + name for name in description.libraries)))


def _copy_license(source, place):
    """Copies debian/copyright, or, without it, upstream's license files."""
    found = [source / "debian" / "copyright"] if (source / "debian" / "copyright").is_file() else \
        sorted(path for name in ("COPYING*", "LICEN[CS]E*", "COPYRIGHT*") for path in source.glob(name) if path.is_file())
    place.mkdir(parents=True, exist_ok=True)
    for path in found:
        shutil.copy(path, place)


def _renew_config_sub(source):
    """Replaces each config.sub, which may be too old to know GPUs, by automake's."""
    fresh = sorted(glob.glob("/usr/share/automake-*/config.sub")) or glob.glob("/usr/share/misc/config.sub")
    for path in list(source.rglob("config.sub")) if fresh else ():
        path.unlink()
        shutil.copy(fresh[-1], path)


def _same_time(source):
    """Gives all files the same time. Otherwise Debian's patches would make configure or a generated parser look older than its source."""
    for path in source.rglob("*"):
        if not path.is_symlink():
            os.utime(path, (1e9, 1e9))
