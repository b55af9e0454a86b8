"""Runs a command with ever more of what a system may limit, file descriptors, threads or MiB of memory: it must fail with
status 125 or 126 and one line that gives the reason, until it can do its work; from then on it must succeed. (What memory is
enough hangs on how threads meet in malloc: there, only the last limit must be enough.)

usage: few.py descriptors|threads|memory COMMAND...          (threads: as root, who becomes somebody else)
"""

import os
import resource
import subprocess
import sys

NOBODY = 54321  # nobody has this number, so that its threads are the command's
what, command = sys.argv[1], sys.argv[2:]


def limit_descriptors(limit):  # the files that are open stay open; exec closes all but the standard streams
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


def limit_threads(limit):
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
    os.setgroups([])
    os.setuid(NOBODY)


def limit_memory(limit):
    resource.setrlimit(resource.RLIMIT_AS, (limit << 20, limit << 20))


set_limit, limits, reasons = {
    "descriptors": (limit_descriptors, range(4, 40), ["Too many open files"]),
    "threads": (limit_threads, range(0, 12), ["no thread"]),
    "memory": (limit_memory, [*range(20, 600, 45), 4000], ["emory", "no thread", "failed to map"]),
}[what]

# A leak checker wants descriptors and threads of its own.
environment = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")
failures, successes = 0, 0
for limit in limits:
    result = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, env=environment,
        preexec_fn=lambda: set_limit(limit),
    )
    error = result.stderr.decode("utf-8", "replace")
    if b"loading shared libraries" in result.stderr:
        continue  # it never came to its main
    if result.returncode == 0 and not error:
        successes += 1
        continue
    failures += 1
    if successes and (what != "memory" or limit == limits[-1]):
        sys.exit("works with %d %s and not with %d: status %d: %s" % (limit - 1, what, limit, result.returncode, error))
    if result.returncode not in (125, 126) or error.count("\n") != 1 or not error.startswith("gpuexec: error: "):
        sys.exit("%d %s: status %d: %s" % (limit, what, result.returncode, error))
    if not any(reason in error for reason in reasons):
        sys.exit("%d %s: no reason given: %s" % (limit, what, error))
if not failures or not successes:
    sys.exit("%d failures and %d successes: this test sees nothing" % (failures, successes))
print("%d %s too few, then enough" % (failures, what))
