"""What a test of GCC's says of itself in comments: `{ dg-do run { target c++11 } }` and its like.

The words are DejaGnu's and GCC's (doc/sourcebuild.texi in GCC's source): this reads those that decide whether a test runs, how it is
compiled, and how it must end. Which diagnostics and which assembly it expects does not matter here.
"""

import fnmatch
import re
import shlex

STANDARDS = {"c++98": 0, "c++03": 0, "c++0x": 1, "c++11": 1, "c++1y": 2, "c++14": 2, "c++1z": 3, "c++17": 3, "c++2a": 4, "c++20": 4,
             "c++2b": 5, "c++23": 5}
PREFERRED = ("gnu++17", "gnu++14", "gnu++11", "gnu++98", "gnu++20", "gnu++23")  # GCC 12's own default first
HOST = ("x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu")

# Effective targets that hold for a 64-bit Linux PC, which is what the native run is on.
HOLDS = set("""lp64 int32plus size32plus ptr32plus int_eq_float alloca indirect_jumps label_values named_sections weak pthread
 exceptions fpic fopenmp lto trampolines nonlocal_goto signal sync_int_long sync_char_short tls tls_native tls_runtime
 fstack_protector freorder cxx11_abi tbb_backend gthreads gthreads_timed debug_mode atomic_builtins random_device ieee_floats
 std_allocator_new large_long_double long_double_x87 le little_endian wchar_t_char32_t_compatible hosted double64 double64plus
 supports_stack_clash_protection stdint_types inttypes_types mmap run_expensive_tests_absent float64 float32 x86 c++
 """.split())

BEGIN = re.compile(r"\{\s*(dg-[a-z-]+)")


class Unsupported(Exception):
    """The test does not run on this host, and why."""


def words(text):
    """The elements of a list of Tcl's: words, "strings" and {lists}, the last as they are between the braces."""
    found, place = [], 0
    while place < len(text):
        if text[place].isspace():
            place += 1
        elif text[place] == '"':
            end = re.compile(r'"((?:[^"\\]|\\.)*)"').match(text, place)
            found.append(re.sub(r'\\(["\\\[\]$])', r"\1", end[1]))
            place = end.end()
        elif text[place] == "{":
            depth, start = 0, place
            while place < len(text):
                depth += {"{": 1, "}": -1}.get(text[place], 0)
                place += 1
                if not depth:
                    break
            found.append(text[start + 1:place - 1])
        else:
            end = re.compile(r"[^\s{}]+").match(text, place)
            found.append(end[0])
            place = end.end()
    return found


def found_in(text):
    """(name, arguments' text) of each `{ dg-... }` in a source."""
    for begin in BEGIN.finditer(text):
        depth, place, quoted = 1, begin.end(), False
        while depth and place < len(text) and (quoted or text[place] != "\n"):
            character = text[place]
            if character == "\\":
                place += 1
            elif character == '"':
                quoted = not quoted
            elif not quoted:
                depth += {"{": 1, "}": -1}.get(character, 0)
            place += 1
        if not depth:
            yield begin[1], text[begin.end():place - 1]


class Selector:
    """Whether `{ target ... }` holds, for one standard of C++."""

    def __init__(self, standard):
        self._level = STANDARDS[standard.replace("gnu", "c")]

    def holds(self, text):
        """A selector: names beside each other mean any of them; !, && and || as usual."""
        tokens = re.findall(r"\{|\}|&&|\|\||!|[^\s{}!]+", text)
        value = self._any(tokens)
        return value

    def _any(self, tokens):
        value, first = self._all(tokens), True
        while tokens and tokens[0] != "}":
            if tokens[0] == "||":
                tokens.pop(0)
            value = self._all(tokens) or value
        return value

    def _all(self, tokens):
        value = self._one(tokens)
        while tokens and tokens[0] == "&&":
            tokens.pop(0)
            value = self._one(tokens) and value
        return value

    def _one(self, tokens):
        token = tokens.pop(0)
        if token == "!":
            return not self._one(tokens)
        if token == "{":
            value = self._any(tokens)
            tokens.pop(0)
            return value
        return self.target(token)

    def target(self, name):
        """Whether one name holds: a triple's pattern, a standard, an effective target."""
        version = re.fullmatch(r"(c\+\+[0-9a-z]+)(_only|_down)?", name)
        if version and version[1] in STANDARDS:
            level = STANDARDS[version[1]]
            return {"_only": self._level == level, "_down": self._level <= level, None: self._level >= level}[version[2]]
        if "*" in name or name.count("-") >= 2:
            return any(fnmatch.fnmatchcase(host, name) for host in HOST)
        return name in HOLDS


