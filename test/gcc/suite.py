"""GCC 12's tests of C++ from Debian's package gcc-12-source: where they are, and what each folder of them is compiled with."""

import pathlib
import re
import shutil
import subprocess

import directives

ARCHIVE = pathlib.Path("/usr/src/gcc-12/gcc-12.2.0-dfsg.tar.xz")
LIBRARY = "libstdc++-v3/testsuite"
# What is compiled with other options than -std (dg-options replaces these, dg-additional-options adds to them).
FOLDERS = {"g++.dg/eh": [], "g++.old-deja/g++.eh": [], "g++.dg/torture": [], "g++.dg/coroutines": ["-fcoroutines", "-std=c++20"],
           LIBRARY: []}

# Files of other folders that tests of these include.
INCLUDED = ("gcc/testsuite/gcc.dg/tg-tests.h", "gcc/testsuite/gcc.dg/tree-ssa/pr91680.c")


class Problem(Exception):
    """Why there are no tests."""


def unpack(folder, archive=ARCHIVE):
    """The tests' folders, unpacked once below `folder`."""
    source = folder / "source"
    if (source / "unpacked-all").exists():
        return source
    if not archive.exists():
        raise Problem("%s does not exist: install gcc-12-source" % archive)
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    parts = ["*/gcc/testsuite/g++.dg/*", "*/gcc/testsuite/g++.old-deja/*", "*/%s/*" % LIBRARY]
    parts += ["*/" + name for name in INCLUDED]
    done = subprocess.run(["tar", "-xf", str(archive), "-C", str(source), "--strip-components=1", "--wildcards", *parts])
    if done.returncode:
        raise Problem("tar could not unpack %s: status %d" % (archive, done.returncode))
    (source / "unpacked-all").touch()
    return source


def place(source, name):
    """The path of a test, or of a folder of tests, by its name."""
    return source / name if name.startswith(LIBRARY) else source / "gcc" / "testsuite" / name


def runs_by_default(name, text):
    """Whether a test that does not say what is to be done with it runs: one of the library's, but what its conformance.exp leaves out
    (interactive tests, measurements, parts of the suite itself) and sources that another test names."""
    return (name.startswith(LIBRARY) and "dg-do" not in text and re.search(r"\bmain\s*\(", text) is not None
            and not re.search(r"/(performance|util|simd)/|_xin", name))


def collect(source, folder, levels):
    """The tests of a folder that are to run natively, sorted by name: (those that can, those that cannot with the reason)."""
    root = place(source, folder)
    runs, others = [], []
    for path in sorted(path for path in root.rglob("*") if path.suffix in (".C", ".cc")):
        text, name = path.read_text(errors="replace"), "%s/%s" % (folder, path.relative_to(root))
        by_default = runs_by_default(name, text)
        if not by_default and not re.search(r"dg-do\s+run", text):
            continue
        test = directives.read(name, text, levels, FOLDERS.get(folder, []), by_default)
        (runs if test.runs and not test.reason else others).append(test)
    return runs, others
