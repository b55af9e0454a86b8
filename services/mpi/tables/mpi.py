#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the code of MPI's functions from the tables beside it: usage: mpi.py header|calls|version|stubs|raw|rows|native|handles|constants

  header     mpi.h for device programs
  calls      for both sides, MPI_CALL(NAME): the number of each function is its place
  stubs      for device programs: functions that send their arguments to the host
  version    MPI_TABLE_VERSION: a number for the functions and their arguments
  raw        prototypes of those stubs that functions of device/ call
  rows       for the host: what it checks and translates of each function's arguments
  native     for the host, included for each library: calls of its functions with their types
  handles    for both sides, MPI_HANDLE(...)
  constants  for the host, MPI_CONSTANT(...)
"""

import os
import sys
import zlib

import table

FOLDER = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(FOLDER, name)


def is_stub(function):
    return not function.is_internal


# --- mpi.h ---

HEADER = """// mpi.h for device programs, generated from services/mpi/tables/: functions of the MPI library of the host. Link with -lmpi. Handles and constants
// have the values of the standard ABI of MPI 5.0. What is not here, the service does not have: docs/mpi.md.
#ifndef MPI_H_ABI
#define MPI_H_ABI

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1
#define MPI_ABI_VERSION 1
#define MPI_ABI_SUBVERSION 0

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;
typedef int MPI_Fint;

typedef struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int MPI_internal[5];
} MPI_Status;
"""

FIXED = """
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_ARGVS_NULL ((char ***)0)
#define MPI_UNWEIGHTED ((int *)10)
#define MPI_WEIGHTS_EMPTY ((int *)11)
#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset)-1)

