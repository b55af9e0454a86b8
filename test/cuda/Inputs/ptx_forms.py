#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one kernel for each form of an instruction: ptx_forms.py GPUEXEC-PTX FILE. Says which forms fail."""

import itertools
import subprocess
import sys

INTEGERS = "u16 u32 u64 s16 s32 s64".split()
NARROW = "u8 s8".split() + INTEGERS
FLOATS = "f16 f32 f64".split()
HALVES = "f16 f16x2 bf16 bf16x2".split()
BITS = "b16 b32 b64".split()


def register(type_name, number):
    """A register of the type, by number."""
    if type_name == "pred":
        return "%%p%d" % number
    if type_name.endswith("x2"):
        return ("%%rd%d" if type_name == "f32x2" else "%%r%d") % number
    width = type_name.lstrip("abcdefghijklmnopqrstuvwxyz")
    return {"8": "%%h%d", "16": "%%h%d", "32": "%%r%d", "64": "%%rd%d"}[width] % number


def plain(mnemonics, types, operands):
    """`operands` of the type that the mnemonic ends with, and a result."""
    for name, type_name in itertools.product(mnemonics.split(), types):
        registers = ", ".join(register(type_name, n + 1) for n in range(operands + 1))
        yield "%s.%s %s;" % (name, type_name, registers)


def integers():
    yield from plain("add sub mul.lo mul.hi div rem min max", INTEGERS, 2)
    yield from plain("mad.lo mad.hi sad", INTEGERS, 3)
    yield from plain("abs neg", ["s16", "s32", "s64"], 1)
    yield from plain("add.cc addc addc.cc sub.cc subc subc.cc", ["u32", "s32", "u64", "s64"], 2)
    yield from plain("mad.lo.cc mad.hi.cc madc.lo madc.lo.cc madc.hi madc.hi.cc", ["u32", "s32", "u64", "s64"], 3)
    yield from plain("add min max", ["s16x2", "u16x2"], 2)
    yield from plain("min.relu max.relu", ["s16x2", "s32"], 2)
    yield from plain("mul24.lo mul24.hi", ["u32", "s32"], 2)
    for a, b in itertools.product(("u32", "s32"), repeat=2):
        yield "dp4a.%s.%s %%r1, %%r2, %%r3, %%r4;" % (a, b)
        yield "dp2a.lo.%s.%s %%r1, %%r2, %%r3, %%r4;" % (a, b)


def floats():
    yield from plain("add sub mul min max", ["f16", "f16x2", "f32", "f64"], 2)
    yield from plain("add.rn sub.rn mul.rn", HALVES + ["f32", "f32x2", "f64"], 2)
    yield from plain("add.rz sub.rm mul.rp div.rn div.rz div.rm div.rp", ["f32", "f64"], 2)
    yield from plain("fma.rn", HALVES + ["f32", "f32x2", "f64"], 3)
    yield from plain("fma.rz fma.rm fma.rp mad.rn", ["f32", "f64"], 3)
    yield from plain("abs neg", HALVES + ["f32", "f64"], 1)
    yield from plain("min.NaN max.xorsign.abs min.NaN.xorsign.abs", HALVES + ["f32"], 2)
    yield from plain("add.ftz sub.sat mul.ftz.sat min.ftz", ["f16", "f16x2", "f32"], 2)
    yield from plain("fma.rn.ftz fma.rn.sat", ["f16", "f16x2", "f32"], 3)
    yield from plain("fma.rn.relu", HALVES, 3)
    yield from plain("ex2.approx.ftz tanh.approx", HALVES, 1)
    yield from plain("rcp.rn rcp.rz sqrt.rn sqrt.rm rcp.approx.ftz rsqrt.approx rsqrt.approx.ftz", ["f32", "f64"], 1)
    yield from plain("rcp.approx sqrt.approx sqrt.rn.ftz sin.approx cos.approx.ftz lg2.approx ex2.approx tanh.approx", ["f32"], 1)
    yield from plain("div.approx div.full.ftz copysign", ["f32"], 2)


