"""Compares programs, and the libraries that they load, with the packages that gpuexec names.

usage: packages_of.py --source ROOT --build BUILD FILE-WITH-PATHS

A program must be of a package that cmake/packages.txt names for ./run and CPACK_DEBIAN_PACKAGE_DEPENDS for the Debian
package, or of an essential package. A library may also be of a package that one of these depends on. Files that we build,
and those of the CUDA toolkit, belong to no package.
"""

import argparse
import glob
import os
import re
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def package_of(path):
    """The package that has a file; dpkg may know it without the /usr before it."""
    for name in (path, re.sub("^/usr", "", path)):
        found = output_of("dpkg-query", "-S", name)
        if found:
            return found.split(":", 1)[0]
    return None


def depends_of(names):
    """The names in 'a (>= 1), b | c'."""
    return {re.sub(r"[ (:].*", "", name.strip()) for name in re.split(r"[,|]", names) if name.strip()}


def installed():
    """{package: what it depends on}, and the packages that every Debian has."""
    format = "${Package}\t${Priority}\t${Essential}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
    depends, everywhere = {}, set()
    for line in output_of("dpkg-query", "-W", "-f", format).splitlines():
        name, priority, essential, provides, needs = line.split("\t")
        for also in {name} | depends_of(provides):
            depends.setdefault(also, set()).update(depends_of(needs), {name})
        if essential == "yes" or priority == "required":
            everywhere.add(name)
    return depends, everywhere


def closure(names, depends):
    """The packages, and all that they depend on."""
    found, open_ = set(), list(names)
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            open_ += depends.get(name, ())
    return found


def libraries_of(path):
    return {os.path.realpath(found) for found in re.findall(r"=> (/\S+)", output_of("ldd", path))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("paths")
    arguments = parser.parse_args()
    named = set(output_of("bash", "-c", "source '%s/cmake/setup.sh'; packages_for run" % arguments.source).split())
    with open(os.path.join(arguments.build, "CPackConfig.cmake")) as file:
        shipped = depends_of(re.search(r'CPACK_DEBIAN_PACKAGE_DEPENDS "(.*)"', file.read()).group(1))
    with open(arguments.paths) as file:
        programs = {os.path.realpath(line.strip()) for line in file if line.strip()}
    toolkits = [os.path.realpath(os.environ.get("CUDA_PATH", "/usr/local/cuda")), "/opt/cuda", "/usr/local/"]
    build = os.path.realpath(arguments.build) + "/"
    depends, everywhere = installed()
    problems = []
    libraries = set()
    for pattern in ("bin/gpuexec", "bin/gpuexec-info", "bin/gpucc", "lib/gpuexec/*.so"):
        for path in glob.glob(os.path.join(build, pattern)):
            libraries |= libraries_of(path)
    for path in sorted(programs):
        if path.startswith(build) or any(path.startswith(folder) for folder in toolkits) or "cuda" in path:
            continue
        package = package_of(path)
        if package in everywhere:
            continue
        if package not in named:
            problems.append("%s: of %s, which cmake/packages.txt does not name for ./run" % (path, package))
        if package not in shipped:
            problems.append("%s: of %s, which the Debian package does not depend on" % (path, package))
    allowed = closure(named | everywhere, depends)
    for path in sorted(libraries):
        if not path.startswith(build) and package_of(path) not in allowed:
            problems.append("%s: of %s, which no package that cmake/packages.txt names for ./run needs" % (path, package_of(path)))
    for problem in problems:
        print(problem, file=sys.stderr)
    if not programs or not libraries:
        problems.append("this test sees no programs or no libraries")
    sys.exit("\n".join(problems[-1:]) if problems else 0)


if __name__ == "__main__":
    main()
