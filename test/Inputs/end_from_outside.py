"""Ends an endless program from outside and checks that nothing of it is left.

usage: end_from_outside.py timeout|SIGINT|SIGTERM|SIGHUP LAUNCHER... IMAGE

timeout: the launcher has --timeout 2 among its options and must end with 124 within a second of the limit.
Signals: once the program has printed 'started' the signal is sent; the launcher must be gone within a second, ended by
that signal (or with 128 + its number). Afterwards no process of its group, no shared memory and no temporary file is left.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

how, command = sys.argv[1], sys.argv[2:]
shared_memory = set(os.listdir("/dev/shm"))
with tempfile.TemporaryDirectory() as temporary:
    environment = dict(os.environ, TMPDIR=temporary)
    begin = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True,
        # lit's workers ignore SIGINT and nohup SIGHUP, and what is ignored is inherited.
        preexec_fn=lambda: [signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)],
    )
    line = process.stdout.readline()
    if line != "started\n":
        sys.exit("the program said %r" % line)
    if how == "timeout":
        expected, limit = [124], 3 + begin - time.monotonic()
    else:
        number = getattr(signal, how)
        time.sleep(0.3)
        os.kill(process.pid, number)
        expected, limit = [-number, 128 + number], 1
    # A busy machine may be late; a launcher that hangs is what this catches.
    slack = float(os.environ.get("GPUEXEC_TEST_SLACK", "0")) + os.getloadavg()[0]
    sent = time.monotonic()
    try:
        status = process.wait(timeout=limit + slack)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        sys.exit("still running %.1f s after %s" % (time.monotonic() - sent, how))
    if status not in expected:
        sys.exit("%s: status %d, expected one of %s" % (how, status, expected))
    if how == "timeout" and time.monotonic() - begin < 2:
        sys.exit("ended before its limit")
    try:
        os.killpg(process.pid, 0)
        sys.exit("a process of the launcher's is left")
    except ProcessLookupError:
        pass
    if os.listdir(temporary):
        sys.exit("temporary files left: %s" % os.listdir(temporary))
left = {name for name in set(os.listdir("/dev/shm")) - shared_memory if "gpuexec" in name or "hsa" in name}
if left:
    sys.exit("shared memory left: %s" % left)
print("%s: ended as it should, nothing left" % how)
