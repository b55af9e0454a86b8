#!/usr/bin/env python3
"""Draws docs/numbers.svg, the chart of the README, from the numbers below: each says where it was measured and by what.

usage: docs/charts.py
"""
import html
import os

# (title, unit, [(label, value, ours)], source)
PANELS = [
    ("A program that does nothing, from start to exit, on a GPU (median)", "ms",
     [("on a device of its own", 240, False), ("on one that gpuexec serve keeps open", 3.7, True)],
     "NVIDIA H100, driver 580 (2.1 to 3.7 ms on three machines); bench/serve"),
    ("C with OpenMP: how many times as fast on a GPU as on 16 CPU cores", "x",
     [("breadth-first search", 338, True), ("Monte Carlo", 174, True), ("matrix product", 171, True), ("Mandelbrot set", 163, True),
      ("neutron cross sections", 73, True), ("n-body", 64, True), ("stencil of five points", 33, True), ("k-means", 27, True),
      ("Fourier transform", 12.7, True), ("conjugate gradients, sparse", 9.1, True), ("histogram", 8.9, True), ("merge sort with tasks", 0.6, False)],
     "gpucc -O2 on an H100 beside clang -O2 -fopenmp on its host; bench/parallel"),
]
WIDTH, LEFT, BAR, GAP, RIGHT = 760, 290, 16, 6, 90
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
        parts.append(text(LEFT - 8, y + 13, label, anchor="end"))
        parts.append('<rect x="%d" y="%d" width="%d" height="%d" rx="2" fill="%s"/>' % (LEFT, y, width, BAR, OURS if ours else OTHER))
        parts.append(text(LEFT + width + 6, y + 13, "%s %s" % (format(value, ","), unit), weight="bold" if ours else "normal"))
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
