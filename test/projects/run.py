#!/usr/bin/env python3
"""Runs the projects of this bundle on a device and compares them with their native runs. Needs Python 3 and bash.

usage: ./run.py [--device NAME] [--limit SECONDS] [--results FILE] [PROJECT...]

The results go to results.json, which `projects.py --gpu-results results.json` adds to its table.
"""

import argparse
import json
import pathlib
import sys

import sessions

HERE = pathlib.Path(__file__).resolve().parent


def main():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: ") :], description=what + "\n\n" + how)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--limit", type=int, help="seconds for one session (default: the project's own)")
    parser.add_argument("--results", default="results.json")
    parser.add_argument("projects", nargs="*", help="names; default: all")
    arguments = parser.parse_args()
    bundle = json.loads((HERE / "projects.json").read_text())
    results, failed = {}, 0
    try:
        for project in bundle["projects"]:
            name = project["name"]
            if arguments.projects and name not in arguments.projects:
                continue
            limit = arguments.limit or project["limit"]
            launcher = [str(HERE / "bin" / "gpuexec"), "--device=" + arguments.device, "--timeout=%d" % limit, *project["options"]]
            run = sessions.run_session(project["session"], HERE / name / "programs", HERE / name / "inputs", launcher, limit + 5)
            expected = {"status": project["status"], **{key: (HERE / name / ("expected." + key)).read_bytes() for key in ("stdout", "stderr")}}
            reason = sessions.difference(expected, run, limit)
            failed += bool(reason)
            results[name] = {"seconds": run["seconds"], "reason": reason}
            print("%s: %s: %.2f s%s" % ("FAIL" if reason else "PASS", name, run["seconds"], reason and ": " + reason), flush=True)
    except (sessions.Interrupted, KeyboardInterrupt):
        failed += 1
        print("interrupted", file=sys.stderr)
    pathlib.Path(arguments.results).write_text(json.dumps({"arch": bundle["arch"], "results": results}, indent=1) + "\n")
    print("%d passed, %d failed" % (len(results) - sum(bool(r["reason"]) for r in results.values()), failed))
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
