"""Compiles and runs one test of GCC's, natively or for a device, in an empty folder of its own."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Inputs"))
import suite
from limited_run import Run

MEMORY = {"compile": 8 << 30, "run": 4 << 30, "device": 64 << 30}  # bytes of address space; the emulator reserves much

# What clang knows of the options that GCC's tests name, and what changes how a program behaves. The others choose optimisations of
# GCC's or silence warnings of its.
MEANS = re.compile(r"-(std=|O|D|U|I|include|pthread|l|g$|w$)|-f(no-)?(exceptions|rtti|wrapv|strict-aliasing|coroutines|openmp|char8_t|"
                   r"sized-deallocation|aligned-new|threadsafe-statics|math-errno|fast-math|permissive|elide-constructors|builtin.*|"
                   r"signed-char|unsigned-char|short-enums|ms-extensions|access-control|inline|non-call-exceptions|omit-frame-pointer|"
                   r"check-new|strict-enums|fp-contract=.*|delete-null-pointer-checks|function-sections|pic|trapping-math)$")


class Compiler:
    """A compiler and what runs its programs. launcher: [] natively; gcc: it knows all options of the tests."""

    def __init__(self, name, command, source, launcher=(), gcc=False):
        self.name, self.command, self.launcher, self._gcc, self._source = name, command, list(launcher), gcc, source
        self._helpers = None  # a folder of its own: several runs may be made at once
        self._archive = None

    def build_helpers(self):
        """The library that libstdc++'s tests are linked with; Problem when it cannot be made."""
        if self._archive:
            return
        util = suite.place(self._source, suite.LIBRARY) / "util"
        self._helpers = tempfile.TemporaryDirectory(prefix="gpuexec-gcc-helpers-")
        objects = []
        for name in ("testsuite_allocator", "testsuite_character", "testsuite_hooks", "io/prog_bar", "io/verified_cmd_line_input",
                     "performance/time/elapsed_timer"):
            objects.append("%s.o" % pathlib.Path(name).name)
            run = Run([*self.command, "-w", "-std=gnu++17", "-O2", "-I", str(util), "-I", str(util.parent), "-c", str(util / (name + ".cc")), "-o", objects[-1]],
                      self._helpers.name, 600, MEMORY["compile"])
            if run.status != 0:
                raise suite.Problem("%s does not compile for %s: %s" % (name, self.name, run.error()))
        archive = pathlib.Path(self._helpers.name, "libtestc++.a")
        subprocess.run(["/usr/lib/llvm-22/bin/llvm-ar", "rcs", str(archive), *objects], cwd=self._helpers.name, check=True)
        self._archive = archive

    def options(self, test, level):
        """All options of a test. A level of its own, such as -O1, counts more than the runner's."""
        own = test.options if self._gcc else [option for option, before in zip(test.options, ["", *test.options])
                                              if MEANS.match(option) or before == "-include"]
        if not self._gcc:
            own = ["-std=c++20" if option == "-fcoroutines" else option for option in own]
            own += ["-Wno-everything", "-Wno-error"]
        if not self.launcher:
            own = ["-D_GLIBCXX_USE_TBB_PAR_BACKEND=0", *own]  # the serial one: TBB is not needed
        return [level, "-w", *own]

    def try_test(self, test, level, seconds):
        """"" when the test passes, else why not."""
        path = suite.place(self._source, test.name)
        library = test.name.startswith(suite.LIBRARY)
        options = self.options(test, level)
        sources = [str(path), *[str(path.parent / name) for name in test.sources]]
        libraries = [option for option in options if option.startswith("-l") and option != "-ltbb"]
        options = [option for option in options if not option.startswith("-l")]
        if library:
            options += ["-I", str(suite.place(self._source, suite.LIBRARY) / "util"), "-DLOCALEDIR=\".\""]
            libraries.insert(0, str(self._archive))
        with tempfile.TemporaryDirectory(prefix="gpuexec-gcc-") as folder:
            compiled = Run([*self.command, *options, *sources, *libraries, "-o", "test"], folder, 10 * seconds, MEMORY["compile"])
            if compiled.status != 0:
                return "does not compile: " + compiled.error().replace(str(self._source) + "/", "")
            if library and re.search(r"\.(txt|tst)\"", path.read_text(errors="replace")):
                shutil.copytree(suite.place(self._source, suite.LIBRARY) / "data", folder, dirs_exist_ok=True)
            run = Run([*self.launcher, "./test"], folder, seconds + 10, MEMORY["device" if self.launcher else "run"])
        return judge(test, run)


def judge(test, run):
    """"" when a run ended as its test says, else how it ended."""
    if test.fails:
        return "" if run.status == 134 else "does not abort: " + run.how()
    if run.status != 0:
        return run.how()
    missing = [pattern for pattern in test.output if not re.search(pattern, run.text)]
    return "does not print %s" % missing[0] if missing else ""


def timed(compiler, test, level, seconds):
    """(why the test does not pass or "", seconds)"""
    began = time.monotonic()
    return compiler.try_test(test, level, seconds), time.monotonic() - began
