"""Keeps the last row of each project in the cache, so that the page of results can be written without building anything."""

import json
import os
import subprocess
import time


def commit_of(root):
    """The commit that is checked out in a folder, with "+" when files differ from it; "" without git."""
    def git(*arguments):
        try:
            return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True).stdout.strip()
        except FileNotFoundError:  # no test needs git
            return ""
    return git("rev-parse", "--short=8", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def keep(folder, arch, row, commit):
    """Writes a row, with gpuexec's commit, the day and the load of the machine at its end. A project that was skipped says
    nothing new."""
    if row["result"] == "skipped":
        return
    place = folder / arch / (row["project"] + ".json")
    place.parent.mkdir(parents=True, exist_ok=True)
    entry = {**row, "commit": commit, "day": time.strftime("%Y-%m-%d", time.gmtime()), "load": os.getloadavg()[0]}
    new = place.with_suffix(".new")
    new.write_text(json.dumps(entry, indent=1) + "\n")
    os.replace(new, place)


def read(folder, arch, names):
    """The kept rows of these projects, in the order of the names; a project that was never run has none."""
    places = [folder / arch / (name + ".json") for name in names]
    return [json.loads(place.read_text()) for place in places if place.exists()]


def keep_gpu_results(folder, path):
    """Keeps the results of a bundle's run.py."""
    found = json.loads(path.read_text())
    (folder / "gpu").mkdir(parents=True, exist_ok=True)
    for name, result in found["results"].items():
        entry = {"arch": found["arch"], "gpu": result["seconds"], "gpu_reason": result["reason"]}
        (folder / "gpu" / (name + ".json")).write_text(json.dumps(entry) + "\n")


def add_gpu_results(folder, rows):
    """Adds kept results of a GPU to the rows."""
    for row in rows:
        place = folder / "gpu" / (row["project"] + ".json")
        if place.exists():
            row.update(json.loads(place.read_text()))
