"""compare_characters.py EXPECTED FOUND AGES: the characters of which two files of unicode_classes.c say different things.

Those that Unicode 15.0 has added, by AGES (its DerivedAge.txt), are counted apart.
"""

import sys

SIZE = 8  # of what a file says of a character


def added(version, ages):
    with open(ages, encoding="utf-8") as file:
        for line in file:
            characters, _, age = line.split("#")[0].partition(";")
            if age.strip() == version:
                first, _, last = characters.strip().partition("..")
                yield from range(int(first, 16), int(last or first, 16) + 1)


expected, found = (open(name, "rb").read() for name in sys.argv[1:3])
if len(expected) != len(found) or len(found) % SIZE:
    sys.exit(f"{len(expected)} bytes expected, {len(found)} found")
new = set(added("15.0", sys.argv[3]))
others = [at // SIZE for at in range(0, len(found), SIZE) if expected[at:at + SIZE] != found[at:at + SIZE] and at // SIZE not in new]
print(f"{len(found) // SIZE} characters, {len(new)} of them new in Unicode 15.0; others that differ: {len(others)}")
print(" ".join(map(hex, others[:100])))