def bits():
    yield from plain("and or xor", BITS + ["pred"], 2)
    yield from plain("not", BITS + ["pred"], 1)
    yield from plain("cnot", BITS, 1)
    for type_name in INTEGERS + BITS:
        for amount in ("%r4", "3"):
            both = (type_name, register(type_name, 1), register(type_name, 2), amount)
            yield "shr.%s %s, %s, %s;" % both
            if type_name in BITS:
                yield "shl.%s %s, %s, %s;" % both
    for type_name in ("u32", "s32", "u64", "s64"):
        a = register(type_name, 2)
        yield "bfe.%s %s, %s, %%r4, 5;" % (type_name, register(type_name, 1), a)
        yield "bfind.%s %%r1, %s;" % (type_name, a)
        yield "bfind.shiftamt.%s %%r1, %s;" % (type_name, a)
    for type_name in ("b32", "b64"):
        d, a, b = (register(type_name, n) for n in (1, 2, 3))
        yield "bfi.%s %s, %s, %s, %%r4, 5;" % (type_name, d, a, b)
        yield "clz.%s %%r1, %s;" % (type_name, a)
        yield "popc.%s %%r1, %s;" % (type_name, a)
        yield "brev.%s %s, %s;" % (type_name, d, a)
    yield "lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x3f, !%p2;"
    yield "fns.b32 %r1, %r2, 0, %r3;"


def comparisons():
    for type_name in INTEGERS + BITS + FLOATS + ["bf16"]:
        a, b = register(type_name, 2), register(type_name, 3)
        names = ["eq", "ne"]
        if type_name not in BITS:
            names += ["lt", "le", "gt", "ge"]
        if type_name in FLOATS:
            names += "equ neu ltu leu gtu geu num nan".split()
        for name in names:
            yield "setp.%s.%s %%p1, %s, %s;" % (name, type_name, a, b)
            yield "setp.%s.xor.%s %%p1|%%p2, %s, %s, !%%p3;" % (name, type_name, a, b)
            yield "set.%s.u32.%s %%r1, %s, %s;" % (name, type_name, a, b)
        yield "selp.%s %s, %s, %s, %%p1;" % (type_name, register(type_name, 1), a, b)
    for type_name in ("f16x2", "bf16x2"):
        yield "setp.lt.%s %%p1|%%p2, %%r2, %%r3;" % type_name
        yield "set.lt.%s.%s %%r1, %%r2, %%r3;" % (type_name, type_name)


def conversions():
    for to, source in itertools.product(NARROW, repeat=2):
        for sat in ("", ".sat"):
            yield "cvt%s.%s.%s %s, %s;" % (sat, to, source, register(to, 1), register(source, 2))
    for whole, real in itertools.product(NARROW, FLOATS + ["bf16"]):
        for rounding in ("rni", "rzi", "rmi.sat"):
            yield "cvt.%s.%s.%s %s, %s;" % (rounding, whole, real, register(whole, 1), register(real, 2))
        for rounding in ("rn", "rz", "rm", "rp"):
            yield "cvt.%s.%s.%s %s, %s;" % (rounding, real, whole, register(real, 1), register(whole, 2))
    for n, to in enumerate(FLOATS):
        for rounding in ("rni", "rzi", "rmi", "rpi"):
            yield "cvt.%s.%s.%s %s, %s;" % (rounding, to, to, register(to, 1), register(to, 2))
        for source in FLOATS[:n]:
            yield "cvt.%s.%s %s, %s;" % (to, source, register(to, 1), register(source, 2))
        for source, rounding in itertools.product(FLOATS[n + 1:], ("rn", "rz", "rm", "rp.sat")):
            yield "cvt.%s.%s.%s %s, %s;" % (rounding, to, source, register(to, 1), register(source, 2))
    for mode in ("rn", "rz", "rn.relu", "rz.relu", "rn.satfinite"):
        for to in ("f16x2", "bf16x2"):
            yield "cvt.%s.%s.f32 %%r1, %%r2, %%r3;" % (mode, to)
        yield "cvt.%s.bf16.f32 %%h1, %%r2;" % mode
        yield "cvt.%s.tf32.f32 %%r1, %%r2;" % mode
    for pair in ("e4m3x2", "e5m2x2"):
        yield "cvt.rn.satfinite.%s.f32 %%h1, %%r2, %%r3;" % pair
        yield "cvt.rn.satfinite.relu.%s.f16x2 %%h1, %%r2;" % pair
        yield "cvt.rn.relu.f16x2.%s %%r1, %%h2;" % pair


