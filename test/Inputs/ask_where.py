"""usage: ask_where.py PATTERN... -- COMMAND...   starts the command and sends it SIGQUIT, once it has printed a line, until it has
answered twice and one answer has a line for each pattern, in this order; ends it with SIGTERM"""

import re
import signal
import subprocess
import sys
import tempfile
import time

split = sys.argv.index("--")
patterns, command = sys.argv[1:split], sys.argv[split + 1:]
with tempfile.TemporaryFile("w+") as errors:
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
    process.stdout.readline()
    for turn in range(100):
        process.send_signal(signal.SIGQUIT)
        time.sleep(0.4)  # what comes sooner is taken for the same request
        errors.seek(0)
        text = errors.read()
        if text.count("SIGQUIT") > 1 and re.search(".*?".join(patterns), text, re.DOTALL) or process.poll() is not None:
            break
    running = process.poll() is None
    process.send_signal(signal.SIGTERM)
    status = process.wait(timeout=60)
if not running or status != -signal.SIGTERM or not re.search(".*?".join(patterns), text, re.DOTALL):
    sys.exit("after %d signals %s, status %d:\n%s" % (turn + 1, "running" if running else "ended", status, text))
