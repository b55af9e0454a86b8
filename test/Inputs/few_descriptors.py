"""Runs a command with ever more file descriptors, from the three standard streams on: it must fail with status 125 or 126 and
one line that gives the reason, until it can do its work; from then on it must succeed.

usage: few_descriptors.py COMMAND...
"""

import resource
import subprocess
import sys


def run(limit):
    return subprocess.run(
        sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)),
    )


failures, successes = 0, 0
for limit in range(4, 40):
    result = run(limit)
    error = result.stderr.decode("utf-8", "replace")
    if b"loading shared libraries" in result.stderr:
        continue  # it never came to its main
    if result.returncode == 0 and not error:
        successes += 1
        continue
    failures += 1
    if successes:
        sys.exit("works with %d descriptors and not with %d: status %d: %s" % (limit - 1, limit, result.returncode, error))
    if result.returncode not in (125, 126) or error.count("\n") != 1 or not error.startswith("gpuexec: error: "):
        sys.exit("%d descriptors: status %d: %s" % (limit, result.returncode, error))
    if "Too many open files" not in error:
        sys.exit("%d descriptors: no reason given: %s" % (limit, error))
if not failures or not successes:
    sys.exit("%d failures and %d successes: this test sees nothing" % (failures, successes))
print("%d descriptors too few, then enough" % failures)
