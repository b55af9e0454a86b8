#!/usr/bin/env python3
"""Draws docs/numbers.svg, the chart of the README, from the numbers below: each says where it was measured and by what.

usage: docs/charts.py
"""
import html
import os

# (title, unit, [(label, value, ours)], source)
PANELS = [
    ("An empty program, from the shell to its exit status", "ms",
     [("the driver alone", 265, False), ("gpuexec", 270, True), ("gpuexec, with gpuexec serve", 4, True)],
     "NVIDIA H200, driver 580; bench/startup, bench/serve"),
    ("examples/mandelbrot.c, OpenMP, 4000 x 4000 points", "ms",
     [("16 cores of the host, clang -O3 -fopenmp", 4080, False), ("gpucc -fopenmp, on the GPU", 24, True)],
     "NVIDIA H100 and the processors beside it; bench/parallel"),
]
WIDTH, LEFT, BAR, GAP, RIGHT = 760, 290, 22, 10, 90
OURS, OTHER, TEXT = "#2f7d32", "#9aa0a6", "#333333"


def text(x, y, words, size=13, anchor="start", weight="normal", colour=TEXT):
    return ('<text x="%d" y="%d" font-size="%d" text-anchor="%s" font-weight="%s" fill="%s">%s</text>'
            % (x, y, size, anchor, weight, colour, html.escape(words)))


def panel(y, title, unit, rows, source):
    """The SVG elements of one panel that begins at height y, and the height below it."""
    most = max(value for _, value, _ in rows)
    parts = [text(10, y + 14, title, 14, weight="bold")]
    y += 26
    for label, value, ours in rows:
        width = max(2, round((WIDTH - LEFT - RIGHT) * value / most))
        parts.append(text(LEFT - 8, y + 16, label, anchor="end"))
        parts.append('<rect x="%d" y="%d" width="%d" height="%d" rx="2" fill="%s"/>' % (LEFT, y, width, BAR, OURS if ours else OTHER))
        parts.append(text(LEFT + width + 6, y + 16, "%s %s" % (format(value, ","), unit), weight="bold" if ours else "normal"))
        y += BAR + GAP
    parts.append(text(LEFT, y + 10, source, 11, colour="#777777"))
    return parts, y + 34


def main():
    parts, y = [], 8
    for one in PANELS:
        drawn, y = panel(y, *one)
        parts += drawn
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "numbers.svg")
    with open(path, "w", encoding="utf-8") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif">\n'
                   '<rect width="100%%" height="100%%" fill="#ffffff"/>\n%s\n</svg>\n' % (WIDTH, y, WIDTH, y, "\n".join(parts)))


main()