class Test:
    """One test: how to compile it, and how it must end."""

    def __init__(self, name):
        self.name, self.options, self.sources, self.output = name, [], [], []
        self.runs = False
        self.fails = False  # ends with a failed assertion on purpose
        self.levels = None  # the only ones it may be compiled with
        self.debug = False  # only for -D_GLIBCXX_DEBUG
        self.reason = ""  # why it does not run

    def allows(self, level):
        return self.levels is None or level in self.levels

    def is_due(self):
        """False for a test of libstdc++'s debug mode that does not ask for the mode itself: GCC runs those in a run of their own."""
        return not self.debug or any(option.startswith("-D_GLIBCXX_DEBUG") for option in self.options)


def condition(selector, elements):
    """(selected, expected to fail) of the elements of `{ target S xfail S }` or a bare selector."""
    selected, fails = True, False
    for element in elements:
        parts = words(element)
        while parts:
            key = parts.pop(0)
            if key not in ("target", "xfail"):
                selected = selected and selector.holds(element)
                break
            value = []
            while parts and parts[0] not in ("target", "xfail"):
                part = parts.pop(0)
                value.append("{ %s }" % part if re.search(r"\s|!", part) else part)
            if key == "target":
                selected = selected and selector.holds(" ".join(value))
            else:
                fails = fails or selector.holds(" ".join(value))
    return selected, fails


def interpret(name, text, standard, levels, folder_options, runs):
    """A Test for one standard; `levels`: those that the runner compiles with; `runs`: what holds when the test does not say."""
    selector, test = Selector(standard), Test(name)
    test.runs = runs
    options, additional = list(folder_options), []
    for directive, arguments in found_in(text):
        given = words(arguments)
        if directive == "dg-do" and given:
            selected, fails = condition(selector, given[1:])
            if selected:
                test.runs, test.fails = given[0] == "run", fails
            elif given[0] == "run" and not test.runs:
                test.reason = "not for this host: " + " ".join(" ".join(given[1:]).split())
        elif directive == "dg-options" and condition(selector, given[1:])[0]:
            options = shlex.split(given[0])
        elif directive == "dg-additional-options" and condition(selector, given[1:])[0]:
            additional += shlex.split(given[0])
        elif directive == "dg-add-options" and "using-deprecated" in given:
            additional += ["-U_GLIBCXX_USE_DEPRECATED", "-D_GLIBCXX_USE_DEPRECATED=1"]
        elif directive == "dg-additional-sources" and given:
            test.sources += given[0].split()
        elif directive == "dg-require-effective-target" and condition(selector, given[1:])[0]:
            if not selector.target(given[0]):
                test.reason = "needs " + given[0]
        elif directive == "dg-skip-if" and len(given) > 1 and selector.holds(given[1]):
            skip_levels(test, given[2:], levels)
        elif directive == "dg-xfail-run-if" and selector.holds(given[1]) and len(given) < 3:
            test.fails = True
        elif directive == "dg-output" and condition(selector, given[1:])[0]:
            test.output.append(given[0])
        elif directive in ("dg-require-namedlocale", "dg-require-iconv", "dg-require-parallel-mode", "dg-require-profiling",
                           "dg-require-sharedlib", "dg-require-static-libstdcxx"):
            test.reason = "needs " + directive.removeprefix("dg-require-") + "".join(" " + word for word in given if word)
        elif directive == "dg-require-debug-mode":
            test.debug = True
        elif directive in ("dg-error", "dg-excess-errors"):
            test.reason = "must not compile"
    test.options = options + additional
    return test


def skip_levels(test, patterns, levels):
    """dg-skip-if's lists of options: the test is skipped with those of the first that are not among the second."""
    include, exclude = [words(pattern) for pattern in patterns[:2]] + [["*"], [""]][len(patterns[:2]):]

    def matches(level, wanted):
        return any(pattern == "*" or pattern == level for pattern in wanted)

    test.levels = [level for level in levels if not matches(level, include) or matches(level, exclude)]


def read(name, text, levels, folder_options=(), runs=False):
    """The test for the standard that its options name, or the first of PREFERRED with which it runs; `runs`: whether it does if it does
    not say what is to be done with it."""
    tried = []
    for standard in PREFERRED:
        test = interpret(name, text, standard, levels, folder_options, runs)
        named = [option[5:] for option in test.options if option.startswith("-std=")]
        if named:
            return interpret(name, text, named[-1], levels, folder_options, runs)
        test.options.insert(0, "-std=" + standard)
        if test.runs and not test.reason:
            return test
        tried.append(test)
    return tried[0]
