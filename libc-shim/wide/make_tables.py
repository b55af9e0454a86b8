#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of unicode.h from the Unicode Character Database.

  make_tables.py FOLDER OUTPUT

FOLDER has UnicodeData.txt, DerivedCoreProperties.txt, EastAsianWidth.txt and PropList.txt (Debian: unicode-data). Where
Unicode leaves open what iswpunct(), iswalpha() or wcwidth() say, the rules are those of glibc's locale C.UTF-8.
"""

import os
import sys

LAST = 0x10FFFF
LOW, MIDDLE = 16, 32  # UNICODE_LOW_BITS, UNICODE_MIDDLE_BITS


def lines(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line:
                yield [field.strip() for field in line.split(";")]


def ranges(folder, name):
    """(characters, property) of a file whose lines are "0041..005A ; Property"."""
    for characters, value, *_ in lines(folder, name):
        first, _, last = characters.partition("..")
        yield range(int(first, 16), int(last or first, 16) + 1), value


def sets(folder, name):
    """property -> set of characters"""
    result = {}
    for characters, value in ranges(folder, name):
        result.setdefault(value, set()).update(characters)
    return result


class Character:
    """A line of UnicodeData.txt."""

    def __init__(self, number, fields):
        self.number = number
        self.is_control = fields[1] == "<control>"
        self.category = fields[2]
        self.combining_class = int(fields[3])
        self.no_break = fields[5].startswith("<noBreak>")
        self.decomposition = [] if fields[5].startswith("<") else [int(part, 16) for part in fields[5].split()]
        upper, lower, title = (int(field, 16) if field else number for field in fields[12:15])
        self.upper, self.lower = upper, lower
        self.title = title if fields[14] else upper


def read_characters(folder):
    characters = {}
    first = None
    for fields in lines(folder, "UnicodeData.txt"):
        number = int(fields[0], 16)
        if fields[1].endswith(", First>"):
            first = number
            continue
        for at in range(first if fields[1].endswith(", Last>") else number, number + 1):
            characters[at] = Character(at, fields)
    return characters


def is_zero_width(c, prepended):
    """Takes no column: joins the character before it, or only formats."""
    if c.number == 0xAD or c.number in prepended:  # a soft hyphen; signs that enclose the numbers behind them
        return False
    # Vowels and final consonants of Hangul belong to the syllable before them.
    return c.category in ("Mn", "Me", "Cf") or 0x1160 <= c.number <= 0x11FF or 0xD7B0 <= c.number <= 0xD7FB


def bits_of(c, core, east_asian, prepended):
    """Names of the bits of unicode.h."""
    bits = set()
    is_digit = c.category == "Nd" and c.number > 0x7F  # digits of other scripts count as letters
    if c.number in core["Alphabetic"] or is_digit:
        bits.add("ALPHA")
    if c.upper != c.number or c.number == 0xDF or ("ALPHA" in bits and c.number in core["Lowercase"]):
        bits.add("LOWER")
    if c.lower != c.number or ("ALPHA" in bits and c.number in core["Uppercase"]):
        bits.add("UPPER")
    if 9 <= c.number <= 13 or (c.category in ("Zs", "Zl", "Zp") and not c.no_break):
        bits.add("SPACE")
    if c.number == 9 or (c.category == "Zs" and not c.no_break):
        bits.add("BLANK")
    is_control = c.is_control or c.category in ("Zl", "Zp")
    bits.add("CONTROL" if is_control else "PRINT")
    if c.category in ("Mn", "Mc", "Me"):
        bits.add("COMBINING")
        if c.combining_class < 200:
            bits.add("COMBINING_LEVEL3")
    if not is_control and not is_zero_width(c, prepended):
        # Circled numbers on black squares and hexagrams, which East Asian fonts have wide.
        is_wide = c.number in east_asian or 0x3248 <= c.number <= 0x324F or 0x4DC0 <= c.number <= 0x4DFF
        bits.add("WIDE" if is_wide else "NARROW")
    return bits


# Letters with a stroke, which Unicode does not decompose.
STROKES = dict(zip("ØøŁłĐđĦħŦŧ", "OoLlDdHhTt"))


def plain_letter(characters, number):
    """The code of a letter of ASCII that is left without accents; 0 when there is none."""
    if chr(number) in STROKES:
        return ord(STROKES[chr(number)])
    c = characters.get(number)
    while c and c.decomposition:
        c = characters[c.decomposition[0]]
    return c.number if c and c.number < 0x80 else 0


def properties(folder, characters):
    """For each number the text of its unicode_properties."""
    core = sets(folder, "DerivedCoreProperties.txt")
    widths = sets(folder, "EastAsianWidth.txt")
    east_asian = widths["W"] | widths["F"]
    prepended = sets(folder, "PropList.txt")["Prepended_Concatenation_Mark"]
    for number in range(LAST + 1):
        c = characters.get(number)
        if c is None or c.category == "Cs":
            yield "{0, 0, 0, 0}"
            continue
        bits = sorted(bits_of(c, core, east_asian, prepended))
        yield "{%d, %d, %d, %s}" % (c.upper - number, c.lower - number, c.title - number,
                                    " | ".join("UNICODE_" + bit for bit in bits))


class Numbers(dict):
    """Gives each new key the next number."""

    def __missing__(self, key):
        self[key] = len(self)
        return self[key]


def groups(values, size):
    """The distinct groups of `size` values, and for each group of the list its number."""
    distinct = Numbers()
    numbers = [distinct[tuple(values[at:at + size])] for at in range(0, len(values), size)]
    return [value for group in distinct for value in group], numbers


def write_array(out, kind, name, values):
    out.write(f"const {kind} {name}[] = {{\n")
    for at in range(0, len(values), 16):
        out.write("  " + ", ".join(map(str, values[at:at + 16])) + ",\n")
    out.write("};\n")


def main():
    folder, output = sys.argv[1:]
    records = Numbers()
    characters = read_characters(folder)
    low, numbers = groups([records[text] for text in properties(folder, characters)], LOW)
    middle, top = groups(numbers, MIDDLE)
    if len(records) > 256 or max(top) > 255 or max(middle) > 65535:
        sys.exit("make_tables.py: the tables of unicode.h are too narrow for this version of Unicode")
    with open(output, "w", encoding="utf-8") as out:
        out.write("// Made by libc-shim/wide/make_tables.py.\n#include \"libc-shim/wide/unicode.h\"\n")
        write_array(out, "uint8_t", "__unicode_top", top)
        write_array(out, "uint16_t", "__unicode_middle", middle)
        write_array(out, "uint8_t", "__unicode_low", low)
        write_array(out, "unicode_properties", "__unicode_properties", list(records))
        for name, first, behind in [("latin", 0xC0, 0x250), ("latin2", 0x1E00, 0x1F00)]:
            letters = [plain_letter(characters, number) for number in range(first, behind)]
            write_array(out, "char", f"__unicode_{name}_letters", letters)


main()
