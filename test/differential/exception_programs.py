"""Random C++ programs that throw, catch, nest, destroy and jump: source(seed) is one, in a namespace of its own.

A program has classes of exceptions (with bases that are virtual, private, ambiguous), classes with members that may throw, and
functions that call later ones: directly, by pointer, through a virtual function, a lambda or qsort. All that C++ leaves open is
avoided: what is printed depends on the seed and the input alone. inputs/exceptions/trace.h is what the programs share.
"""

import random

SCALARS = {"int": "%d", "long": "%dL", "short": "short(%d)", "unsigned char": "(unsigned char)%d", "double": "%d.5", "Color": "Color(%d)"}


class Exceptions:
    """The classes that a program throws."""

    def __init__(self, choice):
        self._choice = choice
        self.names, self.above, self._virtual, self._lines = [], {}, {}, []
        for number in range(choice.randint(3, 7)):
            self._add("E%d" % number)

    def _add(self, name):
        choice = self._choice
        bases = choice.sample(self.names, min(len(self.names), choice.choice((0, 1, 1, 2))))
        how = {base: choice.choice(("public ", "public ", "public virtual ", "private ")) for base in bases}
        inherited = set().union(*(self._virtual[base] for base in bases))
        for base in bases:  # one that is virtual elsewhere must be here; one that has virtual bases may not hide their destructors
            if base in inherited:
                how[base] = "public virtual "
            elif self._virtual[base]:
                how[base] = how[base].replace("private", "public")
        shared = inherited | {base for base in bases if "virtual" in how[base]}
        self._virtual[name] = shared
        self.above[name] = set(bases).union(*(self.above[base] for base in bases))
        made = sorted(set(bases) | shared)
        # A base is named from outside: a class may inherit its name privately.
        initialisers = "".join("SPACE::%s(s, n + 1), " % base for base in made)
        copies = "".join("SPACE::%s(other.state), " % base for base in made)
        clause = " : " + ", ".join(how[base] + "SPACE::" + base for base in bases) if bases else ""
        number = int(name[1:])
        self._lines += [
            "struct %s%s {" % (name, clause),
            "  State &state%d;" % number,
            "  int value%d;" % number,
            "  explicit %s(State &s) : %sstate%d(s), value%d(0) {}" % (
                name, "".join("SPACE::%s(s), " % base for base in made), number, number),
            "  %s(State &s, int n) : %sstate%d(s), value%d(n) { s.log(MADE, n * 100 + %d); }" % (name, initialisers, number, number, number),
            "  %s(const %s &other) : %sstate%d(other.state%d), value%d(other.value%d) { state%d.log(COPIED, value%d); }" % (
                name, name, copies.replace("other.state", "other.state%d" % number), number, number, number, number, number, number),
            "  virtual ~%s() { state%d.log(DESTROYED, value%d * 100 + %d); }" % (name, number, number, number),
            "  virtual int tag() const { return value%d * 10 + %d; }" % (number, number),
            "};"]
        self.names.append(name)

    def text(self):
        return "\n".join(self._lines)


