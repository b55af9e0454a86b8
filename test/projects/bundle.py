"""Packs what check-projects has built into a folder for a machine with a GPU and without compilers: cd FOLDER && ./run.py"""

import json
import os
import pathlib
import shutil

import process
from description import Problem

HERE = pathlib.Path(__file__).resolve().parent


def _size(folder):
    return sum(path.lstat().st_size for path in pathlib.Path(folder).rglob("*") if path.is_file())


def pack(out, build_folder, arch, built, limit):
    """Writes the bundle `out`, and returns the names that had no room.

    built: (description, folder of the build for arch, the native run) of each project, in the order in which they get room. limit: bytes.
    """
    if out.exists() and any(out.iterdir()) and not (out / "projects.json").exists():
        raise Problem("%s: not empty and not a bundle" % out)
    shutil.rmtree(out, ignore_errors=True)
    (out / "bin").mkdir(parents=True)
    library = pathlib.Path(build_folder) / "lib" / "gpuexec"
    shutil.copy2(pathlib.Path(build_folder) / "bin" / "gpuexec", out / "bin")
    (out / "lib" / "gpuexec").mkdir(parents=True)
    if arch.startswith("gfx"):  # for a look on the emulated device; its JIT would take nearly all the room
        shutil.copy2(library / "libhsa-runtime64.so.1", out / "lib" / "gpuexec", follow_symlinks=True)
    shutil.copytree(library / "services", out / "lib" / "gpuexec" / "services", ignore=shutil.ignore_patterns("*.a"))
    for file in (HERE / "run.py", HERE / "sessions.py", process.__file__):
        shutil.copy2(file, out)
    used, left_out, projects = _size(out), [], []
    for description, folder, native in built:
        size = sum(_size(os.path.join(folder, part)) for part in ("programs", "inputs"))
        if used + size > limit:
            left_out.append(description.name)
            continue
        used += size
        for part in ("programs", "inputs"):
            shutil.copytree(os.path.join(folder, part), out / description.name / part, symlinks=True)
        for key in ("stdout", "stderr"):
            (out / description.name / ("expected." + key)).write_bytes(native[key])
        projects.append({"name": description.name, "session": description.session, "limit": description.limit,
                         "options": description.options, "status": native["status"]})
    (out / "projects.json").write_text(json.dumps({"arch": arch, "projects": projects}, indent=1) + "\n")
    return left_out
