"""Tries to redirect the report of each option that writes a file. See report-files.test.

usage: report_files.py GPUEXEC, in an empty folder that has move.c as p
"""

import os
import re
import shutil
import stat
import subprocess
import sys

gpuexec = sys.argv[1]
here = os.getcwd()

# Each option belongs to one of these lists. An option that writes a file whose name the user gives is in the first.
WRITES = {"joblog", "junit", "record", "record-standalone", "results", "stats-json", "timings", "trace"}
REFUSED = {"joblog", "record-standalone", "results"}  # where programs may write
WRITES_NO_FILE = {
    "blocks", "blocks-x", "blocks-y", "blocks-z", "check", "color", "compare", "constructors", "device", "dir", "dry-run", "emulator-threads", "ensemble", "env",
    "fault-report", "halt", "heap-size", "help", "input", "isolate", "jobs", "keep-order", "json", "kernel", "list-devices", "no-parallelism", "print-resource-usage", "quiet",
    "record-schedule", "recursion-size", "record-without-environment", "repeat", "replay", "replay-live", "replay-schedule", "rerun", "resume", "resume-failed", "rpc-stats", "sandbox",
    "sandbox-weak", "server", "server-authority", "server-certificate", "server-certificate-key", "server-key", "service",
    "stack-size", "stats", "tag", "threads", "threads-x", "threads-y", "threads-z", "timeout", "until-call", "until-fail", "verbose",
    "version", "workdir",
    "register", "unregister",  # with the kernel: they run no program
    "jit-cache",  # not with --sandbox
}
lines = subprocess.run([gpuexec, "--complete=--"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
options = {re.match("--([a-z-]+)", line).group(1) for line in lines}
assert options == WRITES | WRITES_NO_FILE, "in one list only: %s" % sorted(options ^ (WRITES | WRITES_NO_FILE))

REPORT, FOLDER, OUT, OUTSIDE = "w/sub/report", "w/sub", "out", "out/file"
# What the program does, with absolute names.
WAYS = {
    "removes": ["unlink", REPORT],
    "links": ["unlink", REPORT, "symlink", OUTSIDE, REPORT],
    "moves": ["rename", REPORT, "w/other", "symlink", OUTSIDE, REPORT],
    "replaces the folder": ["unlink", REPORT, "rmdir", FOLDER, "symlink", OUT, FOLDER],
    "moves the folder": ["rename", FOLDER, "w/other", "symlink", OUT, FOLDER],
}


with open("lines", "w") as file:
    file.write("one\n")


def absolute(words):
    return [os.path.join(here, word) if "/" in word or word == OUT else word for word in words]


def begin():
    for folder in ("w", "x", OUT):
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(FOLDER)
    os.makedirs("x")
    os.makedirs(OUT)
    with open(OUTSIDE, "w") as file:
        file.write("precious\n")
    os.chmod(OUTSIDE, 0o644)


def run(options, words):
    command = [gpuexec, "--device=emulator", "--sandbox", "--dir=w:rw"] + options + ["p"] + absolute(words)
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert os.listdir(OUT) == ["file"] and open(OUTSIDE).read() == "precious\n", "written outside: " + result.stdout
    assert stat.S_IMODE(os.stat(OUTSIDE).st_mode) == 0o644, "another mode outside: " + result.stdout
    return result.returncode, result.stdout


def expect(found, status, text):
    assert found[0] == status and text in found[1], "expected %d and %r, found %d and %s" % (status, text, *found)


def attempt(option, way):
    begin()
    report = "--%s=%s" % (option, REPORT)
    if option in REFUSED:
        lines = [] if option == "record-standalone" else ["--ensemble=lines"]
        expect(run([report] + lines, WAYS[way]), 125, "--%s: w/sub/report: is in w, where programs may write" % option)
        assert not os.path.exists(REPORT)
        return
    runs = [] if option == "record" else ["--repeat=2"]
    expect(run([report] + runs, WAYS[way]), 125, "w/sub/report: ")
    found = run([report] + runs, WAYS[way])
    if way == "removes":
        expect(found, 125, "w/sub/report: No such file or directory: the program has removed the report")
    else:
        expect(found, 125, "is a symbolic link in w, where programs may write: give a path without it")


for option in sorted(WRITES):
    for way in WAYS:
        try:
            attempt(option, way)
        except AssertionError as error:
            sys.exit("--%s, a program that %s: %s" % (option, way, error))

# What else may be in the place of a report.
begin()
os.mkfifo(REPORT)
expect(run(["--timings", REPORT], []), 125, "--timings: w/sub/report: is no regular file, in w, where programs may write: name another file")
begin()
with open("x/file", "w") as file:
    file.write("own\n")
run(["--dir=x:rw"], ["link", "x/file", REPORT])
expect(run(["--record", REPORT], []), 125, "--record: w/sub/report: has another name as well, in w, where programs may write: name another file")
assert open("x/file").read() == "own\n"

# Nothing is in the way of a report that stays where it is, of links that the user has made elsewhere, and of descriptors.
begin()
os.symlink("w/sub", "link")
for option in sorted(WRITES - REFUSED):
    expect(run(["--%s=%s" % (option, "link/report")], []), 0, "")
    assert os.path.getsize(REPORT), option
    os.remove(REPORT)
expect(run(["--timings=/dev/stdout"], []), 0, "phases")
expect(run(["--timings=out/../x/report", "--record-standalone=w/../x/alone"], []), 0, "")
assert os.path.getsize("x/report") and os.access("x/alone", os.X_OK)
os.remove("link")
