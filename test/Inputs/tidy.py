"""Runs clang-tidy, with the checks of .clang-tidy, on the host's C++ sources.

usage: tidy.py ROOT BUILD [--tests] [--recent N]

The sources and their flags come from BUILD/compile_commands.json. Sources in folders named tests, fuzz or bench are left out
without --tests. All of them take a quarter of an hour of processor time. --recent N: only those that the last N commits have
changed, or that are not committed yet; none where there is no git, or it does not know so many commits.

Most of the time goes into parsing headers. Sources of one folder with the same flags are therefore checked together, as one
file that includes up to GROUP of them. A group that does not compile, because names of its sources clash, is halved until it
does.

A source that was clean is checked again only when something has changed: its text, a header of ours that it includes, its
flags, .clang-tidy or this file. BUILD/test/tidy/ has an empty file for each clean state, named for a hash of all that.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TIDY = "clang-tidy-22"
GROUP = 8
TESTS = re.compile(r"/(tests|fuzz|bench)/")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def flags_of(arguments):
    """The flags that change what a source means: no files, no optimisation, no sanitizers."""
    flags = []
    for before, argument, following in zip([""] + arguments, arguments, arguments[1:] + [""]):
        if before == "-Xclang":
            continue  # CMake's precompiled headers
        if argument in ("-isystem", "-include"):
            flags += [argument, following]
        elif re.match(r"-(I|D|U|std=|fno-exceptions|-embed-dir=|m)", argument):
            flags.append(argument)
    return tuple(flags)


class Sources:
    """The host's sources, their flags, and hashes of all that a result depends on."""

    def __init__(self, root, build):
        self.root = root
        self.texts = {}
        self.includes_of = {}  # (path, folders of -I) -> paths
        self.flags = {}
        for entry in json.loads(read(os.path.join(build, "compile_commands.json"))):
            path = entry["file"]
            if path.startswith(root + "/") and not path.startswith(build + "/") and path.endswith(".cpp"):
                self.flags.setdefault(path, flags_of(shlex.split(entry["command"])[1:]))

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = read(path)
        return self.texts[path]

    def includes(self, path, folders):
        key = path, folders
        if key not in self.includes_of:
            names = re.findall(rb'^\s*#\s*include\s*"([^"]+)"', self.text(path), re.M)
            places = [[os.path.join(f, name.decode()) for f in (os.path.dirname(path), *folders)] for name in names]
            found = [next((p for p in candidates if os.path.isfile(p)), None) for candidates in places]
            self.includes_of[key] = [os.path.normpath(p) for p in found if p]
        return self.includes_of[key]

    def state(self, path, version):
        flags = self.flags[path]
        folders = tuple(flag[2:] for flag in flags if flag.startswith("-I"))
        seen, left = {path}, [path]
        while left:
            for header in self.includes(left.pop(), folders):
                if header not in seen:
                    seen.add(header)
                    left.append(header)
        digest = hashlib.sha256(repr((flags, version)).encode())
        for part in [os.path.join(self.root, ".clang-tidy"), __file__, *sorted(seen)]:
            digest.update(part.encode() + b"\0" + self.text(part) + b"\0")
        return digest.hexdigest()

    def groups(self, paths):
        together = {}
        for path in paths:
            together.setdefault((os.path.dirname(path), self.flags[path]), []).append(path)
        return [group[i:i + GROUP] for group in together.values() for i in range(0, len(group), GROUP)]


def run_tidy(source, flags, root, build):
    command = [TIDY, "--quiet", "--exclude-header-filter=^%s/" % re.escape(build), "--checks=-bugprone-suspicious-include",
               "--config-file=" + os.path.join(root, ".clang-tidy"), source, "--", *flags]
    result = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return result.stdout or (result.stderr if result.returncode else "")


def check(group, sources, build):
    """(sources, findings) for each part of a group that compiles."""
    root, flags = sources.root, sources.flags[group[0]]
    if len(group) == 1:
        return [(group, run_tidy(group[0], flags, root, build))]
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as whole:
        whole.writelines('#include "%s"\n' % path for path in group)
        whole.flush()
        findings = run_tidy(whole.name, flags, root, build)
    if "[clang-diagnostic-error" not in findings:
        return [(group, findings)]
    half = len(group) // 2
    return check(group[:half], sources, build) + check(group[half:], sources, build)


def recently_changed(root, count):
    """Paths of the files that the last `count` commits have changed, or that are not committed yet."""
    if not shutil.which("git"):
        return set()
    def git(*arguments):
        result = subprocess.run(["git", "-C", root, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True)
        return [os.path.join(root, name) for name in result.stdout.splitlines()]
    return set(git("diff", "--name-only", "HEAD~%s" % count) + git("ls-files", "--others", "--exclude-standard"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=os.path.realpath)
    parser.add_argument("build", type=os.path.realpath)
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--recent", type=int)
    arguments = parser.parse_args()
    root, build = arguments.root, arguments.build
    version = subprocess.run([TIDY, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    sources = Sources(root, build)
    cache = os.path.join(build, "test", "tidy")
    os.makedirs(cache, exist_ok=True)
    states = {path: os.path.join(cache, sources.state(path, version)) for path in sources.flags
              if arguments.tests or not TESTS.search(path)}
    if arguments.recent is not None:
        recent = recently_changed(root, arguments.recent)
        states = {path: state for path, state in states.items() if path in recent}
    changed = [path for path, state in states.items() if not os.path.exists(state)]
    told = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for results in pool.map(lambda group: check(group, sources, build), sources.groups(changed)):
            for group, findings in results:
                for path in group if not findings else []:
                    open(states[path], "w").close()
                for finding in re.split(r"^(?=/)", findings, flags=re.M):  # each group that includes a header repeats its findings
                    if finding and finding not in told:
                        told.add(finding)
                        print(finding.replace(root + "/", ""), end="")
    print("%d sources, %d of them new or changed" % (len(states), len(changed)))
    sys.exit(1 if told else 0)


main()
