# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads functions.txt, handles.txt and constants.txt, whose heads explain them."""

import re

HANDLES = {"comm": "MPI_Comm", "type": "MPI_Datatype", "op": "MPI_Op", "group": "MPI_Group", "info": "MPI_Info", "win": "MPI_Win",
           "file": "MPI_File", "errhandler": "MPI_Errhandler", "message": "MPI_Message", "request": "MPI_Request"}
NULLS = {kind: "MPI_%s_NULL" % kind.upper() for kind in HANDLES} | {"type": "MPI_DATATYPE_NULL"}
NUMBERS = {"int": "int", "count": "int", "rank": "int", "tag": "int", "aint": "MPI_Aint", "offset": "MPI_Offset"}
ARRAYS = {"ints": "int", "aints": "MPI_Aint", "types": "MPI_Datatype", "text": "char", "weights": "int", "triplets": "int"}


class Argument:
    """An argument. `way`: in (by value or read by a pointer), out, both (read and written), free (a handle that is freed), buffer.
    `kind`: a key of HANDLES, NUMBERS or ARRAYS, `enum`, `status`, `buffer`, `function` or `address`. `many`: the number of elements, as the table has
    it, or "" of a single value. `role`: when it is significant, of a rooted collective."""

    def __init__(self, text, function):
        self.name, _, text = text.partition(":")
        match = re.fullmatch(r"(?P<mark>[*=~]?)(?P<kind>%?\w+)(?:\?(?P<role>\w+))?(?:\[(?P<many>[^]]+)\])?(?:\((?P<shape>[^)]+)\))?", text)
        if not match:
            raise SystemExit("%s: '%s' is no argument" % (function, text))
        self.mark, self.kind = match["mark"], match["kind"]
        self.role, self.many, self.shape = match["role"] or "", match["many"] or "", match["shape"] or ""
        self.way = {"": "in", "*": "out", "=": "both", "~": "free"}[self.mark]
        self.values = ""
        if self.kind.startswith("%"):
            self.values, self.kind = self.kind[1:], "enum"
        self.direction = ""
        if self.kind in ("in", "out", "inout"):
            self.direction, self.kind, self.way = self.kind, "buffer", "buffer"
        known = {**HANDLES, **NUMBERS, **ARRAYS, "enum": 0, "status": 0, "buffer": 0, "function": 0, "address": 0}
        if self.kind not in known:
            raise SystemExit("%s: '%s' is no kind of argument" % (function, self.kind))

    @property
    def is_array(self):
        return bool(self.many) or self.kind == "text"

    @property
    def element(self):
        """The type of an element or of the value."""
        if self.kind in HANDLES:
            return HANDLES[self.kind]
        return ARRAYS.get(self.kind) or NUMBERS.get(self.kind) or {"enum": "int", "status": "MPI_Status", "address": "void *",
                                                                  "function": "MPI_User_function *"}[self.kind]

    def declare(self):
        """The parameter of the function for programs."""
        const = "const " if self.way == "in" else ""
        if self.kind == "buffer":
            return "%svoid *%s" % ("const " if self.direction == "in" else "", self.name)
        if self.kind == "status":
            return "%sMPI_Status *%s" % (const, self.name)
        if self.kind == "address":
            return "void *" + self.name
        if self.kind == "text":
            return "%schar *%s" % (const, self.name)
        if self.kind == "triplets":
            return "int %s[][3]" % self.name
        if self.is_array:
            return "%s%s %s[]" % (const, self.element, self.name)
        space = "" if self.element.endswith("*") else " "
        return self.element + space + ("" if self.way == "in" else "*") + self.name


class Function:
    def __init__(self, line):
        left, _, right = line.partition("|")
        self.name, *arguments = left.split(maxsplit=1)
        arguments = re.findall(r"\S+?:(?:[^\s\[(]|\[[^]]*\]|\([^)]*\))+", arguments[0]) if arguments else []
        self.arguments = [Argument(text, self.name) for text in arguments]
        words = right.split()
        self.via = words[words.index("via") + 1] if "via" in words else ""
        self.is_custom, self.is_internal, self.is_raw = "custom" in words, "internal" in words, "raw" in words
        self.with_all, self.is_own = "all" in words, "own" in words
        for argument in self.arguments:
            if argument.kind == "buffer":
                self.parse_shape(argument)

    def place(self, name):
        for place, argument in enumerate(self.arguments):
            if argument.name == name:
                return place
        raise SystemExit("%s: no argument '%s'" % (self.name, name))

    def parse_shape(self, buffer):
        """Sets form, count, blocks, displs and type of a buffer: names of arguments, blocks as `many`."""
        count, _, buffer.type = buffer.shape.partition(",")
        buffer.count, buffer.displs, buffer.blocks = count, "", ""
        buffer.form = "plain" if buffer.type else "bytes"
        for sign, form in (("*", "blocks"), ("@", "spread"), ("+", "sum")):
            if sign in count:
                buffer.form = form
                buffer.count, _, rest = count.partition(sign)
                if sign == "@":
                    buffer.displs = rest
                    buffer.blocks = self.arguments[self.place(buffer.count)].many
                else:
                    buffer.blocks = rest
        for name in (buffer.count, buffer.displs, buffer.type):
            if name and name != "1":
                self.place(name)

    def count_place(self, buffer):
        """The place of the argument that has the buffer's count; 255 if it has one element."""
        return 255 if buffer.count == "1" else self.place(buffer.count)

    def owner(self, argument):
        """The buffer that the argument describes, if it is one buffer's own: MPI_IN_PLACE there makes it insignificant."""
        owners = [a for a in self.arguments if a.kind == "buffer" and argument.name in (a.count, a.displs, a.type)]
        return owners[0] if len(owners) == 1 else None

    def object(self):
        """The argument whose error handler is called."""
        for argument in self.arguments:
            if argument.kind in ("comm", "win", "file") and argument.way in ("in", "free"):
                return argument
        return None


def lines(path):
    return [line.rstrip("\n") for line in open(path) if line.strip() and not line.startswith("#")]


def functions(path):
    return [Function(line) for line in lines(path)]


def rows(path):
    return [line.split() for line in lines(path)]
