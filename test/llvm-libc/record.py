#!/usr/bin/env python3
"""Stands in for the loader while LLVM's rules build the tests: writes down how each test is to be run, and succeeds.

usage: record.py [loader options] IMAGE [arguments]

The line that is appended to the file GPUEXEC_TESTS names is a JSON object: `arguments` as they are here, and `environment`, the
variables that are not among the names in GPUEXEC_KNOWN_VARIABLES, separated by spaces.
"""

import fcntl
import json
import os
import sys

known = set(os.environ["GPUEXEC_KNOWN_VARIABLES"].split()) | {"_", "PWD", "OLDPWD", "SHLVL", "LC_CTYPE"}
test = {"arguments": sys.argv[1:], "environment": {name: os.environ[name] for name in os.environ if name not in known}}
with open(os.environ["GPUEXEC_TESTS"], "a") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    file.write(json.dumps(test) + "\n")
