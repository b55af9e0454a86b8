"""wait_for_status.py GPUEXEC SOCKET TEXT: waits until `gpuexec serve --status` contains the text; status 1 if it does not within 20 s."""

import subprocess
import sys
import time

gpuexec, socket, text = sys.argv[1:]
for _ in range(200):
    status = subprocess.run([gpuexec, "serve", "--socket=" + socket, "--status"], capture_output=True, text=True, timeout=20).stdout
    if text in status:
        sys.exit(0)
    time.sleep(0.1)
sys.exit("not within 20 s: '%s'; the status is:\n%s" % (text, status))