def atomics():
    for space in ("", ".global", ".shared", ".shared::cta"):
        at = "[%r9]" if "shared" in space else "[%rd9]"
        rows = [("add min max", ["u32", "s32", "u64"]), ("min max", ["s64"]), ("and or xor exch", ["b32", "b64"]),
                ("add", ["f32", "f64"]), ("add.noftz", HALVES), ("inc dec", ["u32"])]
        for names, types in rows:
            for name, type_name in itertools.product(names.split(), types):
                d, a = register(type_name, 1), register(type_name, 2)
                yield "atom%s.%s.%s %s, %s, %s;" % (space, name, type_name, d, at, a)
                yield "atom.acq_rel.sys%s.%s.%s %s, %s, %s;" % (space, name, type_name, d, at, a)
                if name != "exch":
                    yield "red.relaxed.cta%s.%s.%s %s, %s;" % (space, name, type_name, at, a)
        for type_name in BITS:
            d, a, b = (register(type_name, n) for n in (1, 2, 3))
            yield "atom%s.cas.%s %s, %s, %s, %s;" % (space, type_name, d, at, a, b)
    yield "red.global.add.noftz.v4.bf16x2 [%rd9], {%r1, %r2, %r3, %r4};"


def textures():
    four = "{%r1, %r2, %r3, %r4}"
    for shape, coordinates, gradient in (("1d", "{%r5}", "{%r6}"), ("2d", "{%r5, %r6}", "{%r6, %r7}"), ("3d", "{%r5, %r6, %r7, %r7}", "{%r6, %r7, %r8, %r8}"), ("a1d", "{%r2, %r5}", "{%r6}"), ("a2d", "{%r2, %r5, %r6, %r6}", "{%r6, %r7}"), ("cube", "{%r5, %r6, %r7, %r7}", "{%r6, %r7, %r8, %r8}"), ("acube", "{%r2, %r5, %r6, %r7}", "{%r6, %r7, %r8, %r8}")):
        for type_name in "f32 s32 u32".split():
            yield "tex.%s.v4.%s.f32 %s, [%%rd2, %s]" % (shape, type_name, four, coordinates)
            yield "tex.level.%s.v4.%s.f32 %s, [%%rd2, %s], %%r8" % (shape, type_name, four, coordinates)
            yield "tex.grad.%s.v4.%s.f32 %s, [%%rd2, %s], %s, %s" % (shape, type_name, four, coordinates, gradient, gradient)
        yield "tex.%s.v4.f32.s32 %s, [%%rd2, %s]" % (shape, four, coordinates)
        yield "tex.%s.v4.f32.f32 %s|%%p1, [%%rd2, %s]" % (shape, four, coordinates)
        if "cube" in shape:
            continue
        for outside, type_name in itertools.product("trap clamp zero".split(), BITS[1:]):
            yield "suld.b.%s.%s.%s {%s}, [%%rd2, %s]" % (shape, type_name, outside, register(type_name, 1), coordinates)
            yield "sust.b.%s.%s.%s [%%rd2, %s], {%s}" % (shape, type_name, outside, coordinates, register(type_name, 3))
        yield "suld.b.%s.v4.b8.zero {%%h1, %%h2, %%h3, %%h4}, [%%rd2, %s]" % (shape, coordinates)
        yield "sust.b.%s.v2.b16.clamp [%%rd2, %s], {%%h3, %%h4}" % (shape, coordinates)
        for operation, type_name in (("add", "u32"), ("add", "u64"), ("min", "s32"), ("max", "u32"), ("and", "b32"), ("or", "b32")):
            yield "sured.b.%s.%s.%s.trap [%%rd2, %s], %s" % (operation, shape, type_name, coordinates, register(type_name, 3))
    for channel in "rgba":
        yield "tld4.%s.2d.v4.f32.f32 %s, [%%rd2, {%%r5, %%r6}]" % (channel, four)
    for what in "width height depth num_mipmap_levels array_size normalized_coords".split():
        yield "txq.%s.b32 %%r1, [%%rd2]" % what
    yield from ("txq.level.width.b32 %r1, [%rd2], %r3", "suq.width.b32 %r1, [%rd2]", "suq.height.b32 %r1, [%rd2]")


