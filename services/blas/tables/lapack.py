#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the code of each function of LAPACK, from lapack.txt: usage: lapack.py FUNCTIONS header|device|host|kinds

  header   lapacke.h: prototypes of LAPACKE's functions and of those by Fortran's names
  device   for device programs, of each function: one that checks the arguments and sends them to the host, and the two names for it
  kinds    for the fuzzer, of each function a letter for each word of a request: services/blas/fuzz/blas_fuzzer.c
  host     for each function, what the host does with a request: checks it again (it comes from the device), looks up the memory
           that the arrays take, and calls the host's library by Fortran's name
"""

import re

import table

REALS = {"s": "float", "d": "double", "c": "float", "z": "double"}
ELEMENTS = {"s": "float", "d": "double", "c": "lapack_complex_float", "z": "lapack_complex_double"}
SIZES = {"s": 4, "d": 8, "c": 8, "z": 16}


class Parameter:
    """One argument in Fortran's order. `kind`: letter, int, number, array, matrix, work, length (of a workspace), extra (LAPACKE's own
    array) or limit (no argument: a number that must be below 2^31). `type`: T, R, i, p or q. `count`: of an array, its elements.
    `check`: what must be true of the argument."""

    def __init__(self, name, kind, type="", count="", writes=False, check="", letters="", rows="", columns="", source=""):
        self.name, self.kind, self.type, self.count, self.writes, self.check = name, kind, type, count, writes, check
        self.letters, self.rows, self.columns, self.source = letters, rows, columns, source


def expression(text):
    """A dimension as an expression of C."""
    text = re.sub(r"S\((\w+),(\w+),(\w+)\)", r"(\1 == 'L' ? \2 : \3)", text)
    return re.sub(r"\b(min|max)\(", r"lapack_\1(", text)


class Function:
    def __init__(self, pattern, letter, arguments, result):
        self.name = pattern.replace("?", letter)
        self.letter, self.is_complex = letter, letter in "cz"
        self.result = {"": "", "R": REALS[letter], "void": "void"}[result]
        self.parameters = []
        for argument in arguments:
            self.add(argument)

    def type(self, letter):
        return {"T": ELEMENTS[self.letter], "R": REALS[self.letter]}.get(letter, "int")

    def size(self, letter):
        return {"T": SIZES[self.letter], "R": 8 if REALS[self.letter] == "double" else 4}.get(letter, 4)

    def add(self, argument):
        writes, text = argument.startswith("*"), argument.lstrip("*")
        add = self.parameters.append
        text, _, condition = text.partition("?(") if re.search(r"(\w|:\w)\?\(", text) and not re.search(r"[\[~]", text) else (text, "", "")
        check = "(%s)" % expression(condition[:-1]) if condition else ""
        if match := re.fullmatch(r"!\((.+)\)", text):
            add(Parameter("", "limit", count=expression(match[1])))
        elif match := re.fullmatch(r"\^(\w+)\((.+)\)=(\w+)", text):
            add(Parameter(match[1], "extra", "R", expression(match[2]), True, source=match[3]))
        elif match := re.fullmatch(r"(\w+)=([A-Z0-9]+)(?:/([A-Z0-9]+))?|(\w+)=\*", text):
            letters = match[3] if match[3] and self.is_complex else match[2] or ""
            name = match[1] or match[4]
            add(Parameter(name, "letter", letters=letters, check=" && ".join(filter(None, [letters and 'lapack_is_one_of(%s, "%s")' % (name, letters), check]))))
        elif match := re.fullmatch(r"(\w+)~(\w)(>=)?\((.+)\)", text):
            add(Parameter(match[1], "work", match[2], expression(match[4]), True))
            if match[3]:
                add(Parameter("l" + match[1], "length", "i", source=match[1],
                              check="l{0} == -1 || l{0} >= lapack_max(1, {1})".format(match[1], expression(match[4]))))
        elif match := re.fullmatch(r"(\w+)\[(.+)\]", text):
            rows, columns = split(match[2])
            name, step = match[1].lower(), "ld" + match[1].lower()
            add(Parameter(name, "matrix", "T", writes=writes, rows=expression(rows), columns=expression(columns)))
            add(Parameter(step, "int", "i", check="lapack_is_step(order, %s, %s, %s)" % (step, expression(rows), expression(columns))))
        elif match := re.fullmatch(r"(\w+)\((.+)\):(\w)", text):
            add(Parameter(match[1], "array", match[3], expression(match[2]), writes))
        elif match := re.fullmatch(r"(\w+):([TRi])", text):
            add(Parameter(match[1], "int" if match[2] == "i" else "number", match[2], check=check))
        elif condition:
            add(Parameter(text, "int", "i", check=check))
        elif match := re.fullmatch(r"(\w+)([<>]=)(.+)", text):
            add(Parameter(match[1], "int", "i", check="%s >= 0 && %s %s %s" % (match[1], match[1], match[2], expression(match[3]))))
        elif re.fullmatch(r"\w+", text):
            add(Parameter(text, "int", "i", check=text + " >= 0"))
        else:
            raise SystemExit("%s: what is '%s'?" % (self.name, argument))

    def has_order(self):
        """LAPACKE's functions without matrices take no order."""
        return any(p.kind == "matrix" for p in self.parameters)

    def has_info(self):
        return not self.result

    def given(self):
        """What LAPACKE's function takes: no workspace."""
        return [p for p in self.parameters if p.kind not in ("work", "length", "limit")]

    def parts(self, parameter):
        """Words of a request that the argument takes: a complex number takes two."""
        return 2 if parameter.kind == "number" and parameter.type == "T" and self.is_complex else 1

    def words(self):
        """Each argument of LAPACKE's with its first word of a request. The order and the query come before them."""
        at = 2
        for parameter in self.given():
            yield parameter, at
            at += self.parts(parameter)

    def fortran(self):
        return [p for p in self.parameters if p.kind not in ("extra", "limit")]

    def declare(self, parameter):
        """A parameter of a function that takes numbers by value."""
        if parameter.kind in ("array", "matrix", "work", "extra"):
            return "%s%s *%s" % ("" if parameter.writes else "const ", self.type(parameter.type), parameter.name)
        return "%s %s" % ("char" if parameter.kind == "letter" else self.type(parameter.type), parameter.name)

    def declare_address(self, parameter):
        """The same where all are passed by address."""
        if parameter.kind in ("array", "matrix", "work"):
            return self.declare(parameter)
        return "const %s *%s_" % ("char" if parameter.kind == "letter" else self.type(parameter.type), parameter.name)

    def lapacke_prototype(self):
        return "%s LAPACKE_%s(%s)" % (self.result if self.result not in ("", "void") else "lapack_int", self.name,
                                      ", ".join(["int matrix_layout"] * self.has_order() + [self.declare(p) for p in self.given()]))

    def fortran_prototype(self):
        return "%s %s_(%s)" % (self.result or "void", self.name,
                               ", ".join([self.declare_address(p) for p in self.fortran()] + (["int *info"] if self.has_info() else [])))

    def core_prototype(self):
        """What both names call. `wrong` becomes the place of a wrong argument among Fortran's."""
        return "static %s core_%s(%s)" % ("int" if self.result in ("", "void") else self.result, self.name,
                                          ", ".join(["int order, int *wrong"] + [self.declare(p) for p in self.parameters if p.kind != "limit"]))