typedef void MPI_User_function(void *in, void *inout, int *count, MPI_Datatype *type);
typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int keyval, void *extra_state, void *value, void *new_value, int *flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int keyval, void *value, void *extra_state);
typedef int MPI_Type_copy_attr_function(MPI_Datatype type, int keyval, void *extra_state, void *value, void *new_value, int *flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype type, int keyval, void *value, void *extra_state);
typedef int MPI_Win_copy_attr_function(MPI_Win win, int keyval, void *extra_state, void *value, void *new_value, int *flag);
typedef int MPI_Win_delete_attr_function(MPI_Win win, int keyval, void *value, void *extra_state);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
typedef void MPI_Comm_errhandler_function(MPI_Comm *comm, int *error, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef void MPI_File_errhandler_function(MPI_File *file, int *error, ...);
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef void MPI_Win_errhandler_function(MPI_Win *win, int *error, ...);
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;

#define MPI_NULL_COPY_FN ((MPI_Copy_function *)0)
#define MPI_DUP_FN ((MPI_Copy_function *)1)
#define MPI_NULL_DELETE_FN ((MPI_Delete_function *)0)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_DUP_FN ((MPI_Comm_copy_attr_function *)1)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_DUP_FN ((MPI_Type_copy_attr_function *)1)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_DUP_FN ((MPI_Win_copy_attr_function *)1)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function *)0)
"""


def prototype(function, prefix="MPI_"):
    return "int %s%s(%s)" % (prefix, function.name, ", ".join(a.declare() for a in function.arguments) or "void")


def write_header(functions):
    print(HEADER)
    kinds = {}
    for kind, name, value, *_ in table.rows(path("handles.txt")):
        if kind not in kinds:
            kinds[kind] = True
            print("\ntypedef struct MPI_ABI_%s *%s;" % (table.HANDLES[kind][4:], table.HANDLES[kind]))
        print("#define %s ((%s)%s)" % (name, table.HANDLES[kind], value))
    print("\nenum {")
    for _, name, value, *_ in table.rows(path("constants.txt")):
        print("  %s = %s," % (name, value))
    print("};\n" + FIXED)
    for line in table.lines(path("prototypes.txt")) + table.lines(path("missing.txt")):
        print(line)
    for function in functions:
        if is_stub(function) and not function.is_raw:
            print(prototype(function) + ";")
    print("\n#ifdef __cplusplus\n}\n#endif\n\n#endif")


def write_calls(functions):
    for function in functions:
        print("MPI_CALL(%s)" % function.name)


def write_version(_):
    text = "\n".join(table.lines(path("functions.txt")) + table.lines(path("handles.txt"))).encode()
    print("#define MPI_TABLE_VERSION UINT64_C(0x%08x)" % zlib.crc32(text))


# --- the device's stubs ---

def elements(function, many):
    """The number of elements as an expression of the stub."""
    words = many.split()
    if many in ("peers", "members", "sources", "targets", "dims"):
        return "mpi_%s(%s)" % (many, function.object().name)
    if words[0] == "last":
        return "mpi_last(%s, %s)" % (words[1], function.arguments[function.place(words[1])].many)
    if words[0] == "sum":
        return "mpi_sum(%s, %s)" % (words[1], function.arguments[function.place(words[1])].many)
    return many


def significant(function, argument):
    """The condition under which the argument has a meaning, or ''."""
    tests = []
    owner = function.owner(argument)
    if owner and owner.direction != "inout":
        tests.append("%s != MPI_IN_PLACE" % owner.name)
    if argument.role:
        tests.append("mpi_is_%s(comm, root)" % argument.role)
    return " && ".join(tests)


def span(function, buffer):
    """Where the bytes of the buffer lie, as an expression of the stub."""
    if buffer.form == "bytes":
        return "mpi_bytes(%s)" % buffer.count
    if buffer.form == "plain":
        return "mpi_span_of(%s, %s)" % (buffer.count, buffer.type)
    blocks = elements(function, buffer.blocks)
    if buffer.form == "blocks":
        return "mpi_span_of((int64_t)%s * %s, %s)" % (buffer.count, blocks, buffer.type)
    if buffer.form == "sum":
        return "mpi_span_of(mpi_sum(%s, %s), %s)" % (buffer.count, blocks, buffer.type)
    displs = function.arguments[function.place(buffer.displs)]
    is_typed = function.arguments[function.place(buffer.type)].is_array
    name = "mpi_span_%s%s" % ("typed" if is_typed else "spread", "_far" if displs.kind == "aints" else "")
    return "%s(%s, %s, %s, %s)" % (name, buffer.count, buffer.displs, blocks, buffer.type)


DIRECTIONS = {"in": "MPI_READS", "out": "MPI_WRITES", "inout": "MPI_READS | MPI_WRITES"}


def put(function, a):
    if a.kind == "buffer":
        tests = "".join(" && mpi_is_%s(comm, root)" % a.role for _ in range(bool(a.role)))
        return "mpi_put_buffer(&call, %s, %s, mpi_is_own(%s)%s ? %s : MPI_NO_SPAN);" % (a.name, DIRECTIONS[a.direction], a.name, tests, span(function, a))
    if a.kind == "text" and a.way == "in":
        return "mpi_put_text(&call, %s);" % a.name
    if a.kind == "status" and a.way == "in":
        return "mpi_put_array(&call, %s, 1, sizeof(MPI_Status));" % a.name
    if a.is_array and a.way in ("in", "both"):
        test = significant(function, a)
        count = elements(function, a.many)
        put_one = "mpi_put_weights" if a.kind == "weights" else "mpi_put_array"
        return "%s(&call, %s, %s, sizeof *%s);" % (put_one, a.name, "%s ? %s : -1" % (test, count) if test else count, a.name)
    if a.kind == "weights":
        return "mpi_put(&call, mpi_is_weights(%s));" % a.name
    if a.way == "out":
        return "mpi_put(&call, %s != NULL);" % a.name
    if a.way in ("both", "free"):
        return "mpi_put(&call, (uint64_t)*%s);" % a.name
    return "mpi_put(&call, (uint64_t)%s);" % a.name


def get(function, a):
    """What the stub does with its part of the answer, or ''."""
    if a.kind == "status" and a.way == "out":
        return "mpi_get_status(&call, %s);" % a.name
    if a.way == "free":
        return "*%s = (%s)mpi_get(&call);" % (a.name, a.element)
    if a.way not in ("out", "both"):
        return ""
    if a.kind == "text":
        return "mpi_get_text(&call, %s);" % a.name
    if a.is_array:
        to = "mpi_is_weights(%s) ? %s : NULL" % (a.name, a.name) if a.kind == "weights" else a.name
        return "mpi_get_array(&call, %s, %s, sizeof *%s);" % (to, elements(function, a.many), a.name)
    if a.kind == "address":
        return "mpi_get_address(&call, %s);" % a.name
    return "mpi_get_to(&call, %s, (%s));" % (a.name, a.element)


def write_stub(function):
    print("%s {\n  mpi_call call;\n  mpi_begin(&call, MPI_CALL_%s);" % (prototype(function, "mpi_raw_" if function.is_raw else "MPI_"), function.name))
    # Every argument is a word; the bytes of arrays follow the words.
    print("  mpi_need(&call, %d);" % len(function.arguments))
    for argument in function.arguments:
        print("  " + put(function, argument))
    gets = [text for text in (get(function, a) for a in function.arguments) if text]
    print("  const int error = mpi_exchange(&call);")
    if gets:
        print("  if (!error) {\n    %s\n  }" % "\n    ".join(gets))
    if any(a.kind == "buffer" for a in function.arguments) and function.object() and function.object().kind == "win":
        # The library uses the buffers until the window is synchronised.
        print("  if (!error)\n    mpi_keep(&call, (MPI_Request)win);")
    made = [a for a in function.arguments if a.kind == "request" and a.way == "out"]
    if made:
        print("  if (!error)\n    mpi_keep(&call, *%s);" % made[0].name)
    owner = function.object()
    if owner and not made:
        for a in function.arguments:
            if a.kind == "comm" and a.way == "out":
                print("  if (!error)\n    mpi_inherit(%s, *%s);" % (owner.name, a.name))
    kind = {"comm": "MPI_ON_COMM", "win": "MPI_ON_WIN", "file": "MPI_ON_FILE"}[owner.kind] if owner else "MPI_ON_COMM"
    value = "(uint64_t)" + ("*" if owner.way == "free" else "") + owner.name if owner else "(uint64_t)MPI_COMM_WORLD"
    if function.name.startswith("File_") and not (owner and owner.kind == "file"):
        kind, value = "MPI_ON_FILE", "(uint64_t)MPI_FILE_NULL"  # MPI 5.0, "I/O Error Handling": not the communicator's handler
    print('  return mpi_end(&call, error, %s, %s, "MPI_%s");\n}\n' % (kind, value, function.name))


def write_stubs(functions):
    print('#include "services/mpi/device/call.h"\n')
    for function in functions:
        if is_stub(function):
            write_stub(function)


def write_raw(functions):
    for function in functions:
        if is_stub(function) and function.is_raw:
            print(prototype(function, "mpi_raw_") + ";")


# --- the host's rows ---

WAYS = {"in": "MPI_IN", "out": "MPI_OUT", "both": "MPI_BOTH", "free": "MPI_FREE", "buffer": "MPI_BUFFER"}
MANY = {"peers": "MPI_PEERS", "members": "MPI_MEMBERS", "sources": "MPI_SOURCES", "targets": "MPI_TARGETS", "dims": "MPI_DIMS"}


def many(function, text):
    """{kind, argument or number} of a number of elements."""
    words = text.split()
    if not text:
        return "MPI_ONE, 0"
    if text in MANY:
        return MANY[text] + ", 0"
    if text.isdigit():
        return "MPI_NUMBER, " + text
    if words[0] in ("last", "sum"):
        return "MPI_%s, %d" % (words[0].upper(), function.place(words[1]))
    return "MPI_GIVEN, %d" % function.place(text)


def row_of(function, a):
    owner = function.owner(a)
    fields = [".kind = MPI_KIND_" + a.kind.upper(), ".way = " + WAYS[a.way]]
    if a.role:
        fields.append(".role = MPI_ROLE_" + a.role.upper())
    if a.values:
        fields.append(".values = MPI_CLASS_" + a.values.upper())
    if a.many:
        fields.append(".many = {%s}" % many(function, a.many))
    fields.append(".owner = %d" % (function.arguments.index(owner) if owner else -1))
    if a.kind == "buffer":
        fields += [".reads = %d" % ("in" in a.direction), ".writes = %d" % ("out" in a.direction), ".form = MPI_FORM_" + a.form.upper(),
                   ".count = %d" % function.count_place(a), ".blocks = {%s}" % many(function, a.blocks)]
        fields += [".%s = %d" % (name, function.place(value)) for name, value in (("displs", a.displs), ("type", a.type)) if value]
    return "{%s}" % ", ".join(fields)


def write_rows(functions):
    numbers = {function.name: number for number, function in enumerate(functions)}
    for function in functions:
        if function.arguments:
            print("static const mpi_argument arguments_of_%s[] = {\n  %s};" % (function.name, ",\n  ".join(row_of(function, a) for a in function.arguments)))
    print("const mpi_function mpi_functions[MPI_CALLS] = {")
    for function in functions:
        owner = function.object()
        roots = [place for place, a in enumerate(function.arguments) if a.name == "root"]
        print('  {"MPI_%s", %s, %d, %d, %d, %d, %d, %d, %d, %d},' % (
            function.name, "arguments_of_" + function.name if function.arguments else "NULL", len(function.arguments),
            numbers[function.via or function.name], function.arguments.index(owner) if owner else -1, roots[0] if roots else -1,
            bool(function.via), function.is_custom, function.is_internal, function.with_all))
    print("};")


# --- calls of a library ---

def native_type(a):
    if a.kind in table.HANDLES:
        handle = "MPI_NATIVE_FILE" if a.kind == "file" else "MPI_NATIVE"
        return handle + (" *" if a.is_array or a.way != "in" else "")
    if a.kind in ("buffer", "status", "address", "function"):
        return "void *"
    element = {"types": "MPI_NATIVE", "text": "char"}.get(a.kind) or a.element.replace("MPI_Aint", "intptr_t").replace("MPI_Offset", "long long")
    is_pointer = a.is_array or a.way != "in"
    return element + (" *" if is_pointer else "")


def native_argument(a, place):
    kind = native_type(a)
    if kind.endswith("*") or kind.startswith("MPI_NATIVE_FILE"):
        return "(%s)(uintptr_t)w[%d]" % (kind, place)
    return "(%s)w[%d]" % (kind, place)


def write_native(functions):
    for function in functions:
        if function.via or function.is_own or any(a.kind in ("address", "function") for a in function.arguments):
            continue
        types = ", ".join(native_type(a) for a in function.arguments) or "void"
        given = ", ".join(native_argument(a, place) for place, a in enumerate(function.arguments))
        print("case MPI_CALL_%s:\n  return ((int (*)(%s))f[MPI_CALL_%s])(%s);" % (function.name, types, function.name, given))


def write_handles(_):
    for kind, name, value, openmpi, mpich, *sizes in table.rows(path("handles.txt")):
        size, extent = sizes or ("0", "0")
        print('MPI_HANDLE(%s, %s, %s, %s, %s, %s, %s)' % (kind.upper(), name, value, "NULL" if openmpi == "-" else '"%s"' % openmpi,
                                                         "MPI_NO_HANDLE" if mpich == "-" else mpich, size, extent))


def write_constants(_):
    for kind, name, value, openmpi, mpich in table.rows(path("constants.txt")):
        if kind != "number":
            print("MPI_CONSTANT(%s, %s, %s, %s, %s)" % (kind.upper(), name, value, openmpi, mpich))


WRITERS = {"header": write_header, "calls": write_calls, "version": write_version, "stubs": write_stubs, "raw": write_raw, "rows": write_rows, "native": write_native,
           "handles": write_handles, "constants": write_constants}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in WRITERS:
        raise SystemExit("usage: mpi.py " + "|".join(WRITERS))
    WRITERS[sys.argv[1]](table.functions(path("functions.txt")))
