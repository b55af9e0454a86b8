"""The table of results, as text, Markdown and JSON."""

import collections
import json

COLUMNS = ["project", "version", "built by", "files", "build native", "build", "run native", "run", "GPU", "result"]
KINDS = ("passed", "failed", "not possible", "skipped")
PAGE = """# Programs of Debian on the emulated GPU

`ninja -C build check-projects` builds these programs from Debian's source packages, natively with clang-22 -O2 and for a GPU
(%(arch)s) with gpucc -O2, runs the same session with both, and compares what they print and how they end. "built by" says how: by the
program's own configure, CMake files or Makefile, or by calling the compiler with a list of sources. Times are seconds; "build" and
"run" are those of the emulated device; "GPU" is the session on a real one, where it was tried. A program of the compiler
that takes more than %(limit)d s of processor time is ended. Other work ran on the machine at the time (%(days)s; load %(load)s): times are upper bounds. What
each session does is in `test/projects/descriptions/` and, for libraries, `toolchain/port/descriptions/`. `projects.py --kept --page docs/projects.md` writes this page from the
last results. gpuexec's commit, and the rows that it built and ran: %(commits)s. Images of earlier commits ran on the GPU.

"""



def _seconds(value):
    return "" if value is None else "%.2f" % value if value < 10 else "%.0f" % value


def _cells(row):
    result = ": ".join(filter(None, (row["result"], row["reason"]))) + (row.get("note") and "; " + row["note"] or "")
    numbers = [_seconds(row.get(key)) for key in ("build_native", "build", "run_native", "run", "gpu")]
    if row.get("gpu_reason"):
        numbers[-1] = "failed: " + row["gpu_reason"]
    way = row.get("way", "") + (", C++" if row.get("language") == "C++" else "")
    return [row["project"], row["version"], way, str(row["files"] or ""), *numbers, result]


def summary(rows):
    """The last line: how many passed, failed, were skipped."""
    counts = {kind: sum(row["result"] == kind for row in rows) for kind in KINDS}
    return ", ".join("%d %s" % (counts[kind], kind) for kind in KINDS)


def _in_cxx(rows):
    """The sentence that says how many of those that passed are in C++."""
    count = sum(row["result"] == "passed" and row.get("language") == "C++" for row in rows)
    return "" if not count else " %d of those that passed are in C++." % count


def as_text(rows):
    lines = [COLUMNS] + [_cells(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS) - 1)]
    text = ""
    for line in lines:
        columns = [cell.ljust(width) if i < 3 else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))]
        text += "  ".join(columns + [line[-1]]) + "\n"
    return text


def as_markdown(rows):
    def line(cells):
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    text = line(COLUMNS) + "| --- | --- | --- |" + " ---: |" * 6 + " --- |\n"
    return text + "".join(line(_cells(row)) for row in rows)


def _commits(rows):
    """How many rows are of which commit, the most first."""
    counts = collections.Counter(row.get("commit") for row in rows)
    return ", ".join("%s %d" % (commit and "`%s`" % commit or "earlier ones", count) for commit, count in counts.most_common())


def as_page(rows, arch, limit):
    """The table of kept rows as a page of Markdown; limit is the compiler's in seconds."""
    days, loads = sorted({row["day"] for row in rows}), sorted(row["load"] for row in rows)
    facts = {"arch": arch, "limit": limit, "days": " to ".join(dict.fromkeys((days[0], days[-1]))), "load": "%.0f to %.0f" % (loads[0], loads[-1]),
             "commits": _commits(rows)}
    return PAGE % facts + as_markdown(rows) + "\n" + summary(rows) + "." + _in_cxx(rows) + "\n"


def as_json(rows):
    return json.dumps(rows, indent=1) + "\n"


def by_reason(rows):
    """Lines 'N projects: reason (names)' of what failed, the most frequent first; names in quotes do not tell reasons apart."""
    groups = {}
    for row in rows:
        if row["result"] == "failed":
            groups.setdefault(row["reason"], []).append(row["project"])
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return "".join("%d: %s (%s)\n" % (len(names), reason, ", ".join(names)) for reason, names in ordered)