def split(text):
    """'rows,columns', at the comma that stands in no parentheses."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            return text[:place], text[place + 1:]
    raise SystemExit("no columns in '%s'" % text)


HEADER = """// lapacke.h for device programs, generated from services/blas/tables/lapack.txt: solvers, factorisations, eigenvalues and singular values by the library
// of the host, on the program's own memory. Link with -llapacke, or -llapack for Fortran's names.
#ifndef LAPACKE_H
#define LAPACKE_H

#include <stdint.h>

#define lapack_int int32_t
#define lapack_logical int32_t
#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#define lapack_make_complex_float(re, im) __builtin_complex((float)(re), (float)(im))
#define lapack_make_complex_double(re, im) __builtin_complex((double)(re), (double)(im))
#define LAPACK_ROW_MAJOR 101
#define LAPACK_COL_MAJOR 102
#define LAPACK_WORK_MEMORY_ERROR -1010
#define LAPACK_TRANSPOSE_MEMORY_ERROR -1011

#ifdef __cplusplus
extern "C" {
#endif

/* Called for a wrong argument: `info` is its number, from 1, negative. The library's prints it; a program may have its own. */
void LAPACKE_xerbla(const char *name, lapack_int info);
float LAPACKE_slamch(char cmach);
double LAPACKE_dlamch(char cmach);
float slamch_(const char *cmach);
double dlamch_(const char *cmach);

"""


def write_header(functions):
    print(HEADER)
    for function in functions:
        print("%s;\n%s;\n#define LAPACK_%s %s_" % (function.lapacke_prototype(), function.fortran_prototype(), function.name, function.name))
    print("\n#ifdef __cplusplus\n}\n#endif\n\n#endif")


def places(function):
    """Each parameter with its number among Fortran's."""
    return {parameter.name: place for place, parameter in enumerate(function.fortran(), 1)}


def in_wide(function, text):
    """The expression with dimensions in 64 bits."""
    names = {p.name for p in function.parameters if p.kind in ("int", "length")}
    return re.sub(r"\b[a-z]\w*\b", lambda match: "(int64_t)" + match[0] if match[0] in names else match[0], text)


def write_device(functions):
    print('#include "lapacke.h"\n#include "services/blas/device/lapack.h"\n')
    for number, function in enumerate(functions):
        write_core(function, number)
        write_lapacke(function)
        write_fortran(function)


def write_core(function, number):
    place = places(function)
    lengths = [p for p in function.parameters if p.kind == "length"]
    print(function.core_prototype() + " {")
    for parameter in function.parameters:
        if parameter.kind == "letter":
            print("  %s = lapack_upper(%s);" % (parameter.name, parameter.name))
    for parameter in function.parameters:
        if parameter.check:
            print("  if (!(%s)) {\n    *wrong = %d;\n    return 0;\n  }" % (in_wide(function, parameter.check), place[parameter.name]))
    query = " || ".join("%s == -1" % p.name for p in lengths) or "0"
    print("  const int query = %s;" % query)
    print("  blas_call call;\n  blas_begin(&call, BLAS_LAPACK | %d);\n  blas_put(&call, (uint64_t)order);\n  blas_put(&call, (uint64_t)query);" % number)
    for parameter in function.given():
        if parameter.kind == "letter":
            print("  blas_put(&call, (uint64_t)(unsigned char)%s);" % parameter.name)
        elif parameter.kind == "int":
            print("  blas_put(&call, (uint64_t)(int64_t)%s);" % parameter.name)
        elif parameter.kind == "number":
            print("  blas_put_numbers(&call, &%s, %d, %d);" % (parameter.name, function.parts(parameter), function.size("R")))
        else:
            if parameter.kind == "matrix":
                count = "matrix_elements(order, %s, %s, ld%s)" % (in_wide(function, parameter.rows), in_wide(function, parameter.columns), parameter.name)
            else:
                count = "lapack_count(%s)" % in_wide(function, parameter.count)
            print("  blas_put_array(&call, (void *)%s, query%s ? 0 : %s * %d, %d);" %
                  (parameter.name, " || !" + parameter.name if parameter.kind == "extra" else "", count, function.size(parameter.type), parameter.writes))
    print("  blas_end(&call);")
    for slot, length in enumerate(lengths, 1):
        print("  if (%s)\n    %s[0] = (%s)lapack_length(&call, %d);" % (length.source, length.source, function.type(next(
            p.type for p in function.parameters if p.name == length.source)), slot))
    if function.result not in ("", "void"):
        print("  %s result;\n  blas_take(&call, &result, sizeof result);\n  return result;\n}" % function.result)
    else:
        print("  return (int)call.result[0];\n}")


def write_lapacke(function):
    arguments = []
    for parameter in function.parameters:
        if parameter.kind == "work":
            arguments.append("0")
        elif parameter.kind == "length":
            arguments.append("INT32_MAX")
        elif parameter.kind != "limit":
            arguments.append(parameter.name)
    result = "int" if function.result in ("", "void") else function.result
    print("WEAK %s {" % function.lapacke_prototype())
    order, before = ("matrix_layout", 1) if function.has_order() else ("102", 0)
    if function.has_order():
        print('  if (matrix_layout != 101 && matrix_layout != 102) {\n    LAPACKE_xerbla("LAPACKE_%s", -1);\n    return -1;\n  }' % function.name)
    print("  int wrong = 0;\n  const %s result = core_%s(%s, &wrong, %s);" % (result, function.name, order, ", ".join(arguments)))
    shifted = " < 0 ? result - %d : result" % before if function.has_info() and before else ""
    print('  if (!wrong)\n    return result%s;\n  LAPACKE_xerbla("LAPACKE_%s", -wrong - %d);\n  return (%s)(-wrong - %d);\n}' % (shifted, function.name, before, result, before))


def write_fortran(function):
    arguments = []
    for parameter in function.parameters:
        if parameter.kind == "limit":
            continue
        arguments.append("0" if parameter.kind == "extra" else parameter.name if parameter.kind in ("array", "matrix", "work") else "*%s_" % parameter.name)
    call = "core_%s(102, &wrong, %s)" % (function.name, ", ".join(arguments))
    print("WEAK %s {\n  int wrong = 0;" % function.fortran_prototype())
    name = function.name.upper().ljust(6)
    if function.has_info():
        print('  const int result = %s;\n  *info = wrong ? -wrong : result;\n  if (wrong)\n    blas_wrong_fortran("%s", wrong);\n}' % (call, name))
    elif function.result == "void":
        print("  %s;\n}" % call)
    else:
        print("  return %s;\n}" % call)


def write_host(functions):
    for function in functions:
        write_serve(function)
    print("const blas_function lapack_functions[] = {")
    print(",\n".join('    {"%s_", serve_%s, 0}' % (function.name, function.name) for function in functions) + "};")
    print("const unsigned lapack_function_count = %d;" % len(functions))


# What cuSOLVER has: services/blas/cuda/cusolver.c. Without the type's letter.
ON_GPU = ("gesv", "getrf", "getrs", "posv", "potrf", "potrs", "geqrf", "syev", "syevd", "heev", "heevd", "gesvd")


def write_call_on_gpu(function):
    arguments = ", ".join(table.blas_argument(parameter, ["letter", "int"], ["array", "matrix", "extra"]) for parameter in function.given())
    print('  if (r->on_device)\n    return lapack_on_gpu(r, "%s", \'%s\', (blas_argument[]){%s});' % (function.name[1:], function.letter, arguments))


def write_serve(function):
    print("static int serve_%s(request *r, void *library) {" % function.name)
    if function.name[1:] not in ON_GPU:
        print("  if (r->on_device)\n    return ENOTSUP;")
    print("  const int order = (int)r->words[0], query = (int)r->words[1];")
    for parameter, at in function.words():
        if parameter.kind == "letter":
            print("  const char %s = (char)r->words[%d];" % (parameter.name, at))
        elif parameter.kind == "int":
            print("  %sint %s = (int)r->words[%d];" % ("" if parameter.name.startswith("ld") else "const ", parameter.name, at))
        elif parameter.kind == "number":
            parts = function.parts(parameter)
            print("  %s %s%s;" % (REALS[function.letter], parameter.name, "[2]" if parts == 2 else ""))
            for part in range(parts):
                print("  memcpy(&%s%s, &r->words[%d], %d);" % (parameter.name, "[%d]" % part if parts == 2 else "", at + part, function.size("R")))
    count = 2 + sum(map(function.parts, function.given()))
    checks = [in_wide(function, p.check) for p in function.given() if p.check]
    # Only Fortran's programs ask for lengths, and only where there are some.
    queries = "(query && order != 102)" if any(p.kind == "length" for p in function.parameters) else "query"
    print("  if (r->count != %d || order < 101 || order > 102 || %s%s)\n    return EINVAL;" % (count, queries, "".join(" || !(%s)" % check for check in checks)))
    print("  if (r->on_device && query)\n    return ENOTSUP;")
    write_arrays(function)
    write_call(function)
    print("}")


def write_arrays(function):
    for parameter, at in function.words():
        size = function.size(parameter.type)
        if parameter.kind == "matrix":
            print("  void *%s = query ? NULL : get_matrix(r, r->words[%d], order, lapack_count(%s), lapack_count(%s), &ld%s, %d, %d);" %
                  (parameter.name, at, in_wide(function, parameter.rows), in_wide(function, parameter.columns), parameter.name, size, parameter.writes))
        elif parameter.kind == "array" and parameter.type in "pq":
            print("  int *%s = query ? NULL : get_pivots(r, r->words[%d], lapack_count(%s), n, %d);" %
                  (parameter.name, at, in_wide(function, parameter.count), parameter.type == "q"))
        elif parameter.kind in ("array", "extra"):
            print("  void *%s = query%s ? NULL : copy_array(r, r->words[%d], lapack_count(%s), %d, %d);" %
                  (parameter.name, " || !r->words[%d]" % at if parameter.kind == "extra" else "", at, in_wide(function, parameter.count), size, parameter.writes))
    for parameter in function.parameters:
        if parameter.kind == "work":
            has_length = any(p.kind == "length" and p.source == parameter.name for p in function.parameters)
            part = "int" if parameter.type == "i" else REALS[function.letter]
            print("  %s least_%s[2] = {0};\n  void *%s = least_%s;" % (part, parameter.name, parameter.name, parameter.name))
            if has_length:
                print("  int l%s = -1;" % parameter.name)
    write_limits(function)
    print("  if (r->error)\n    return r->error;")
    if function.name[1:] in ON_GPU:
        write_call_on_gpu(function)


def write_limits(function):
    """Functions with workspaces multiply sizes in 32 bits, and write anywhere when that overflows."""
    if not any(p.kind == "length" for p in function.parameters):
        return
    sizes = ["%s > LAPACK_LARGE" % p.name for p in function.given() if p.kind == "int"]
    products = ["%s >= INT32_MAX" % in_wide(function, p.count) for p in function.parameters if p.kind == "limit"]
    print("  if (%s)\n    r->error = EOVERFLOW;" % " || ".join(sizes + products))


def write_call(function):
    types, values, lengths = [], [], 0
    for parameter in function.fortran():
        types.append("const void *")
        lengths += parameter.kind == "letter"
        by_name = parameter.kind in ("array", "matrix", "work") or function.parts(parameter) == 2
        values.append(parameter.name if by_name else "&" + parameter.name)
    if function.has_info():
        types.append("int *")
        values.append("&info")
        print("  int info = 0;")
    types += ["size_t"] * lengths
    values += ["(size_t)1"] * lengths
    result = function.result or "void"
    # A float result is a float where gfortran compiled the library, as in Debian.
    print("  %s (*function)(%s) = (%s (*)(%s))library;" % (result, ", ".join(types), result, ", ".join(types)))
    call = "function(%s);" % ", ".join(values)
    works = [p for p in function.parameters if p.kind == "work"]
    sized = [p for p in function.parameters if p.kind == "length"]
    if sized:
        print("  " + call + " /* how much workspace? */")
        for slot, length in enumerate(sized, 1):
            work = next(p for p in works if p.name == length.source)
            print("  %s = lapack_workspace(r, least_%s[0], %s);\n  r->result[%d] = (uint64_t)%s;" %
                  (length.name, work.name, in_wide(function, work.count), slot, length.name))
        print("  if (r->error)\n    return r->error;")
        print("  if (query) {\n    r->result[0] = (uint64_t)(int64_t)info;\n    return 0;\n  }")
    for work in works:
        length = next((p.name for p in sized if p.source == work.name), None)
        print("  %s = get_workspace(r, lapack_count(%s), %d);" % (work.name, length or in_wide(function, work.count), function.size(work.type)))
    if works:
        print("  if (r->error)\n    return r->error;")
    if result == "void":
        print("  " + call)
    else:
        print("  const %s result = %s\n  memcpy(r->result, &result, sizeof result);" % (result, call))
    for extra in function.parameters:
        if extra.kind == "extra":
            print("  if (%s)\n    memcpy(%s, (%s *)%s + 1, lapack_count(%s) * %d);" %
                  (extra.name, extra.name, REALS[function.letter], extra.source, in_wide(function, extra.count), function.size("R")))
    if function.has_info():
        print("  r->result[0] = (uint64_t)(int64_t)info;")
    print("  return 0;")


def write_kinds(functions):
    for number, function in enumerate(functions):
        kinds = "oq"
        for parameter in function.given():
            kinds += {"letter": "l", "int": "s" if parameter.name.startswith("ld") else "i",
                      "number": "n" * function.parts(parameter)}.get(parameter.kind, "p" if parameter.type in "ipq" else "a")
        print('{BLAS_LAPACK | %d, "%s"},' % (number, kinds))


if __name__ == "__main__":
    table.write(__doc__, Function, {"header": write_header, "device": write_device, "host": write_host, "kinds": write_kinds})
