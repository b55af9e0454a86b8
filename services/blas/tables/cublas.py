#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the code that calls cuBLAS, from blas.txt and cublas.txt: usage: cublas.py FUNCTIONS CUBLAS calls|double|reference

  calls      for services/blas/cuda/cublas.c, for each function of BLAS what calls cuBLAS with the arguments of CBLAS
  double     for tests, functions by cuBLAS's names that have the host's BLAS do it, on the host's memory
  reference  for tests, for each function of BLAS what calls the host's with the same arguments
"""

import re
import sys

import blas
import cublas_targets
import table

VALUES = {"CBLAS_TRANSPOSE": "{0} - 111", "CBLAS_UPLO": "122 - {0}", "CBLAS_DIAG": "{0} - 131", "CBLAS_SIDE": "{0} - 141"}
FLIPPED = {"CBLAS_UPLO": "{0} - 121", "CBLAS_SIDE": "142 - {0}"}
BACK = {"CBLAS_TRANSPOSE": "{0} + 111", "CBLAS_UPLO": "122 - {0}", "CBLAS_DIAG": "{0} + 131", "CBLAS_SIDE": "{0} + 141"}


def value(function, word, unsupported):
    """An argument of cuBLAS's as an expression of C. To `unsupported` goes when it has none."""
    name = word.lstrip("~^*")
    parameter = next(parameter for parameter in function.parameters if parameter.name == name)
    if parameter.enumeration == "CBLAS_TRANSPOSE":
        if word[0] == "~":
            if function.is_complex:
                unsupported.append(name + " == 113")
            return "%s == 111" % name
        if word[0] == "^":
            return "%s == 111 ? 2 : 0" % name
        return VALUES["CBLAS_TRANSPOSE"].format(name) if function.is_complex else "%s != 111" % name
    if parameter.enumeration:
        return (FLIPPED if word[0] == "~" else VALUES)[parameter.enumeration].format(name)
    if word[0] == "*":
        return "conjugate_" + name
    return name


def result_type(function):
    if function.complex_result:
        return function.real
    return {"void": None, "size_t": "int"}.get(function.result, function.result)


def types(function, words):
    kinds = {parameter.name: parameter.kind for parameter in function.parameters}
    return ["int" if kinds[word.lstrip("~^*")] == "int" else "const void *" if kinds[word.lstrip("~^*")] != "array" else "void *" for word in words]


def write_call(function, words, is_batched):
    """The statements that call the function with these arguments."""
    unsupported = []
    values = [value(function, word, unsupported) for word in words]
    for condition in unsupported:
        print("    if (%s)\n      return CUBLAS_CANNOT;" % condition)
    for word in words:
        if word[0] == "*":
            name = word[1:]
            print("    _Alignas(16) const {0} conjugate_{1}[2] = {{((const {0} *){1})[0], -((const {0} *){1})[1]}};".format(function.real, name))
    out = ["&place"] if function.result == "size_t" else ["&aligned"] if function.complex_result else ["result"] if result_type(function) else []
    print("    status = function(%s);" % ", ".join(["handle"] + values + out + ["count"] * is_batched))


def parameter_names(function):
    return " ".join(parameter.name for parameter in function.parameters)


def write_target(function, target, is_batched):
    """What calls cuBLAS with the arguments of CBLAS; the batched one with how many calls they are, and arrays of arrays."""
    has_order = function.parameters[0].name == "order"
    used = {word.lstrip("~^*") for word in target.by_columns + (target.by_rows or [])}
    print("static int %s_%s(void *handle, void *library, const blas_argument *a, %s) {" %
          (("batch", function.name, "int count") if is_batched else ("call", function.name, "void *result")))
    for place, parameter in enumerate(function.parameters):
        if parameter.name == "order" and target.by_rows is None:
            print("  if (a[%d].integer == 101)\n    return CUBLAS_CANNOT;" % place)
        elif parameter.name == "order":
            print("  const int order = a[%d].integer;" % place)
        elif parameter.name not in used:
            continue
        elif parameter.kind == "int":
            print("  const int %s = a[%d].integer;" % (parameter.name, place))
        elif parameter.kind == "array":
            print("  void *%s = (void *)(uintptr_t)a[%d].array;" % (parameter.name, place))
        else:
            print("  const void *%s = a[%d].number;" % (parameter.name, place))
    if not has_order:
        steps = [parameter.name + " == 0" for parameter in function.parameters if parameter.name.startswith("inc")]
        print("  if (n > 0 && (%s))\n    return CUBLAS_CANNOT;" % " || ".join(steps))
    if function.result == "size_t":
        print("  int place = 0;")
    elif function.complex_result:
        print("  cublas_number aligned = {{0}};")
    elif result_type(function):
        print("  memset(result, 0, %d);" % (4 if function.result == "float" else 8))
    elif not is_batched:
        print("  (void)result;")
    print("  int status = 0;")
    signature = ", ".join(["void *"] + types(function, target.by_columns) + (["void *"] if result_type(function) else []) + ["int"] * is_batched)
    print("  int (*function)(%s) = (int (*)(%s))library;" % (signature, signature))
    if has_order and target.by_rows is not None:
        print("  if (order == 102) {")
        write_call(function, target.by_columns, is_batched)
        print("  } else {")
        write_call(function, target.by_rows, is_batched)
        print("  }")
    else:
        print("  {" if has_order else "  if (n > 0) {")
        write_call(function, target.by_columns, is_batched)
        print("  }")
    if function.result == "size_t":
        print("  const size_t index = place > 0 ? (size_t)place - 1 : 0;\n  memcpy(result, &index, sizeof index);")
    elif function.complex_result:
        print("  memcpy(result, &aligned, %d);" % function.size)
    print("  return status;\n}")


