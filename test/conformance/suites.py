"""Public suites of C, POSIX and OpenMP: where each comes from, which tests it has and how one is compiled."""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "toolchain" / "port"))
import description
import sources


class Problem(Exception):
    """Why there are no tests."""


class Test:
    """name: its source's path in the suite without .c; options: for the compiler; sources: of the whole program; why_not: why it does
    not count, if it does not."""

    def __init__(self, name, sources, options, why_not=""):
        self.name, self.sources, self.options, self.why_not = name, sources, options, why_not


class Suite:
    """url and commit: where the sources come from; paths: the folders of it that are needed; limit: seconds that a test may run."""

    url = commit = title = ""
    paths = ()
    limit = 60

    def __init__(self, source):
        self.source = pathlib.Path(source).resolve()

    @classmethod
    def bring(cls, cache):
        """The sources, cloned once into a folder of `cache`; Problem when that fails."""
        place = pathlib.Path(cache) / cls.__name__.lower()
        if (place / "complete").exists():
            return place
        place.mkdir(parents=True, exist_ok=True)
        print("bringing %s from %s" % (cls.title, cls.url), flush=True)
        for words in (["init", "-q"], ["config", "remote.origin.url", cls.url], ["sparse-checkout", "set", "--no-cone", *cls.paths],
                      ["fetch", "-q", "--depth", "1", "--filter=blob:none", cls.url, cls.commit], ["checkout", "-q", "FETCH_HEAD"]):
            said = ""
            try:
                done = subprocess.run(["git", "-C", str(place), *words], stderr=subprocess.PIPE, text=True)
                if done.returncode:
                    said = (done.stderr.strip().splitlines() or ["status %d" % done.returncode])[-1]
            except FileNotFoundError:
                said = "there is no git here (Debian: apt-get install git)"
            if said:
                raise Problem("no sources of %s came from %s: %s (--source takes a folder that has them)" % (cls.title, cls.url, said))
        (place / "complete").touch()
        return place

    def files(self, pattern):
        """Paths below the source that match, sorted; Problem when there is none."""
        found = sorted(self.source.glob(pattern))
        if not found:
            raise Problem("%s has no %s: not the sources of %s?" % (self.source, pattern, self.title))
        return found

    def test(self, path, *arguments):
        return Test(str(path.relative_to(self.source).with_suffix("")), *arguments)


class Libc(Suite):
    """musl's tests of a C library: functions, regressions, mathematics."""

    title = "libc-test"
    url, commit = "https://github.com/kraj/libc-test", "b7ec467969a53756258778fa7d9b045f912d1c93"
    paths = ("src",)

    def tests(self):
        common = [path for path in self.files("src/common/*.c") if path.name != "runtest.c"]
        for folder in ("functional", "math", "regression"):
            for path in self.files("src/%s/*.c" % folder):
                if path.stem.endswith("_dso"):
                    continue  # a part of another test
                rules = path.with_suffix(".mk")
                parts = "a library of its own, which is opened at run time" if rules.exists() and "dso" in rules.read_text() else ""
                yield self.test(path, [path, *common], ["-I", str(path.parent.parent / "common"), "-O1", "-w", "-pthread", "-lm",
                                                        "-lcrypt", "-lresolv", "-lutil"], parts)


class Posix(Suite):
    """The Open POSIX test suite, as the Linux Test Project keeps it."""

    title = "the Open POSIX test suite"
    url, commit = "https://github.com/linux-test-project/ltp", "695827725f4fc14fe583043127e0335c29bbd52d"
    paths = ("testcases/open_posix_testsuite",)
    limit = 120

    def __init__(self, source):
        super().__init__(source)
        inner = self.source / self.paths[0]
        self.source = inner if inner.is_dir() else self.source

    def tests(self):
        common = [path for path in self.source.glob("lib/*.c")]
        for path in self.files("conformance/interfaces/*/**/*.c"):
            text = path.read_text(errors="replace")
            if not re.search(r"\b(test_)?main\s*\(", text) or path.stem == "testfrmw":
                continue
            uses_fork = re.search(r"\b(fork|vfork)\s*\(", text) is not None
            yield self.test(path, [path, *(common if re.search(r"\btest_main\s*\(", text) else [])],
                            ["-I", str(self.source / "include"), "-I", str(path.parent), "-O1", "-w", "-pthread", "-lrt", "-lm"],
                            "fork" if uses_fork else "")


class Openmp(Suite):
    """OpenMP's validation and verification suite: what is in C, of 4.5 to 6.0."""

    title = "OpenMP_VV"
    url, commit = "https://github.com/OpenMP-Validation-and-Verification/OpenMP_VV", "0c4118d18054c8164b70e78c2f1d5a2333f001d2"
    paths = ("tests", "ompvv")

    def tests(self):
        for version in ("4.5", "5.0", "5.1", "5.2", "6.0"):
            for path in self.files("tests/%s/**/*.c" % version):
                yield self.test(path, [path], ["-I", str(self.source / "ompvv"), "-DVERBOSE_MODE", "-O3", "-w", "-fopenmp", "-lm"])


class OpenmpRuntime(Suite):
    """The tests of LLVM's OpenMP runtime, of the package that Debian makes of LLVM 19."""

    title = "LLVM's tests of its OpenMP runtime"
    package = "llvm-toolchain-19"
    paths = ("openmp/runtime/test",)
    limit = 60

    @classmethod
    def bring(cls, cache):
        place = pathlib.Path(cache) / cls.__name__.lower()
        if (place / "complete").exists():
            return place
        print("bringing the source of Debian's %s (160 MB)" % cls.package, flush=True)
        try:
            archive = sources.Sources(pathlib.Path(cache)).archive(cls.package)
        except description.Problem as problem:
            raise Problem("no sources of %s: %s (--source takes a folder that has them)" % (cls.title, problem))
        place.mkdir(parents=True, exist_ok=True)
        if subprocess.run(["tar", "-xf", str(archive), "-C", str(place), "--strip-components=1", "--wildcards", "*/" + cls.paths[0]]).returncode:
            raise Problem("tar cannot unpack %s" % archive)
        (place / "complete").touch()
        return place

    def __init__(self, source):
        super().__init__(source)
        inner = self.source / self.paths[0]
        self.source = inner if inner.is_dir() else self.source

    def tests(self):
        for path in self.files("*/**/*.c"):
            text = path.read_text(errors="replace")
            yield self.test(path, [path], ["-I", str(self.source), "-D_GNU_SOURCE", "-O1", "-w", "-fopenmp", "-lm"], self.why_not(text))

    @staticmethod
    def why_not(text):
        """Why a test does not count, or ""."""
        runs = re.findall(r"RUN:\s*(.*?)\s*$", text, re.MULTILINE)
        if runs != ["%libomp-compile-and-run"]:
            return "its output is compared, or it is run otherwise than by its name alone"
        found = re.search(r"\b(__kmpc?_\w+|kmp_\w+|omp_get_place_\w+|fork|dlopen|pthread_create|sched_[gs]etaffinity)\s*\(", text)
        return "it calls %s()" % found.group(1) if found else ""


SUITES = {"libc": Libc, "posix": Posix, "openmp": Openmp, "openmp-runtime": OpenmpRuntime}
