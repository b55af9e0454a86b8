#!/usr/bin/env python3
"""installed_products.py BUILD: whether the target `products` builds each file of the build folder that is installed.

Prints the files that it does not build, and how many files are installed; the exit status is 1 when there is one that it does not. Only a
build from nothing shows such a file otherwise: where all has been built, it is there.
"""

import glob
import os
import re
import subprocess
import sys


def installed(build):
    """What `cmake --install` takes from the build folder, as paths within it."""
    prefix = os.path.realpath(build) + "/"
    for script in glob.glob(build + "/**/cmake_install.cmake", recursive=True):
        with open(script, encoding="utf-8") as file:
            for call in re.findall(r"file\(INSTALL DESTINATION [^)]*\)", file.read()):
                for path in re.findall(r'"(/[^"$]*)"', call.split(" FILES", 1)[-1]):
                    if path.startswith(prefix):
                        yield path[len(prefix):]


def main():
    build = sys.argv[1]
    listed = subprocess.run(["ninja", "-C", build, "-t", "commands", "products"], check=True, capture_output=True, text=True)
    prefix = os.path.realpath(build) + "/"
    built = set(word.removeprefix(prefix).strip("\"'") for word in listed.stdout.split())
    files = sorted(set(installed(build)))
    # Folders, and what CMake itself writes, are there after the configuration.
    missing = [path for path in files if path not in built and not os.path.isdir(os.path.join(build, path)) and is_built(build, path)]
    for path in missing:
        print(path + ": installed, and not in the target products")
    print("%d installed files, %d missing" % (len(files), len(missing)))
    return 1 if missing else 0


def is_built(build, path):
    """Does a rule of ninja make this file?"""
    return subprocess.run(["ninja", "-C", build, "-t", "query", path], capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