def write_calls(functions, targets):
    for function, target in cublas_targets.find(functions, targets):
        if target:
            write_target(function, target, False)
        if target and target.is_batched:
            write_target(function, target, True)
    print("static const struct {\n  const char *name, *symbol, *batched_symbol;\n  int (*call)(void *, void *, const blas_argument *, void *);\n"
          "  int (*batch)(void *, void *, const blas_argument *, int);\n  const char *kinds, *parameters;\n} targets[] = {")
    for function, target in cublas_targets.find(functions, targets):
        kinds = "".join({"int": "i", "array": "a", "result": "r"}.get(parameter.kind, {4: "s", 8: "d"}[4 if function.real == "float" else 8]
                        if parameter.kind == "real" else {"float": "c", "double": "z"}[function.real]) for parameter in function.parameters)
        symbol, call = ('"%s"' % target.symbol(function.letter), "call_" + function.name) if target else ("NULL", "NULL")
        batched, batch = "NULL", "NULL"
        if target and target.is_batched:
            batched, batch = '"%s"' % target.symbol(function.letter, "Batched"), "batch_" + function.name
        print('    {"%s", %s, %s, %s, %s, "%s", "%s"},' % (function.name, symbol, batched, call, batch, kinds, parameter_names(function)))
    print("};")


def write_batched_double(function, target):
    """Each call by the function for one."""
    parameters = ["%s %s" % pair for pair in zip(types(function, target.by_columns), target.by_columns)]
    one = "int %s(%s)" % (target.symbol(function.letter), ", ".join(["void *handle"] + parameters))
    many = "int %s(%s)" % (target.symbol(function.letter, "Batched"), ", ".join(["void *handle"] + parameters + ["int count"]))
    arrays = {parameter.name for parameter in function.parameters if parameter.kind == "array"}
    arguments = ["((void **)%s)[i]" % word if word in arrays else word for word in target.by_columns]
    print(one + ";\n" + many + ";\n" + many + " {\n  for (int i = 0; i < count; ++i)\n    %s(handle, %s);\n  ++cublas_double_batches;\n"
          "  return 0;\n}" % (target.symbol(function.letter), ", ".join(arguments)))


def write_double(functions, targets):
    print('#include "cblas.h"\n#include <stdint.h>\n#include <string.h>\n')
    for function, target in cublas_targets.find(functions, targets):
        if not target:
            continue
        seen, parameters = set(), ["void *handle"]
        for word, type in zip(target.by_columns, types(function, target.by_columns)):
            name = word + ("_out" if word in seen else "")
            seen.add(word)
            parameters.append("%s %s" % (type, name))
        if result_type(function):
            parameters.append("void *result")
        if target.is_batched:
            write_batched_double(function, target)
        print("int %s(%s);\nint %s(%s) {\n  (void)handle;" % ((target.symbol(function.letter), ", ".join(parameters)) * 2))
        kinds = {parameter.name: parameter.kind for parameter in function.parameters}
        numbers = [word for word in target.by_columns if kinds[word] == "complex"]
        for name in numbers + ["result"] * bool(function.complex_result):
            print("  if ((uintptr_t)%s %% sizeof(%s _Complex))\n    return 7; // cuBLAS would end the process" % (name, function.real))
        arguments = []
        for parameter in function.parameters:
            if parameter.name == "order":
                arguments.append("CblasColMajor")
            elif parameter.enumeration:
                arguments.append("(%s)(%s)" % (parameter.enumeration, BACK[parameter.enumeration].format(parameter.name)))
            elif parameter.kind == "real":
                arguments.append("*(const %s *)%s" % (function.real, parameter.name))
            else:
                arguments.append("result" if parameter.kind == "result" else parameter.name)
        call = "%s(%s)" % (function.name, ", ".join(arguments))
        if function.result == "size_t":
            print("  const int place = (int)%s + 1;\n  memcpy(result, &place, sizeof place);" % call)
        elif result_type(function) and not function.complex_result:
            print("  const %s value = %s;\n  memcpy(result, &value, sizeof value);" % (function.result, call))
        else:
            print("  %s;" % call)
        print("  return 0;\n}")


def write_reference(functions, targets):
    for function in functions:
        print("static void reference_%s(const blas_argument *a, void *result) {\n  (void)result;" % function.name)
        arguments = []
        for place, parameter in enumerate(function.parameters):
            if parameter.kind == "int":
                arguments.append("(%s)a[%d].integer" % (parameter.enumeration or "int", place))
            elif parameter.kind == "array":
                arguments.append("(%s *)(uintptr_t)a[%d].array" % (function.real if parameter.is_real else function.element, place))
            elif parameter.kind == "real":
                arguments.append("*(const %s *)a[%d].number" % (function.real, place))
            else:
                arguments.append("result" if parameter.kind == "result" else "a[%d].number" % place)
        call = "%s(%s)" % (function.name, ", ".join(arguments))
        if function.result == "void":
            print("  %s;\n}" % call)
        else:
            print("  const %s value = %s;\n  memcpy(result, &value, sizeof value);\n}" % (function.result, call))
    print("static const struct {\n  const char *name;\n  void (*call)(const blas_argument *, void *);\n} references[] = {")
    for function in functions:
        print('    {"%s", reference_%s},' % (function.name, function.name))
    print("};")


def main():
    writers = {"calls": write_calls, "double": write_double, "reference": write_reference}
    if len(sys.argv) != 4 or sys.argv[3] not in writers:
        raise SystemExit(__doc__)
    writers[sys.argv[3]](table.read(sys.argv[1], blas.Function), cublas_targets.read(sys.argv[2]))


main()
