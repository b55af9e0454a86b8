"""The table of results, as text, Markdown and JSON."""

import json

COLUMNS = ["project", "version", "files", "build native", "build", "run native", "run", "GPU", "result"]


def _seconds(value):
    return "" if value is None else "%.2f" % value if value < 10 else "%.0f" % value


def _cells(row):
    result = row["result"] if not row["reason"] else "%s: %s" % (row["result"], row["reason"])
    numbers = [_seconds(row.get(key)) for key in ("build_native", "build", "run_native", "run", "gpu")]
    if row.get("gpu_reason"):
        numbers[-1] = "failed: " + row["gpu_reason"]
    return [row["project"], row["version"], str(row["files"] or ""), *numbers, result]


def summary(rows):
    """The last line: how many passed, failed, were skipped."""
    counts = {kind: sum(row["result"] == kind for row in rows) for kind in ("passed", "failed", "skipped")}
    return "%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts


def as_text(rows):
    lines = [COLUMNS] + [_cells(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(COLUMNS) - 1)]
    text = ""
    for line in lines:
        columns = [cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))]
        text += "  ".join(columns + [line[-1]]) + "\n"
    return text


def as_markdown(rows):
    def line(cells):
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    text = line(COLUMNS) + "| --- | --- |" + " ---: |" * 6 + " --- |\n"
    return text + "".join(line(_cells(row)) for row in rows)


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
