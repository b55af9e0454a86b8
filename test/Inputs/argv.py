"""Runs a host and a device program with awkward arguments; their outputs must be the same bytes.

usage: argv.py HOST-PROGRAM LAUNCHER... IMAGE      (the programs print argc and every argument but the first)
"""

import os
import subprocess
import sys

host, device = [sys.argv[1]], sys.argv[2:]
cases = {
    "none": [],
    "empty strings": [b"", b"", b"x", b""],
    "options": [b"--help", b"--threads", b"64", b"--", b"-", b"--timeout=1"],
    "spaces and quotes": [b" ", b"a b", b"'", b'"', b"\\", b"$HOME", b"*", b"\n", b"\t\x01\x7f"],
    "not UTF-8": [bytes(range(1, 256)), b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80"],
    "100 kB": [b"x" * 100_000, bytes(1 + i % 255 for i in range(100_000))],
    "10 000 arguments": [b"%d" % i for i in range(10_000)],
}
for name, arguments in cases.items():
    results = [subprocess.run(p + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) for p in (host, device)]
    if results[0].stdout != results[1].stdout or results[0].returncode != results[1].returncode:
        print("%s: host %d, device %d" % (name, results[0].returncode, results[1].returncode))
        print(results[0].stdout[:500], results[1].stdout[:500], sep="\n")
        sys.exit(1)
    print("%s: %d bytes, the same" % (name, len(results[0].stdout)))
