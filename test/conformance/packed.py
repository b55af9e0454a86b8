#!/usr/bin/env python3
"""Runs images that `conformance.py --pack FOLDER` has made, on a machine that needs nothing but Python and a GPU's driver.

usage: packed.py FOLDER --gpuexec FILE [--device cuda] [--jobs N] [--timeout SECONDS]

Each image passes natively; it runs in an empty folder of its own. Prints what does not end with status 0, with what it said last, as it
happens, and how many pass. The exit status is 1 when one does not, or none ran.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile


def run(arguments, image):
    """"" when the image passes, else how it ended."""
    command = [str(arguments.gpuexec.resolve()), "--device=" + arguments.device, "--timeout=%d" % arguments.timeout, str(image.resolve())]
    with tempfile.TemporaryDirectory(prefix="gpuexec-conformance-") as folder:
        try:  # gpuexec ends by itself at its limit; a driver may hang before
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=arguments.timeout + 30)
        except subprocess.TimeoutExpired:
            return "not finished in time"
    said = [line.strip() for line in done.stdout.decode(errors="replace").splitlines() if line.strip()]
    return "status %d%s" % (done.returncode, ": " + said[-1][:160] if said else "") if done.returncode else ""


def main():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: "):], description=what + "\n\n" + how,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gpuexec", type=pathlib.Path, required=True)
    parser.add_argument("--device", default="cuda", help="as gpuexec's (default: cuda)")
    parser.add_argument("--jobs", type=int, default=4, help="images at a time (default: 4)")
    parser.add_argument("--timeout", type=int, default=60, help="seconds that one may run (default: 60)")
    arguments = parser.parse_args()
    images = sorted(path for path in arguments.folder.iterdir() if path.is_file())
    reasons = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(run, arguments, image): image for image in images}
        for done in concurrent.futures.as_completed(running):
            reasons.append(done.result())
            if reasons[-1]:
                print("%s: %s" % (running[done].name.replace("+", "/"), reasons[-1]), flush=True)
            if len(reasons) % 50 == 0:
                print("%d of %d" % (len(reasons), len(images)), file=sys.stderr, flush=True)
    failed = sum(1 for reason in reasons if reason)
    print("%d images: %d pass, %d fail" % (len(images), len(images) - failed, failed))
    return 1 if failed or not images else 0


if __name__ == "__main__":
    sys.exit(main())
