"""Reads the descriptions of projects: one file of TOML each, in descriptions/.

  package   Debian's source package (default: the file's name)
  suite     the release of Debian whose source it is (default: bookworm)
  build     shell commands, run in a copy of the source tree. They find in the environment: CC, CFLAGS, LDFLAGS, AR, RANLIB;
            HOST, configure's option for the target (empty for the host); CMAKE_OPTIONS; TARGET (native, gfx942, sm_90);
            JOBS
  way       how it is built: configure, CMake, make, or source list (the compiler is called with a list of sources)
  programs  the programs that the build makes, as paths in the tree; the session calls them by their base names
  inputs    paths in the source tree that the session finds in its folder, by their base names; wildcards are expanded
  session   shell commands; what they print and their exit status must be the same on the device
  limit     seconds that the session may take on a device (default 60)
  options   options of gpuexec for every program of the session
  quick     true when the project is one of ./check's
  note      one line for the table

and needs = [...]: names of projects whose `keeps` the build finds in $DEPS/NAME. `keeps` lists files and folders (wildcards)
that the build of another project needs, such as headers and libraries.
"""

import dataclasses
import pathlib
import tomllib

WAYS = ("configure", "CMake", "make", "source list")
FOLDER = pathlib.Path(__file__).resolve().parent / "descriptions"


class Problem(Exception):
    """A reason, in one line, why a step of a project failed."""


@dataclasses.dataclass(frozen=True)
class Description:
    name: str
    build: str
    way: str
    programs: tuple = ()
    session: str = ""
    package: str = ""
    suite: str = "bookworm"
    inputs: tuple = ()
    limit: int = 60
    options: tuple = ()
    quick: bool = False
    note: str = ""
    needs: tuple = ()
    keeps: tuple = ()


def read(path):
    """The description in a file. A key that does not exist is a ValueError that names the file."""
    values = tomllib.loads(path.read_text())
    known = {field.name: field for field in dataclasses.fields(Description)}
    unknown = set(values) - set(known)
    if unknown or "build" not in values:
        raise ValueError("%s: %s" % (path, "unknown key '%s'" % min(unknown) if unknown else "has no 'build'"))
    if values.get("way") not in WAYS:
        raise ValueError("%s: way is '%s', not one of: %s" % (path, values.get("way", ""), ", ".join(WAYS)))
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return Description(**{"name": path.stem, "package": path.stem, **values})


def read_all(folder):
    """name -> Description, in the order of the names."""
    return {path.stem: read(path) for path in sorted(folder.glob("*.toml"))}


def with_needs(project, known):
    """What a project needs, also indirectly, and then the project itself: each once, in the order of the builds. known is read_all's."""
    found = {}
    for name in project.needs:
        found.update((needed.name, needed) for needed in with_needs(known[name], known))
    return [*found.values(), project]
