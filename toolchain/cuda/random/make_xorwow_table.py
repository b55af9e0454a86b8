#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints toolchain/cuda/include/gpuexec/random/xorwow_table.h.

XORWOW's five words are a linear generator over GF(2) with 160 bits of state (Marsaglia, "Xorshift RNGs", 2003). n steps are the polynomial x^n modulo
the generator's characteristic polynomial, applied to the state (Haramoto et al., "Efficient Jump Ahead for F2-Linear Random Number Generators", 2008).
The table has the polynomials for n = digit * 16^place, and the same times 2^67, the distance of two sequences."""

BITS = 160
MASK = 0xFFFFFFFF


def step(v):
    t = v[0] ^ (v[0] >> 2)
    return v[1:] + [(v[4] ^ (v[4] << 4) ^ t ^ (t << 1)) & MASK]


def characteristic_polynomial():
    """Berlekamp and Massey's algorithm on one bit of each state. Bit i of the result is the coefficient of x^i."""
    v, bits = [1, 0, 0, 0, 0], []
    for _ in range(2 * BITS):
        bits.append(v[0] & 1)
        v = step(v)
    connection, previous, length, since = 1, 1, 0, 1
    for n in range(len(bits)):
        if sum(bits[n - i] for i in range(length + 1) if connection >> i & 1) & 1:
            old = connection
            connection ^= previous << since
            if 2 * length <= n:
                length, previous, since = n + 1 - length, old, 1
                continue
        since += 1
    assert length == BITS
    return sum((connection >> (BITS - i) & 1) << i for i in range(BITS + 1))


def multiply(a, b, modulus):
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a >> BITS & 1:
            a ^= modulus
        b >>= 1
    return product


def power(base, exponent, modulus):
    result = 1
    while exponent:
        if exponent & 1:
            result = multiply(result, base, modulus)
        base = multiply(base, base, modulus)
        exponent >>= 1
    return result


def jump(polynomial, v):
    total = [0] * 5
    for i in range(BITS):
        if polynomial >> i & 1:
            total = [a ^ b for a, b in zip(total, v)]
        v = step(v)
    return total


def main():
    modulus = characteristic_polynomial()
    print("""//===-- toolchain/cuda/include/gpuexec/random/xorwow_table.h - Jumps of XORWOW ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Made by toolchain/cuda/random/make_xorwow_table.py, which says what it is.
// Entry [kind][place][digit - 1]: digit * 16^place steps (kind 0), or as many
// times 2^67 (kind 1).
// clang-format off""")
    rows = []
    for kind in (0, 67):
        for place in range(16):
            for digit in range(1, 16):
                p = power(2, digit << (4 * place + kind), modulus)
                rows.append("{" + ",".join("0x%xu" % (p >> 32 * i & MASK) for i in range(5)) + "},")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
