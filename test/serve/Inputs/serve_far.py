"""Starts a server that listens for other machines, and prints the address that it has got.

usage: serve_far.py GPUEXEC FOLDER ADDRESS OPTION...

The server lends the emulated device, has its socket and its key in FOLDER (`socket`, `key`), and ends by itself when nobody
has used it for two minutes.
"""

import re
import subprocess
import sys

gpuexec, folder, address = sys.argv[1:4]
socket = "--socket=" + folder + "/socket"
subprocess.run([gpuexec, "serve", "--device=emulator:0", socket, "--listen=" + address, "--key=" + folder + "/key",
                "--idle-exit=120", *sys.argv[4:]], check=True, timeout=60, stdout=subprocess.DEVNULL)
status = subprocess.run([gpuexec, "serve", socket, "--status"], check=True, timeout=60, stdout=subprocess.PIPE, text=True).stdout
found = re.search(r"^listens at (\S+)$", status, re.MULTILINE)
if not found:
    sys.exit("it does not say where it listens: " + status)
print(found.group(1))
