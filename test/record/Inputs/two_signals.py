"""Records a program that does not end, signals gpuexec twice at once, and looks whether the recording has an end.

usage: two_signals.py GPUEXEC PROGRAM COUNT
"""
import os
import signal
import subprocess
import sys
import time

gpuexec, program, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
for run in range(count):
    command = [gpuexec, "--device=emulator", "--server=off", "--record", "recording", "./" + program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
                          # lit's workers ignore SIGINT, and what is ignored is inherited.
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
        process.stdout.readline()
        # The second one comes while gpuexec ends: a signal that is pending is not sent twice.
        os.kill(process.pid, signal.SIGINT)
        time.sleep(0.0005 * (run % 8))
        os.killpg(process.pid, signal.SIGINT)
        try:
            status = process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            sys.exit("run %d: gpuexec does not end" % run)
    if status != -signal.SIGINT:
        sys.exit("run %d: status %d, not that of SIGINT" % (run, status))
    with open("recording", "rb") as file:
        if b"stopped" not in file.read()[-200:]:
            sys.exit("run %d: the recording has no end" % run)
