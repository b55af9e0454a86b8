"""Runs a command under ever higher limits of one resource. Below some limit it must fail with status 125 or 126 and one line
that gives the reason; from that limit on it must succeed. (How much memory is enough depends on how threads meet in malloc:
of memory only the highest limit must be enough.)

usage: limited_resources.py descriptors|threads|memory GPUEXEC... IMAGE      (memory: MiB of address space)

The kernel limits the threads of a user, and not root's. Run by root, the command therefore becomes another user, for whom
gpuexec, its libraries and the image are copied to a folder that everybody can read. Others skip the limits of threads.
"""

import contextlib
import glob
import os
import resource
import shutil
import subprocess
import sys
import tempfile

OTHER_USER = 54321  # a number that no account has: no other threads count against the limit


def limit_descriptors(limit):  # applies to files opened later: what is open stays open until exec
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


def limit_threads(limit):
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
    os.setgroups([])
    os.setuid(OTHER_USER)


def limit_memory(limit):
    resource.setrlimit(resource.RLIMIT_AS, (limit << 20, limit << 20))


RESOURCES = {  # name -> function that sets the limit, limits to try, words of which an error has one
    "descriptors": (limit_descriptors, range(4, 40), ["Too many open files"]),
    "threads": (limit_threads, range(0, 12), ["no thread"]),
    "memory": (limit_memory, [*range(20, 600, 45), 4000], ["emory", "no thread", "failed to map"]),
}


@contextlib.contextmanager
def readable_copy(command):
    """The same command, with executable, libraries and image in a folder that every user can read."""
    with tempfile.TemporaryDirectory(prefix="gpuexec-test-", dir="/tmp") as folder:  # lit's own TMPDIR is private
        libraries = os.path.join(folder, "lib", "gpuexec")
        os.makedirs(libraries)
        os.mkdir(os.path.join(folder, "bin"))
        os.chmod(folder, 0o755)
        gpuexec, image = os.path.join(folder, "bin", "gpuexec"), os.path.join(folder, "image")
        shutil.copy(command[0], gpuexec)
        shutil.copy(command[-1], image)
        for library in glob.glob(os.path.join(os.path.dirname(command[0]), "../lib/gpuexec/*.so*")):
            shutil.copy(library, libraries, follow_symlinks=False)
        yield [gpuexec, *command[1:-1], image]


def run_under(set_limit, limit, command):
    # A leak checker wants descriptors and threads of its own.
    environment = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")
    result = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, env=environment,
        preexec_fn=lambda: set_limit(limit),
    )
    return result.returncode, result.stderr.decode("utf-8", "replace")


def check(what, command):
    set_limit, limits, reasons = RESOURCES[what]
    failures, successes = 0, 0
    for limit in limits:
        status, error = run_under(set_limit, limit, command)
        if "loading shared libraries" in error:
            continue  # it never came to its main
        if status == 0 and not error:
            successes += 1
            continue
        failures += 1
        told = "%d %s: status %d: %s" % (limit, what, status, error)
        if successes and (what != "memory" or limit == limits[-1]):
            sys.exit("fails although a lower limit was enough: " + told)
        if status not in (125, 126) or error.count("\n") != 1 or not error.startswith("gpuexec: error: "):
            sys.exit("not status 125 or 126 with one line: " + told)
        if not any(reason in error for reason in reasons):
            sys.exit("no reason given: " + told)
    if not failures or not successes:
        sys.exit("%d failures and %d successes: no limit in %s is the first that is enough" % (failures, successes, limits))
    print("%d %s too few, then enough" % (failures, what))


def main():
    what, command = sys.argv[1], sys.argv[2:]
    if what != "threads":
        check(what, command)
    elif os.getuid():
        print("not root: threads are not limited")
    else:
        with readable_copy(command) as copy:
            check(what, copy)


main()
