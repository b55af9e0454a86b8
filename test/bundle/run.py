#!/usr/bin/env python3
"""Runs the bundled tests on the devices of this machine. Needs Python 3 and bash, and for a GPU its driver; nothing else.

usage: ./run.py [--device NAME] [-j N] [--timeout SECONDS] [--recordings FILE] [--keep] [-v] [TEST...]

The last line is 'N passed, N failed, N skipped'; the exit status is non-zero when a test failed.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed

MOST_OUTPUT = 64 * 1024  # characters shown of a failed test without -v
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import gpuexec_lit


def holds(expression, features):
    """Truth of a lit condition such as 'emulator && !gfx90a'."""
    python = re.sub(r"[\w.+-]+", lambda word: str(word.group(0) in features or word.group(0) == "true"), expression)
    return eval(python.replace("&&", " and ").replace("||", " or ").replace("!", " not "))


def expand_if(line, features):
    """Resolves lit's %if CONDITION %{ then %} %else %{ otherwise %}."""
    pattern = r"%if\s+(\S+)\s+%\{(.*?)%\}(?:\s*%else\s*%\{(.*?)%\})?"
    return re.sub(pattern, lambda m: m.group(2) if holds(m.group(1), features) else m.group(3) or "true", line)


def run_test(test, device, arguments):
    """(test, result, output); result is PASS, FAIL or SKIP."""
    features = {"gpuexec", "bundle", "short", device.kind, device.vendor, device.arch}
    if device.kind != "emulator":
        features.add("gpu")
    if all(os.path.exists("/usr/share/zoneinfo/" + name) for name in ("Europe/Berlin", "Universal")):  # some images have a part
        features.add("zone-files")
    for condition in test["requires"]:
        if not holds(condition, features):
            return test["name"], "SKIP", "requires " + condition
    for condition in test["unsupported"]:
        if holds(condition, features):
            return test["name"], "SKIP", "unsupported on " + condition
    steps = test["steps"].get(device.arch)
    if steps is None:
        return test["name"], "SKIP", "no image for %s in the bundle" % device.arch
    temporary = tempfile.mkdtemp(prefix="gpuexec-bundle-")
    launcher = "%s/bin/gpuexec --device=%s" % (HERE, device.name)
    if arguments.recordings:
        launcher = "%s '%s/source/test/Inputs/record_and_replay.py' '--log=%s' %s" % (sys.executable, HERE, arguments.recordings, launcher)
    values = {
        "TMP": os.path.join(temporary, "t"), "BUNDLE": HERE, "GPUEXEC": launcher,
        "RUN": "%s --timeout %d" % (launcher, arguments.timeout), "PYTHON": sys.executable, "ARCH": device.arch,
    }
    script = ["set -o pipefail", "cd " + temporary]
    for step in steps:
        if "files" in step:
            script.append("cp -r '%s/%s/.' '%s'" % (HERE, step["files"], temporary))
        else:
            line = expand_if(step["line"], features)
            line = re.sub(r"@@(\w+)@@", lambda m: values[m.group(1)], line)
            script.append("{ %s\n} || { status=$?; echo \"line failed (status $status): \"%s >&2; exit 1; }" % (line, quote(line)))
    environment = dict(os.environ, PATH=os.path.join(HERE, "tools") + os.pathsep + os.environ.get("PATH", "/usr/bin:/bin"),
                       LC_ALL="C.UTF-8", GPUEXEC_DEVICE=device.name, TMPDIR=temporary, LIT_CURRENT_TESTCASE=test["name"])
    process = subprocess.Popen(["bash", "-c", "\n".join(script)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, env=environment, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=arguments.timeout * (9 if arguments.recordings else 3))
        result = "PASS" if process.returncode == 0 else "FAIL"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        output += b"\n(time limit)"
        result = "FAIL"
    if arguments.keep:
        output += ("\n(files kept in %s)" % temporary).encode()
    else:
        shutil.rmtree(temporary, ignore_errors=True)
    return test["name"], result, output.decode("utf-8", "replace")


def bounded(text):
    """The text, or its beginning and end: differences stay readable, and a program that prints without end ends the log no earlier."""
    left_out = len(text) - MOST_OUTPUT
    if left_out <= 0:
        return text
    return "%s\n(... %d characters left out; -v shows all ...)\n%s" % (text[: MOST_OUTPUT // 2], left_out, text[-MOST_OUTPUT // 2 :])


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def main():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(
        usage=usage[len("usage: ") :], description=what + "\n\n" + how, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", help="as gpuexec's; default: all that gpuexec lists")
    parser.add_argument("-j", dest="jobs", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one program")
    parser.add_argument("--recordings", metavar="FILE", type=os.path.abspath,
                        help="record each run and replay it with both players; what came of each goes to FILE, a line of JSON each")
    parser.add_argument("--keep", action="store_true", help="keep every test's files")
    parser.add_argument("-v", dest="verbose", action="store_true", help="name every test; all output of failed ones")
    parser.add_argument("tests", nargs="*", help="only tests whose name contains one of these")
    arguments = parser.parse_args()
    with open(os.path.join(HERE, "tests.json")) as file:
        tests = json.load(file)
    if arguments.tests:
        tests = [t for t in tests if any(part in t["name"] for part in arguments.tests)]
    gpuexec = os.path.join(HERE, "bin", "gpuexec")
    devices = gpuexec_lit.list_devices(gpuexec)
    if arguments.device:
        devices = [d for d in devices if d.name == arguments.device] or [d for d in devices if d.kind == arguments.device]
    else:  # the emulator's other architectures would only repeat the first
        devices = [d for d in devices if ":" not in d.name or d.kind != "emulator"]
    if not devices:
        sys.exit("no device to test on; gpuexec --list-devices: %s" % (gpuexec_lit.list_devices(gpuexec) or "none"))
    counts = {"PASS": 0, "FAIL": 0, "SKIP": 0}
    for device in devices:
        print("%d tests on %s" % (len(tests), device.description), flush=True)
        with ThreadPoolExecutor(arguments.jobs) as pool:
            runs = [pool.submit(run_test, test, device, arguments) for test in tests]
            for name, result, output in (run.result() for run in as_completed(runs)):
                counts[result] += 1
                if result == "FAIL":
                    print("FAIL: %s on %s\n%s" % (name, device.name, output if arguments.verbose else bounded(output)), flush=True)
                elif arguments.verbose:
                    print("%s: %s %s" % (result, name, output if result == "SKIP" else ""), flush=True)
    print("%d passed, %d failed, %d skipped" % (counts["PASS"], counts["FAIL"], counts["SKIP"]))
    return 1 if counts["FAIL"] or not counts["PASS"] else 0


if __name__ == "__main__":
    sys.exit(main())