def videos():
    for name, suffix, sign in itertools.product("vadd vsub vavrg vabsdiff vmin vmax".split(), "24", "us"):
        types = ".%s32.%s32.%s32" % (sign, sign, sign)
        for more in ("", ".sat", ".add"):
            yield "%s%s%s%s %%r1, %%r2, %%r3, %%r4" % (name, suffix, types, more)


def others():
    yield from """bar.sync 0; bar.sync %r1; bar.sync 1, 64; bar.arrive 1, 64; barrier.cta.sync.aligned 0;
        bar.red.popc.u32 %r1, 0, %p1; bar.warp.sync %r1; barrier.cluster.arrive; membar.cta; membar.gl; membar.sys;
        fence.sc.cta; fence.acq_rel.gpu; fence.acq_rel.sys; fence.proxy.alias; activemask.b32 %r1; vote.all.pred %p1, %p2;
        vote.ballot.b32 %r1, %p2; shfl.bfly.b32 %r1, %r2, 1, 31; shfl.up.b32 %r1|%p1, %r2, %r3, %r4;
        elect.sync _|%p1, 0xffffffff; griddepcontrol.wait; match.all.sync.b64 %r1|%p1, %rd2, %r3;
        mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1, %rd2}, {%rd3}, {%rd4}, {%rd5, %rd6};
        mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%r1, %r2, %r3, %r4}, {%r3, %r4, %r5, %r6}, {%r4, %r5},
        {%r5, %r6, %r7, %r8};""".replace("\n", " ").split(";")[:-1]


def kernel(number, form):
    """A kernel whose operands come from memory, so that nothing is a constant."""
    text = ".visible .entry k%d(.param .u64 q) {\n" % number
    text += ".reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<10>; .reg .b64 %rd<10>;\n"
    text += "ld.param.u64 %rd9, [q]; cvt.u32.u64 %r9, %rd9;\n"
    for n in range(2, 9):
        text += "ld.global.u32 %%r%d, [%%rd9+%d]; ld.global.u64 %%rd%d, [%%rd9+%d];\n" % (n, 4 * n, n, 64 + 8 * n)
        text += "ld.global.u16 %%h%d, [%%rd9+%d]; setp.eq.u32 %%p%d, %%r%d, 7;\n" % (n, 256 + 2 * n, n, n)
    text += form.strip().rstrip(";") + ";\nselp.u32 %r5, 1, 2, %p1;\n"
    text += "st.global.u32 [%rd9], %r1; st.global.u64 [%rd9+8], %rd1; st.global.u16 [%rd9+16], %h1;\n"
    return text + "st.global.u32 [%rd9+24], %r5; ret;\n}\n"


def compile_forms(forms):
    """The compiler's message, or None."""
    with open(sys.argv[2] + ".ptx", "w") as file:
        file.write(".version 8.6\n.target sm_90\n.address_size 64\n" + "".join(kernel(n, f) for n, f in enumerate(forms)))
    done = subprocess.run([sys.argv[1], "-O1", "-o", sys.argv[2] + ".co", sys.argv[2] + ".ptx"], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip() or "status %d" % done.returncode


def failures(forms):
    """The forms among these that do not compile, with messages."""
    message = compile_forms(forms)
    if message is None:
        return []
    if len(forms) == 1:
        return [(forms[0].strip(), message)]
    return failures(forms[:len(forms) // 2]) + failures(forms[len(forms) // 2:])


def main():
    forms = list(itertools.chain(integers(), floats(), bits(), comparisons(), conversions(), atomics(), textures(), videos(), others()))
    failed = [one for n in range(0, len(forms), 64) for one in failures(forms[n:n + 64])]
    for form, message in failed:
        print("%s\n  %s" % (form, message))
    if not failed:
        print("every form compiles")
    print("refused: %s" % compile_forms(["tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd2, %rd3, {%r5, %r6}]"]))


main()
