"""Holds the statistics of `gpuexec blas` to conditions: usage: statistics.py FILE CONDITION...

A condition is an expression of Python's. In it `functions` are those of the file, by name; its other keys are variables.
"""

import json
import sys

with open(sys.argv[1]) as file:
    values = json.load(file)
failed = [condition for condition in sys.argv[2:] if not eval(condition, dict(values))]
if failed:
    sys.exit("\n".join("failed: " + condition for condition in failed) + "\n" + json.dumps(values, indent=1))
