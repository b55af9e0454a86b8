"""Interrupts an ensemble in three ways, looks for what is left, and resumes it: interrupt.py GPUEXEC IMAGE"""

import os
import signal
import subprocess
import sys
import time

gpuexec, image = sys.argv[1:]
COUNT = 40
ENVIRONMENT = dict(os.environ, GPUEXEC_DEVICE="emulator")


def command(log, *options):
    return [gpuexec, "ensemble", "-k", "-j4", "--joblog=" + log, *options, image, "sleep", ":::"] + [str(100 + i) for i in range(COUNT)]


def heed_interrupts():
    """A test runner may have switched SIGINT off for all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def processes():
    """Numbers of the processes whose command line names the image."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                words = open("/proc/%s/cmdline" % entry, "rb").read().split(b"\0")
                state = open("/proc/%s/stat" % entry).read().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            if image.encode() in words and b"ensemble" in words and state != "Z":
                found.append(entry)
    return found


def left(seconds):
    until = time.time() + seconds
    while processes() and time.time() < until:
        time.sleep(0.05)
    return len(processes())


def ended(log):
    return len(open(log).readlines()) - 1 if os.path.exists(log) else 0


for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
    name, log = number.name, "log-" + number.name
    with open("first-" + name, "w") as out:
        running = subprocess.Popen(command(log), stdout=out, stderr=subprocess.DEVNULL, env=ENVIRONMENT, start_new_session=True, preexec_fn=heed_interrupts)
    while ended(log) < 3 and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(number)
    status = running.wait()
    missing = COUNT - ended(log)
    print("%s: ended by signal %d, %d processes left, some of %d missing: %s" % (name, -status, left(5), COUNT, missing > 0), flush=True)
    with open("second-" + name, "w") as out:
        status = subprocess.run(command(log, "--resume"), stdout=out, env=ENVIRONMENT).returncode
    lines = open("first-" + name).read().splitlines() + open("second-" + name).read().splitlines()
    once = sorted(lines) == sorted("[sleep] [%d]" % (100 + i) for i in range(COUNT))
    print("%s: resumed with status %d, all %d outputs once: %s" % (name, status, COUNT, once), flush=True)
