"""isolated.py GPUEXEC IMAGE: looks at the second process of --isolate from outside, and ends either of the two."""

import os
import signal
import subprocess
import sys
import time

gpuexec, image = sys.argv[1:]
for options in ("ASAN_OPTIONS", "TSAN_OPTIONS"):  # the signal that ends a process is not the sanitizers' to report
    os.environ[options] = os.environ.get(options, "") + " handle_segv=0"


def start():
    """gpuexec while its program spins, and the number of its other process."""
    run = subprocess.Popen([gpuexec, "--device=emulator", "--isolate", image, "spin"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdout.readline() == b"spins\n"
    found = set()
    for task in os.listdir("/proc/%d/task" % run.pid):
        found |= set(open("/proc/%d/task/%s/children" % (run.pid, task)).read().split())
    # The demangler's process, which is there for std::terminate() (loader/process/type_names.h), has two pipes and nothing else.
    demanglers = {process for process in found if len(os.listdir("/proc/%s/fd" % process)) == 2}
    assert len(demanglers) == 1 and len(found) == 2, found
    run.demangler = int(demanglers.pop())
    return run, int((found - {str(run.demangler)}).pop())


def is_there(process):
    try:
        return open("/proc/%d/stat" % process).read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def expect(what, condition, *details):
    if not condition:
        sys.exit("%s: %s" % (what, details))


def expect_gone(what, process):
    end = time.time() + 20
    while is_there(process) and time.time() < end:
        time.sleep(0.01)
    expect(what, not is_there(process), process)


run, other = start()
links = {int(fd): os.readlink("/proc/%d/fd/%s" % (other, fd)) for fd in os.listdir("/proc/%d/fd" % other)}
expect("descriptors", set(range(2, 7)) <= set(links), links)
expect("only pipes", all(link.startswith("pipe:") for link in links.values()), links)
expect("environment", b"mine" not in open("/proc/%d/environ" % other, "rb").read())
for task in os.listdir("/proc/%d/task" % other):
    status = open("/proc/%d/task/%s/status" % (other, task)).read()
    expect("seccomp", "Seccomp:\t2\n" in status and "NoNewPrivs:\t1\n" in status, status)
os.kill(other, signal.SIGKILL)
words = run.communicate(timeout=60)[1]
expect_gone("demangler", run.demangler)
expect("killed", run.returncode == 125 and b"the emulator's process was ended by signal 9" in words, run.returncode, words)

run, other = start()
os.kill(other, signal.SIGSEGV)
words = run.communicate(timeout=60)[1]
expect("crashed", run.returncode == 125 and b"signal 11" in words, run.returncode, words)

run, other = start()
run.kill()
run.communicate(timeout=60)
expect_gone("parent killed", other)
expect_gone("parent killed, demangler", run.demangler)

for stopped in (False, True):  # one that does not answer holds nobody up
    run, other = start()
    if stopped:
        os.kill(other, signal.SIGSTOP)
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=60)
    expect("interrupted", run.returncode == -signal.SIGTERM, run.returncode)
    expect_gone("interrupted", other)
