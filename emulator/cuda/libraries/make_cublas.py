#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes cuBLAS's functions that are BLAS's, from services/blas/tables: usage: make_cublas.py TABLES header|library

  header   their declarations: toolchain/cuda/include/gpuexec/cublas_functions.h
  library  for cublas.cpp, what checks the arguments and calls the host's CBLAS
"""

import os
import sys

sys.path.insert(0, sys.argv[1] if len(sys.argv) == 3 else ".")
import blas  # noqa: E402
import cublas_targets  # noqa: E402
import table  # noqa: E402

ELEMENTS = {"s": "float", "d": "double", "c": "cuComplex", "z": "cuDoubleComplex"}
ENUMERATIONS = {"CBLAS_TRANSPOSE": ("cublasOperation_t", "{0} + 111"), "CBLAS_UPLO": ("cublasFillMode_t", "122 - {0}"),
                "CBLAS_DIAG": ("cublasDiagType_t", "{0} + 131"), "CBLAS_SIDE": ("cublasSideMode_t", "{0} + 141")}


def result_type(function):
    if function.complex_result:
        return ELEMENTS[function.letter]
    return {"void": None, "size_t": "int"}.get(function.result, function.result)


def parameters(function, target):
    """The declarations of cuBLAS's parameters, in its order. A matrix that is named twice is read first and written then."""
    known = {parameter.name: parameter for parameter in function.parameters}
    words, text = target.by_columns, ["cublasHandle_t handle"]
    for place, word in enumerate(words):
        parameter, element = known[word], ELEMENTS[function.letter]
        is_out = word in words[:place]
        if parameter.enumeration:
            text.append("%s %s_code" % (ENUMERATIONS[parameter.enumeration][0], word))
        elif parameter.kind == "int":
            text.append("int %s%s" % (word, "_out" if is_out else ""))
        elif parameter.kind == "real":
            text.append("const %s *%s_at" % (function.real, word))
        elif parameter.kind == "complex":
            text.append("const %s *%s" % (element, word))
        else:
            reads_only = not parameter.writes or (words.count(word) == 2 and not is_out)
            text.append("%s%s *%s%s" % ("const " if reads_only else "", element, word, "_out" if is_out else ""))
    if result_type(function):
        text.append("%s *result" % result_type(function))
    return text


def prototype(function, target):
    return "cublasStatus_t %s(%s)" % (target.symbol(function.letter), ", ".join(parameters(function, target)))


def write_header(functions):
    print("""//===-- toolchain/cuda/include/gpuexec/cublas_functions.h - The functions of BLAS ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names are those of CUDA's interface.
// Made by emulator/cuda/libraries/make_cublas.py.
// clang-format off""")
    for function, target in functions:
        name = target.symbol(function.letter)
        print("#define %s %s\n%s;" % (name.removesuffix("_v2"), name, prototype(function, target)))
    print("// NOLINTEND")


def write_function(function, target):
    print("extern \"C\" %s {\n  if (cublasStatus_t status = begin(handle))\n    return status;" % prototype(function, target))
    words, arguments, places = target.by_columns, [], []
    if function.parameters[0].name == "order":
        print("  [[maybe_unused]] const CBLAS_LAYOUT order = CblasColMajor;")
    for parameter in function.parameters:
        name = parameter.name
        if parameter.enumeration and name != "order":
            print("  const auto %s = %s(%s);" % (name, parameter.enumeration, ENUMERATIONS[parameter.enumeration][1].format(name + "_code")))
        if parameter.check and name != "order" and (function.parameters[0].name == "order"):
            places.append(parameter.check)
        if words.count(name) == 2 and parameter.kind == "int":
            places.append(parameter.check.replace(name, name + "_out"))
        if words.count(name) == 2:
            arguments.append(name + "_out")
        elif parameter.kind == "real":
            arguments.append("*%s_at" % name)
        else:
            arguments.append("result" if parameter.kind == "result" else name)
    if places:
        print("  if (%s)\n    return CUBLAS_STATUS_INVALID_VALUE;" % " ||\n      ".join("(%s)" % check for check in places))
    for word in {word for word in words if words.count(word) == 2 and not word.startswith("ld")}:
        print("  copy_matrix(m, n, {0}, ld{0}, {0}_out, ld{0}_out);".format(word))
    call = 'GPUEXEC_CBLAS(%s)(%s)' % (function.name, ", ".join(arguments))
    if function.result == "size_t":
        print("  *result = n > 0 && incX > 0 ? int(%s) + 1 : 0;" % call)
    elif result_type(function) and not function.complex_result:
        print("  *result = %s;" % call)
    else:
        print("  %s;" % call)
    print("  return CUBLAS_STATUS_SUCCESS;\n}")


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in ("header", "library"):
        raise SystemExit(__doc__)
    targets = cublas_targets.read(os.path.join(sys.argv[1], "cublas.txt"))
    found = [pair for pair in cublas_targets.find(table.read(os.path.join(sys.argv[1], "blas.txt"), blas.Function), targets) if pair[1]]
    if sys.argv[2] == "header":
        write_header(found)
    else:
        print("// NOLINTBEGIN: generated")
        for function, target in found:
            write_function(function, target)
        print("// NOLINTEND")


main()
