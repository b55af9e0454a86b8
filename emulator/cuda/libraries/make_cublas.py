#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes cuBLAS's functions that are BLAS's, from services/blas/tables: usage: make_cublas.py TABLES KIND

  header       their declarations: toolchain/cuda/include/gpuexec/cublas_functions.h
  names        their names without _v2: cublas_names.h in the same folder
  old_header   the declarations of cublas.h: cublas_old_functions.h in the same folder
  library      for cublas.cpp, what checks the arguments and calls the host's CBLAS
  old_library  for cublas_old.cpp, what calls the functions of `header`
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
# Of cublas.h: the letters of an enumeration, and the function of cublas_old.cpp that reads one.
LETTERS = {"CBLAS_TRANSPOSE": '"NTC"', "CBLAS_UPLO": '"UL"', "CBLAS_DIAG": '"NU"', "CBLAS_SIDE": '"LR"'}
READERS = {"CBLAS_TRANSPOSE": "operation", "CBLAS_UPLO": "fill_mode", "CBLAS_DIAG": "diagonal", "CBLAS_SIDE": "side_mode"}


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


OPENING = """//===-- toolchain/cuda/include/gpuexec/%s ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names are those of CUDA's interface.
// Made by emulator/cuda/libraries/make_cublas.py.
// clang-format off"""


def write_header(functions):
    print(OPENING % "cublas_functions.h - The functions of BLAS")
    for function, target in functions:
        print("%s;" % prototype(function, target))
    print("// NOLINTEND")


def write_names(functions):
    print(OPENING % "cublas_names.h - Their names without _v2")
    for function, target in functions:
        print("#define {0} {0}_v2".format(target.symbol(function.letter, "")))
    print("// NOLINTEND")


def old_parameters(function, target):
    """The parameters of cublas.h's function: name and declaration. A matrix that cuBLAS has twice is once there, read and written."""
    known = {parameter.name: parameter for parameter in function.parameters}
    for word in dict.fromkeys(target.by_columns):
        parameter, element = known[word], ELEMENTS[function.letter]
        if parameter.enumeration:
            yield parameter, "char " + word
        elif parameter.kind == "int":
            yield parameter, "int " + word
        elif parameter.kind in ("real", "complex"):
            yield parameter, "%s %s" % (function.real if parameter.kind == "real" else element, word)
        else:
            yield parameter, "%s%s *%s" % ("" if parameter.writes else "const ", element, word)


def old_prototype(function, target):
    declarations = ", ".join(declaration for _, declaration in old_parameters(function, target))
    return "%s %s(%s)" % (result_type(function) or "void", target.symbol(function.letter, ""), declarations)


def write_old_header(functions):
    print(OPENING % "cublas_old_functions.h - Those of cublas.h")
    for function, target in functions:
        print("%s;" % old_prototype(function, target))
    print("// NOLINTEND")


def write_old_function(function, target):
    result, known = result_type(function), {parameter.name: parameter for parameter in function.parameters}
    print("extern \"C\" %s {" % old_prototype(function, target))
    if result:
        print("  %s result{};" % result)
    print("  run([&](cublasHandle_t handle) {")
    arguments, letters = ["handle"], []
    for word in target.by_columns:
        enumeration = known[word].enumeration
        if enumeration:
            letters.append("!is_one_of(%s, %s)" % (word, LETTERS[enumeration]))
        arguments.append("%s(%s)" % (READERS[enumeration], word) if enumeration
                         else "&" + word if known[word].kind in ("real", "complex") else word)
    if letters:
        print("    if (%s)\n      return CUBLAS_STATUS_INVALID_VALUE;" % " || ".join(letters))
    print("    return %s(%s);\n  });" % (target.symbol(function.letter), ", ".join(arguments + ["&result"] * bool(result))))
    print("  return result;\n}" if result else "}")


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


def write_each(write, functions):
    print("// NOLINTBEGIN: generated")
    for function, target in functions:
        write(function, target)
    print("// NOLINTEND")


def main():
    writers = {"header": write_header, "names": write_names, "old_header": write_old_header,
               "library": lambda functions: write_each(write_function, functions),
               "old_library": lambda functions: write_each(write_old_function, functions)}
    if len(sys.argv) != 3 or sys.argv[2] not in writers:
        raise SystemExit(__doc__)
    targets = cublas_targets.read(os.path.join(sys.argv[1], "cublas.txt"))
    functions = table.read(os.path.join(sys.argv[1], "blas.txt"), blas.Function)
    writers[sys.argv[2]]([pair for pair in cublas_targets.find(functions, targets) if pair[1]])


main()
