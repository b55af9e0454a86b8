"""Writes a text that resembles a natural one: word frequencies like Zipf's, lines of different lengths. The same seed gives
the same text.

usage: make_text.py BYTES [SEED] > FILE       --lines N writes N short lines instead
"""

import random
import sys


def words_of(random_source):
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    weights = [26 - i for i in range(26)]
    vocabulary = []
    for _ in range(5000):
        word = "".join(random_source.choices(letters, weights, k=random_source.randint(1, 11)))
        vocabulary.append(word if random_source.random() > 0.1 else word.capitalize())
    return vocabulary


def main():
    if sys.argv[1] == "--lines":
        count, seed = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
        source = random.Random(seed)
        sys.stdout.write("".join("%d %x\n" % (source.randrange(10**9), i) for i in range(count)))
        return
    size, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    source = random.Random(seed)
    vocabulary = words_of(source)
    weights = [1 / (i + 3) for i in range(len(vocabulary))]
    # A block of text many times over, each time cut differently, is quick to make and sorts like text.
    words = source.choices(vocabulary, weights, k=120_000)
    written = 0
    while written < size:
        lines, at = [], source.randrange(len(words))
        for _ in range(4000):
            length = source.choice((0, 1, 3, 7, 9, 10, 11, 12, 14, 30))
            lines.append(" ".join(words[at : at + length]) + ("\t" if length == 7 else ""))
            at = (at + length) % len(words)
        text = "\n".join(lines) + "\n"
        text = text[: size - written]
        sys.stdout.write(text)
        written += len(text)


main()
