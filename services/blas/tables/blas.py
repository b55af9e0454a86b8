#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the code of each function of BLAS, from blas.txt: usage: blas.py FUNCTIONS header|device|fortran|host|kinds|here

  header   cblas.h: enumerations and prototypes
  device   a function of CBLAS for device programs: checks the arguments, does what is small itself (device/here/), and sends the rest to
           the host
  fortran  the names that Fortran's programs call, and C programs that declare them (dgemm_), as functions of CBLAS
  kinds    for the fuzzer, of each function a letter for each word of a request: services/blas/fuzz/blas_fuzzer.c
  here     for a test, what the calling thread does: services/blas/device/here/tests
  host     for each function, what the host does with a request: checks it again (it comes from the device), looks up the memory
           that the arrays take, and calls the host's library
"""

import re

import table

TYPES = {"s": ("float", "float"), "d": ("double", "double"), "c": ("void", "float"), "z": ("void", "double")}
SIZES = {"s": 4, "d": 8, "c": 8, "z": 16}
ENUMERATIONS = {"order": "CBLAS_LAYOUT", "side": "CBLAS_SIDE", "uplo": "CBLAS_UPLO", "diag": "CBLAS_DIAG", "trans": "CBLAS_TRANSPOSE",
                "transa": "CBLAS_TRANSPOSE", "transb": "CBLAS_TRANSPOSE"}
CHECKS = {"CBLAS_LAYOUT": "101 || {0} > 102", "CBLAS_TRANSPOSE": "111 || {0} > 113", "CBLAS_UPLO": "121 || {0} > 122",
          "CBLAS_DIAG": "131 || {0} > 132", "CBLAS_SIDE": "141 || {0} > 142"}


# Where matrices are by rows, the reference calls the functions of Fortran with operands in each other's places, and tells cblas_xerbla
# those places. A cblas_xerbla of the program's own knows that.
PLACES_BY_ROWS = {"gemm": ((4, 5), (9, 11)), "symm": ((4, 5),), "hemm": ((4, 5),), "trmm": ((6, 7),), "trsm": ((6, 7),), "gemv": ((3, 4),),
                  "gbmv": ((3, 4), (5, 6)), "ger": ((2, 3), (6, 8)), "geru": ((2, 3), (6, 8)), "gerc": ((2, 3), (6, 8)), "her2": ((6, 8),),
                  "hpr2": ((6, 8),)}


class Parameter:
    """One parameter of the C function. `check`: true of a value that is wrong. `extent`: of an array, its elements; of a vector with an
    increment `elements`, those in use. `rows`, `columns`: of a matrix that is stored whole. `enumeration`: its type, where it is one."""

    def __init__(self, name, declaration, kind, check="", extent="", writes=False, enumeration="", elements=""):
        self.name, self.declaration, self.kind, self.enumeration, self.elements = name, declaration, kind, enumeration, elements
        self.check, self.extent, self.writes = check, extent, writes
        self.rows, self.columns = "", ""
        self.is_real = False  # of an array: its numbers are, of whatever type the function is


def dimension(text):
    """A dimension as an expression of C."""
    text = re.sub(r"L\((\w+),(\w+),(\w+)\)", r"((int)\1 == 111 ? \2 : \3)", text)
    return re.sub(r"S\((\w+),(\w+),(\w+)\)", r"((int)\1 == 141 ? \2 : \3)", text)


class Function:
    def __init__(self, pattern, letter, arguments, result):
        self.pattern, self.letter = pattern, letter
        self.name = "cblas_" + pattern.replace("?", letter)
        self.by_rows = {place: other for pair in PLACES_BY_ROWS.get(pattern[1:], ()) for place, other in (pair, pair[::-1])}
        self.element, self.real = TYPES[letter]
        self.size = SIZES[letter]
        self.is_complex = letter in "cz"
        self.result = {"": "void", "T": self.real, "R": self.real, "double": "double", "index": "size_t"}[result]
        self.complex_result = None
        self.work = ""  # multiplications, of a function that the calling thread may do itself
        self.parameters = []
        for argument in arguments:
            self.add(argument)
        # Level 1 takes any number: nothing is done where n is not positive, and programs use an increment of 0 to fill a vector.
        if self.parameters[0].name != "order":
            for parameter in self.parameters:
                parameter.check = ""

    def array(self, name, extent, writes, elements=""):
        constant = "" if writes else "const "
        self.parameters.append(Parameter(name, "%s%s *%s" % (constant, self.element, name), "array", extent=extent, writes=writes, elements=elements))

    def add(self, argument):
        writes, text = argument.startswith("*"), argument.lstrip("*")
        name, _, refused = text.partition("-")
        if name in ENUMERATIONS:
            kind = ENUMERATIONS[name]
            check = "(int){0} < ".format(name) + CHECKS[kind].format("(int)" + name) + (" || (int)%s == %s" % (name, refused) if refused else "")
            self.parameters.append(Parameter(name, "%s %s" % (kind, name), "int", check, enumeration=kind))
        elif text.startswith("="):
            self.complex_result = text[1:]
            self.parameters.append(Parameter(text[1:], "void *" + text[1:], "result"))
        elif match := re.fullmatch(r"(\w+):([TR])", text):
            by_address = match[2] == "T" and self.is_complex
            self.parameters.append(Parameter(match[1], "const void *" + match[1] if by_address else "%s %s" % (self.real, match[1]),
                                             "complex" if by_address else "real"))
        elif match := re.fullmatch(r"(\w+)!(\d+)(:R)?", text):
            element = self.real if match[3] else self.element
            self.parameters.append(Parameter(match[1], "%s *%s" % (element, match[1]), "array", extent=match[2], writes=True))
            self.parameters[-1].is_real = bool(match[3])
        elif match := re.fullmatch(r"(\w+)\((.+)\)", text):
            increment = "inc" + match[1]
            self.array(match[1], "", writes, dimension(match[2]))
            self.parameters.append(Parameter(increment, "int " + increment, "int", increment + " == 0"))
        elif match := re.fullmatch(r"(\w+)\[band:([\w+]+)\]", text):
            width = "(int64_t)%s + 1" % match[2]
            self.matrix(match[1], "band_elements(%s, %s, ld%s)" % (self.lines(), width, match[1]), width, writes)
        elif match := re.fullmatch(r"(\w+)\[(.+?),([^,()]+|L\(.+\)|S\(.+\))\]", text):
            rows, columns = dimension(match[2]), dimension(match[3])
            self.matrix(match[1], "matrix_elements(order, %s, %s, ld%s)" % (rows, columns, match[1]),
                        "((int)order == 102 ? %s : %s)" % (rows, columns), writes)
            self.parameters[-2].rows, self.parameters[-2].columns = rows, columns
        elif match := re.fullmatch(r"(\w+)\{n\}", text):
            self.array(match[1], "triangle_elements(n)", writes)
        elif re.fullmatch(r"\w+", text):
            self.parameters.append(Parameter(text, "int " + text, "int", text + " < 0"))
        else:
            raise SystemExit("%s: what is '%s'?" % (self.name, argument))

    def element_size(self, parameter):
        return self.size // 2 if parameter.is_real and self.is_complex else self.size

    def lines(self):
        """Of a band matrix: how many rows or columns are stored one behind the other."""
        return "((int)order == 101 ? %s : n)" % ("m" if any(parameter.name == "m" for parameter in self.parameters) else "n")

    def matrix(self, name, extent, least, writes):
        """`least`: what the leading dimension must be."""
        self.array(name, extent, writes)
        self.parameters.append(Parameter("ld" + name, "int ld" + name, "int", "ld%s < %s || ld%s < 1" % (name, least, name)))

    def prototype(self):
        return "%s %s(%s)" % (self.result, self.name, ", ".join(parameter.declaration for parameter in self.parameters))

    def words(self):
        """How many words of a request each parameter takes."""
        return [2 if parameter.kind == "complex" else 0 if parameter.kind == "result" else 1 for parameter in self.parameters]


HEADER = """// cblas.h for device programs, generated from services/blas/tables/blas.txt: linear algebra by the library of the host, on the program's own
// memory. Link with -lcblas.
#ifndef CBLAS_H
#define CBLAS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CBLAS_INDEX size_t
#define CBLAS_INT int
#define CBLAS_IFMT "d"