class Program:
    """Builds the text of one program."""

    def __init__(self, seed):
        self._choice = random.Random(seed)
        self._exceptions = Exceptions(self._choice)
        self._functions = self._choice.randint(5, 9)
        self._holders = self._choice.randint(1, 3)
        self._number = 0

    def source(self, seed):
        parts = ["enum Color { RED };", self._exceptions.text(), self._context()]
        parts += ["static int f%d(Context &c, int depth);" % index for index in range(self._functions)]
        parts += [self._holder(index) for index in range(self._holders)]
        parts += [self._callee(), self._leap()]
        parts += [self._function(index) for index in range(self._functions)]
        parts.append(self._run())
        return "namespace seed_%d {\n%s\n}\n" % (seed, "\n".join(parts).replace("SPACE", "seed_%d" % seed))

    def _fresh(self):
        self._number += 1
        return self._number

    # What a program has once.

    def _context(self):
        names = self._exceptions.names
        made = "".join(", object%d(s, %d)" % (index, 50 + index) for index in range(len(names)))
        return "struct Context {\n  State &s;\n%s\n  explicit Context(State &state) : s(state)%s {}\n};" % (
            "\n".join("  %s object%d;" % item for item in zip(names, range(len(names)))), made.replace("(s,", "(state,"))

    def _holder(self, index):
        """A class whose members and base may throw, with a constructor that has a function try block, and one that delegates."""
        choice = self._choice
        odds = choice.choice((0, 3, 5))
        handler = choice.choice(("", "throw;", self._throw("s", True), "s.log(VALUE, 3);"))
        members = [("Tracked<%d> m%d%s;" % (choice.randrange(3), number, choice.choice(("", "[2]")))) for number in range(choice.randint(1, 3))]
        made = []
        for member in members:
            name = member.split()[1].rstrip(";")
            if "[2]" in name:
                made.append("%s{{s, n + 1, %d}, {s, n + 2, %d}}" % (name.replace("[2]", ""), odds, odds))
            else:
                made.append("%s(s, n + 3, %d)" % (name, odds))
        return """struct H%d : %sTracked<%d> {
  %s
  H%d(State &s, int n) try : Tracked(s, n, %d), %s {
    if (s.pick(4) == 0) { %s }
  } catch (%s) {
    s.log(CAUGHT, n);
    %s
  }
  explicit H%d(State &s) : H%d(s, 7) { if (s.pick(3) == 0) { %s } }
  ~H%d() noexcept(false) { this->state.log(LEFT, %d); }
};""" % (index, choice.choice(("", "virtual ")), choice.randrange(2), "\n  ".join(members), index, odds, ", ".join(made),
         self._throw("s", True), self._declaration(False), handler, index, index, self._throw("s", True), index, index)

    def _callee(self):
        """Virtual functions, a table of functions, and C's comparison."""
        last = self._functions - 1
        return """struct Callee { virtual int go(Context &c, int depth) = 0; virtual ~Callee() {} };
struct First : Callee { int go(Context &c, int depth) override { Tracked<0> t(c.s, 900); return f%d(c, depth); } };
struct Second : virtual Callee { int go(Context &c, int depth) override try { return f%d(c, depth); } catch (%s) { c.s.log(CAUGHT, 901); %s } };
static int (*const table[])(Context &, int) = {f%d, f%d};
static Context *compared;
static int compare(const void *, const void *) { compared->s.log(VALUE, 77); %s }
static void sort(Context &c) { int two[2] = {2, 1}; compared = &c; qsort(two, 2, sizeof *two, compare); }""" % (
            last, self._choice.randrange(self._functions // 2, self._functions), self._declaration(False),
            self._choice.choice(("throw;", "return 5;")), last, self._functions - 2,
            self._throw("compared->s", True) or "throw 1;")

    def _leap(self):
        """A chain of functions without objects to destroy, out of which a jump goes; one has a handler that a jump passes by."""
        return """static int leap(Context &c, int frames) {
  c.s.log(ENTERED, frames);
  if (c.s.pick(6) == 0) { %s }
  if (frames == 0) longjmp(*c.s.jump, 1 + c.s.pick(3));
  if (frames %% 2) {
    try { leap(c, frames - 1); } catch (%s) { c.s.log(CAUGHT, frames); %s }
  } else leap(c, frames - 1);
  return frames;
}
static int jumps(Context &c, int depth) {
  jmp_buf here;
  jmp_buf *const older = c.s.jump;
  volatile int times = 0;
  try {
    c.s.jump = &here;
    int value = setjmp(here);
    c.s.log(JUMPED, value);
    times = times + 1;
    if (times < 4 && value != 2)
      leap(c, depth %% 4);
  } catch (...) { c.s.jump = older; throw; }
  c.s.jump = older;
  return times;
}""" % (self._throw("c.s", True), self._declaration(False), self._choice.choice(("throw;", "c.s.log(VALUE, 8);")))

    def _function(self, index):
        body = self._block(index, 2, handler=False, loop=False)
        begin = "if (!c.s.spend()) return 0;\n  c.s.log(ENTERED, %d);" % index
        if self._choice.random() < 0.2:
            return "static int f%d(Context &c, int depth) try {\n  %s\n%s\n  return %d;\n}%s" % (
                index, begin, body, index, self._handlers(index, 1, returns=True))
        return "static int f%d(Context &c, int depth) {\n  %s\n%s\n  return depth + %d;\n}" % (index, begin, body, index)

    def _run(self):
        return """static void run(unsigned input, State &state) {
  static int (*const begin[])(Context &, int) = {f0, f1, f2};
  for (int turn = 0; turn < 9; ++turn) {
    state.budget = 30;
    try {
      Context c(state);
      state.log(VALUE, begin[turn % 3](c, 3));
      state.kept[0] = state.kept[1] = nullptr;
    } catch (...) { state.log(CAUGHT, turn); state.kept[0] = state.kept[1] = nullptr; }
    state.log(UNCAUGHT, std::uncaught_exceptions());
  }
}"""

    # Statements.

    def _throw(self, state, certain=False):
        """A throw expression as a statement. In functions `c` holds objects that pointers point to."""
        choice = self._choice
        number = choice.randrange(1, 90)
        kind = choice.random()
        if kind < 0.62:
            thrown = "%s(%s, %d)" % (choice.choice(self._exceptions.names), state, number)
        elif kind < 0.75 and not certain:
            thrown = choice.choice(("&c.object%d", "(const E%d *)&c.object%d", "(const void *)&c.object%d"))
            index = choice.randrange(len(self._exceptions.names))
            thrown = thrown.replace("%d", str(index))
        elif kind < 0.8:
            thrown = choice.choice(("nullptr", '"text"', "(char *)0"))
        else:
            name = choice.choice(list(SCALARS))
            thrown = SCALARS[name] % number
        return "{ %s.log(THROWN, %d); throw %s; }" % (state, number, thrown)

    def _declaration(self, named=True):
        """What a handler catches; `named`: as `e`."""
        choice = self._choice
        kind = choice.random()
        if kind < 0.15:
            return "..."
        if kind < 0.68:
            text = choice.choice(("%s ", "%s &", "const %s &", "%s &", "%s *", "const %s *")) % choice.choice(self._exceptions.names)
        elif kind < 0.76:
            text = choice.choice(("void *", "const void *", "const char *", "decltype(nullptr) ", "const std::bad_cast &"))
        else:
            text = choice.choice(list(SCALARS)) + choice.choice((" ", " &"))
        return text + "e" if named else text.rstrip()

    def _handlers(self, index, level, returns=False):
        """One to four catch clauses; the last may be (...)."""
        choice, text = self._choice, ""
        declarations = [self._declaration() for _ in range(choice.randint(1, 3))]
        declarations = [one for one in declarations if one != "..."] or ["..."]
        declarations = list(dict.fromkeys(declarations))
        if choice.random() < 0.3 and declarations[-1] != "...":
            declarations.append("...")
        for declaration in declarations:
            look = "c.s.log(CAUGHT, %d);" % self._fresh()
            name = declaration.split()[0] if not declaration.startswith("const ") else declaration.split()[1]
            if name in self._exceptions.names:
                access = "e->" if "*" in declaration else "e."
                guard = "if (e) " if "*" in declaration else ""
                value = "*e" if "*" in declaration else "e"
                look += " %s{ c.s.log(VALUE, %stag()); c.s.log_type(typeid(%s));" % (guard, access, value)
                # Not to a base: that is a conversion, which the compiler may refuse.
                other = choice.choice([each for each in self._exceptions.names if each not in self._exceptions.above[name]])
                look += " c.s.log(VALUE, dynamic_cast<const %s *>(&%s) != nullptr); }" % (other, value)
            elif declaration.split(" ")[0] in ("int", "long", "short", "double"):
                look += " c.s.log(VALUE, long(e));"
            body = self._block(index, level - 1, handler=True, loop=False)
            after = " return %d;" % self._fresh() if returns else ""
            text += " catch (%s) {\n%s\n%s%s\n}" % (declaration, look, body, after)
        return text

    def _block(self, index, level, handler, loop):
        return "\n".join(self._statement(index, level, handler, loop) for _ in range(self._choice.randint(2, 4) if level > 1 else self._choice.randint(1, 2)))

    def _call(self, index):
        """A call of a later function, or of this one with less depth."""
        choice = self._choice
        if index + 1 >= self._functions or choice.random() < 0.15:
            target, depth = "f%d" % index, "depth - 1"
            return "if (depth > 0) c.s.log(VALUE, %s(c, %s));" % (target, depth)
        target = "f%d" % choice.randrange(index + 1, self._functions)
        kind = choice.randrange(8)
        if kind == 0 and index < self._functions // 2:
            return "{ First first; Second second; Callee *callee = c.s.pick(2) ? (Callee *)&first : &second; c.s.log(VALUE, callee->go(c, depth)); }"
        if kind == 1 and index < self._functions - 2:
            return "c.s.log(VALUE, table[c.s.pick(2)](c, depth));"
        if kind == 2:
            return "c.s.log(VALUE, call_through([&] { Tracked<1> inner(c.s, %d); return %s(c, depth); }));" % (self._fresh(), target)
        if kind == 3:
            return "c.s.log(VALUE, [&]() noexcept(false) { return %s(c, depth); }());" % target
        return "c.s.log(VALUE, %s(c, depth));" % target

    def _statement(self, index, level, handler, loop):
        choice, number = self._choice, self._fresh()
        simple = [
            lambda: self._call(index),
            lambda: self._call(index),
            lambda: "if (c.s.pick(%d) == 0) %s" % (choice.randint(3, 9), self._throw("c.s")),
            lambda: "Tracked<%d> t%d(c.s, %d, %d);" % (choice.randrange(3), number, number, choice.choice((0, 0, 4, 6))),
            lambda: "Tracked<%d> t%d[] = {{c.s, %d, 9}, {c.s, %d, 7}, {c.s, %d}};" % (choice.randrange(3), number, number, number, number),
            lambda: "{ int ids[] = {Tracked<0>(c.s, %d).id, Tracked<1>(c.s, %d, 5).id}; c.s.log(VALUE, ids[1]); }" % (number, number + 1),
            lambda: "{ H%d h(c.s%s); c.s.log(VALUE, %d); }" % (choice.randrange(self._holders), choice.choice(("", ", 4")), number),
            lambda: "{ auto *a = new Tracked<%d>[2]{{c.s, %d, 6}, {c.s, %d, 4}}; c.s.log(ALLOCATED, 1); delete[] a; }" % (
                choice.randrange(2), number, number),
            lambda: "{ auto *h = new H%d(c.s); c.s.log(ALLOCATED, 2); delete h; }" % choice.randrange(self._holders),
            lambda: "try { sort(c); } catch (...) { c.s.log(CAUGHT, %d); }" % number,
            lambda: "c.s.log(JUMPED, jumps(c, depth + %d));" % choice.randrange(4),
            lambda: "if (c.s.kept[%d]) { auto p = c.s.kept[%d]; c.s.kept[%d] = nullptr; std::rethrow_exception(p); }" % ((choice.randrange(2),) * 3),
            lambda: "try { throw_again(); c.s.log(VALUE, 0); } catch (%s) { c.s.log(CAUGHT, %d); }" % (self._declaration(False), number),
            lambda: "try { c.s.log(VALUE, dynamic_cast<const %s &>(static_cast<const %s &>(c.object0)).tag()); } "
                    "catch (const std::bad_cast &) { c.s.log(CAUGHT, %d); }" % (choice.choice(self._exceptions.names), "E0", number),
            lambda: "if (c.s.pick(9) == 0) return %d;" % number,
        ]
        if handler:
            simple += [lambda: "if (c.s.pick(3) == 0) throw;",
                       lambda: "c.s.kept[%d] = std::current_exception();" % choice.randrange(2),
                       lambda: "if (c.s.pick(3) == 0) throw_again();",
                       lambda: "if (c.s.pick(2)) std::throw_with_nested(Nested{%d});" % number]
        if loop:
            simple.append(lambda: "if (c.s.pick(3) == 0) %s;" % choice.choice(("break", "continue")))
        if level <= 0 or choice.random() < 0.55:
            return choice.choice(simple)()
        kind = choice.randrange(4)
        if kind < 2:
            inner = self._block(index, level - 1, handler, loop)
            return "try {\n%s\n}%s" % (inner, self._handlers(index, level))
        if kind == 2:
            return "for (int i%d = 0; i%d < %d; ++i%d) {\n%s\n}" % (
                number, number, choice.randint(1, 3), number, self._block(index, level - 1, handler, True))
        return "switch (c.s.pick(2)) {\ncase 0: {\n%s\n} break;\ndefault: {\n%s\n}\n}" % (
            self._block(index, level - 1, handler, False), self._block(index, level - 1, handler, False))


def source(seed):
    return Program(seed).source(seed)