typedef enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
typedef enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 } CBLAS_TRANSPOSE;
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;
typedef CBLAS_LAYOUT CBLAS_ORDER;
#define CBLAS_ORDER CBLAS_LAYOUT

/* Called for an argument that is wrong: its number, from 1. The library's prints it and ends the program; a program may have its own. */
void cblas_xerbla(int parameter, const char *function, const char *format, ...);

"""


def write_header(functions):
    print(HEADER + "\n".join(function.prototype() + ";" for function in functions) + "\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif")


def write_sending(number, function):
    """What has the host do a call whose arguments are right."""
    print("  blas_call call;\n  blas_begin(&call, %d);" % number)
    for parameter in function.parameters:
        if parameter.kind == "array" and parameter.elements:
            print("  blas_put_vector(&call, (void *)%s, %s, inc%s, %d, %d);" %
                  (parameter.name, parameter.elements, parameter.name, function.size, parameter.writes))
        elif parameter.kind == "array":
            print("  blas_put_array(&call, (void *)%s, (%s) * %d, %d);" % (parameter.name, parameter.extent, function.element_size(parameter), parameter.writes))
        elif parameter.kind == "int":
            print("  blas_put(&call, (uint64_t)(int64_t)(int)%s);" % parameter.name)
        elif parameter.kind != "result":
            print("  blas_put_numbers(&call, %s%s, %d, %d);" % ("&" if parameter.kind == "real" else "", parameter.name,
                                                              2 if parameter.kind == "complex" else 1, 4 if function.real == "float" else 8))
    has_result = function.complex_result or function.result != "void"
    print("  blas_end_soon(&call, %d);" % bool(has_result) if ends_soon(function) else "  blas_end(&call);")
    if function.complex_result:
        print("  blas_take(&call, %s, %d);" % (function.complex_result, function.size))
    elif function.result != "void":
        print("  %s result;\n  blas_take(&call, &result, sizeof result);\n  return result;" % function.result)


def here_work(function):
    """Multiplications of real numbers, as an expression of C."""
    work = re.sub(r"\b([mnk])\b", r"(double)\1", dimension(function.work))
    return "4 * " + work if function.is_complex else work


def here_call(function):
    """What does a small call in the calling thread: a function of device/here/here.h. As an expression of C; a complex result is assigned."""
    element = function.real + " _Complex"
    arguments = ["*(const %s *)%s" % (element, p.name) if p.kind == "complex" else p.name for p in function.parameters if p.kind != "result"]
    call = "here_%s(%s)" % (function.name.removeprefix("cblas_"), ", ".join(arguments))
    return "*(%s *)%s = %s" % (element, function.complex_result, call) if function.complex_result else call


def write_here(function):
    form = "    %s;\n    return;\n  }" if function.result == "void" else "    return %s;\n  }"
    print("  if (blas_is_here(%s)) {\n%s" % (here_work(function), form % here_call(function)))


def write_here_calls(functions):
    """For device/here/tests: each function with the arguments of the layer over cuBLAS. False where there is nothing to be done."""
    for function in functions:
        if not function.work:
            continue
        print("static int call_%s(const blas_argument *a, void *result) {\n  (void)result;" % function.name)
        for place, parameter in enumerate(function.parameters):
            if parameter.kind == "int":
                print("  const int %s = a[%d].integer;" % (parameter.name, place))
            elif parameter.kind == "array":
                print("  %s *%s = (void *)(uintptr_t)a[%d].array;" % (function.element, parameter.name, place))
            elif parameter.kind == "real":
                print("  const %s %s = *(const %s *)a[%d].number;" % (function.real, parameter.name, function.real, place))
            else:
                print("  %svoid *%s = %s;" % (("", parameter.name, "result") if parameter.kind == "result" else ("const ", parameter.name, "a[%d].number" % place)))
        print("  if (!(%s > 0))\n    return 0;" % here_work(function))
        if function.result == "void":
            print("  %s;" % here_call(function))
        else:
            print("  const %s value = %s;\n  memcpy(result, &value, sizeof value);" % (function.result, here_call(function)))
        print("  return 1;\n}")
    print("const here_call here_calls[] = {")
    for function in functions:
        print('    %s,' % ("call_" + function.name if function.work else "NULL"))
    print("};")


def write_device(functions):
    print('#include "cblas.h"\n#include "services/blas/device/call.h"\n#include "services/blas/device/here/here.h"\n')
    for number, function in enumerate(functions):
        by_host = function.prototype().replace(function.name, "by_host_" + function.name)
        print("static inline " + by_host + " {")
        write_sending(number, function)
        print("}\nWEAK " + function.prototype() + " {")
        for place, parameter in enumerate(function.parameters, 1):
            if parameter.check:
                order = "order" if function.parameters[0].name == "order" else "0"
                print('  if (%s) {\n    blas_wrong((int)%s, %d, %d, "%s");\n    return%s;\n  }' %
                      (parameter.check, order, place, function.by_rows.get(place, place), function.name,
                       "" if function.result == "void" else " 0"))
        if function.work:
            write_here(function)
        print("  %sby_host_%s(%s);\n}" % ("" if function.result == "void" else "return ", function.name,
                                         ", ".join(parameter.name for parameter in function.parameters)))
    print("double blas_ddot_by_host(int n, const double *x, int incx, const double *y, int incy) {\n"
          "  return by_host_cblas_ddot(n, x, incx, y, incy);\n}")


LETTERS = {"CBLAS_TRANSPOSE": ("NTC", 111), "CBLAS_UPLO": ("UL", 121), "CBLAS_DIAG": ("NU", 131), "CBLAS_SIDE": ("LR", 141)}


def fortran_parameter(parameter):
    """How a parameter is declared where all are passed by address."""
    if parameter.kind == "int":
        return ("const char *%s_" if parameter.enumeration else "const int *%s_") % parameter.name
    return re.sub(r"(\w+)$", r"*\1_", parameter.declaration) if parameter.kind == "real" else parameter.declaration


def write_fortran(functions):
    """Results are returned as gfortran returns them: a complex one by value. Hidden lengths of letters are not looked at."""
    print('#include "cblas.h"\n#include "services/blas/device/call.h"\n#include "services/blas/device/fortran.h"\n')
    for function in functions:
        parameters = [parameter for parameter in function.parameters if parameter.kind != "result" and parameter.name != "order"]
        name = function.name.removeprefix("cblas_").removesuffix("_sub")
        result = function.real + " _Complex" if function.complex_result else {"size_t": "int"}.get(function.result, function.result)
        print("WEAK %s %s_(%s) {" % (result, name, ", ".join(fortran_parameter(parameter) for parameter in parameters)))
        if function.parameters[0].name == "order":
            print("  const int order = CblasColMajor;\n  (void)order;")
        for parameter in parameters:
            if parameter.enumeration:
                print('  const int %s = blas_letter(*%s_, "%s", %d);' % (parameter.name, parameter.name, *LETTERS[parameter.enumeration]))
            elif parameter.kind in ("int", "real"):
                print("  const %s %s = *%s_;" % ("int" if parameter.kind == "int" else function.real, parameter.name, parameter.name))
        for place, parameter in enumerate(parameters, 1):
            if parameter.check:
                print('  if (%s) {\n    blas_wrong_fortran("%s", %d);\n    return;\n  }' % (parameter.check, name.upper().ljust(6), place))
        call = "%s(%s)" % (function.name, ", ".join("&result" if parameter.kind == "result" else parameter.name for parameter in function.parameters))
        if function.complex_result:
            print("  %s result;\n  %s;\n  return result;\n}" % (result, call))
        elif function.result == "size_t":
            print("  return n < 1 || incX < 1 ? 0 : (int)%s + 1;\n}" % call)
        else:
            print("  %s%s;\n}" % ("" if function.result == "void" else "return ", call))


def ends_soon(function):
    """Do its loops end whatever the numbers are?"""
    return not function.name.endswith("rotmg")


def is_packed(function):
    """Are vectors packed for the function? OpenBLAS's complex functions of several arrays read an element behind the last one, which lies
    an increment away. Others are spared that: in one of them (xCASUM of 0.3.21 on processors with AVX-512) packed elements are summed
    wrongly."""
    return function.is_complex and sum(parameter.kind == "array" for parameter in function.parameters) > 1


def gpu_result(function):
    return "NULL" if function.result == "void" and not function.complex_result else "r->result"


def write_host(functions):
    for number, function in enumerate(functions):
        print("static int serve_%s(request *r, void *library) {" % function.name)
        at = 0
        for parameter, words in zip(function.parameters, function.words()):
            if parameter.kind == "int":
                print("  %sint %s = (int)r->words[%d];" % ("" if parameter.name.startswith("inc") else "const ", parameter.name, at))
            elif parameter.kind == "real":
                print("  %s %s;\n  memcpy(&%s, &r->words[%d], sizeof %s);" % (function.real, parameter.name, parameter.name, at, parameter.name))
            elif parameter.kind == "complex":
                print("  %s %s[2];\n  memcpy(&%s[0], &r->words[%d], sizeof *%s);\n  memcpy(&%s[1], &r->words[%d], sizeof *%s);" %
                      (function.real, parameter.name, parameter.name, at, parameter.name, parameter.name, at + 1, parameter.name))
            elif parameter.kind == "result":
                print("  %s %s[2] = {0, 0};" % (function.real, parameter.name))
            at += words
        print("  if (r->count != %d%s)\n    return EINVAL;" % (at, "".join(" || %s" % parameter.check for parameter in function.parameters if parameter.check)))
        at = 0
        for parameter, words in zip(function.parameters, function.words()):
            if parameter.kind == "array" and parameter.elements:
                print("  void *%s = get_vector(r, r->words[%d], %s, &inc%s, %d, %d, %d);" % (
                    parameter.name, at, parameter.elements, parameter.name, function.size, parameter.writes, is_packed(function)))
            elif parameter.kind == "array":
                print("  void *%s = get_array(r, r->words[%d], %s, %d, %d);" % (
                    parameter.name, at, parameter.extent, function.element_size(parameter), parameter.writes))
            at += words
        print("  if (r->error)\n    return r->error;")
        print("  if (r->on_device)\n    return call_on_gpu(r, %d, (blas_argument[]){%s}, %s);" % (
            number, ", ".join(table.blas_argument(parameter, ["int"], ["array"]) for parameter in function.parameters), gpu_result(function)))
        print("  %s (*function)(%s) = (%s (*)(%s))library;" % ((function.result, ", ".join(host_types(function))) * 2))
        call = "function(%s)" % ", ".join(parameter.name for parameter in function.parameters)
        print("  %s%s;" % ("" if function.result == "void" else "const %s result = " % function.result, call))
        if function.complex_result:
            print("  memcpy(r->result, %s, sizeof %s);" % (function.complex_result, function.complex_result))
        elif function.result != "void":
            print("  memcpy(r->result, &result, sizeof result);")
        print("  return 0;\n}")
    print("static const blas_function functions[] = {")
    print(",\n".join('    {"%s", serve_%s, %d}' % (function.name, function.name, ends_soon(function)) for function in functions) + "};")


def host_types(function):
    return ["int" if parameter.kind == "int" else function.real if parameter.kind == "real" else "void *" for parameter in function.parameters]


def write_kinds(functions):
    for number, function in enumerate(functions):
        kinds = ""
        for parameter in function.parameters:
            number_or_size = "o" if parameter.name == "order" else "c" if parameter.enumeration else "s" if re.match("ld|inc", parameter.name) else "i"
            kinds += {"int": number_or_size, "real": "n", "complex": "nn", "array": "a", "result": ""}[parameter.kind]
        print('{%d, "%s"},' % (number, kinds))


if __name__ == "__main__":
    table.write(__doc__, Function, {"header": write_header, "device": write_device, "fortran": write_fortran, "host": write_host,
                                   "kinds": write_kinds, "here": write_here_calls})
