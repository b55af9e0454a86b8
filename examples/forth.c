/* A small Forth: reads words from the named files or standard input, compiles definitions to cells, runs them.
   usage: forth [FILE...]

   Numbers are 64-bit. Knows: + - * / mod /mod negate abs min max = <> < > <= >= 0= 0< and or xor invert lshift rshift
   dup drop swap over rot nip tuck ?dup 2dup 2drop pick depth >r r> r@ . u. .s emit cr space ." ... " ( ... ) \ ...
   @ ! +! c@ c! cells allot , here variable constant create : ; recurse exit if else then begin until while repeat again
   do ?do loop +loop i j leave unloop words bye */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t cell;

enum { STACK = 1024, MEMORY = 1 << 16, WORDS = 1024, NAME = 32 };

enum op {
  LITERAL, CALL, EXIT, BRANCH, BRANCH_IF_ZERO, DO, QUESTION_DO, LOOP, PLUS_LOOP, LEAVE, PRINT_STRING, PUSH_ADDRESS, LAST_INTERNAL,
  ADD = LAST_INTERNAL, SUB, MUL, DIV, MOD, SLASH_MOD, NEGATE, ABS, MIN, MAX, EQ, NE, LT, GT, LE, GE, ZERO_EQ, ZERO_LT,
  AND, OR, XOR, INVERT, LSHIFT, RSHIFT, DUP, DROP, SWAP, OVER, ROT, NIP, TUCK, MAYBE_DUP, DUP2, DROP2, PICK, DEPTH, TO_R, FROM_R,
  FETCH_R, DOT, U_DOT, DOT_S, EMIT, CR, SPACE, FETCH, STORE, ADD_STORE, FETCH_BYTE, STORE_BYTE, CELLS, ALLOT, COMMA, HERE,
  I, J, UNLOOP, WORD_LIST, BYE, /* from here on words that act while compiling, too */
  FIRST_IMMEDIATE, COLON = FIRST_IMMEDIATE, SEMICOLON, RECURSE, EXIT_WORD, IF, ELSE, THEN, BEGIN, UNTIL, WHILE, REPEAT, AGAIN,
  DO_WORD, QUESTION_DO_WORD, LOOP_WORD, PLUS_LOOP_WORD, LEAVE_WORD, DOT_QUOTE, PAREN, BACKSLASH, VARIABLE, CONSTANT, CREATE
};

static const char *const names[] = {
    "+", "-", "*", "/", "mod", "/mod", "negate", "abs", "min", "max", "=", "<>", "<", ">", "<=", ">=", "0=", "0<",
    "and", "or", "xor", "invert", "lshift", "rshift", "dup", "drop", "swap", "over", "rot", "nip", "tuck", "?dup", "2dup",
    "2drop", "pick", "depth", ">r", "r>", "r@", ".", "u.", ".s", "emit", "cr", "space", "@", "!", "+!", "c@", "c!",
    "cells", "allot", ",", "here", "i", "j", "unloop", "words", "bye", ":", ";", "recurse", "exit", "if", "else", "then",
    "begin", "until", "while", "repeat", "again", "do", "?do", "loop", "+loop", "leave", ".\"", "(", "\\", "variable",
    "constant", "create"};

struct word {
  char name[NAME];
  cell code; /* where its code begins in memory */
};

static cell stack[STACK], returns[STACK], memory[MEMORY];
static int depth, return_depth;
static cell here = 1; /* cell 0 stays unused: an address that is never valid */
static struct word words[WORDS];
static int word_count, compiling;

/* Open control structures while compiling, and the leaves of open loops, chained through their targets. */
static cell control[64], leaves[64];
static int control_depth, loop_depth;

static FILE *input;
static const char *input_name = "standard input";
static long line = 1;

static void fail(const char *why, const char *what) {
  fflush(stdout);
  fprintf(stderr, "forth: %s:%ld: %s%s%s\n", input_name, line, why, *what ? ": " : "", what);
  exit(1);
}

static void push(cell value) {
  if (depth == STACK)
    fail("stack overflow", "");
  stack[depth++] = value;
}

static cell pop(void) {
  if (!depth)
    fail("stack underflow", "");
  return stack[--depth];
}

static void push_return(cell value) {
  if (return_depth == STACK)
    fail("return stack overflow", "");
  returns[return_depth++] = value;
}

static cell pop_return(void) {
  if (!return_depth)
    fail("return stack underflow", "");
  return returns[--return_depth];
}

static cell *at(cell address) { /* addresses count bytes; cells are aligned */
  if (address < 8 || address >= (cell)sizeof memory || address % 8)
    fail("not an address of a cell", "");
  return &memory[address / 8];
}

static char *byte_at(cell address) {
  if (address < 8 || address >= (cell)sizeof memory)
    fail("not an address", "");
  return (char *)memory + address;
}

static cell compile(cell value) {
  if (here >= MEMORY)
    fail("out of memory", "");
  memory[here] = value;
  return here++;
}

static cell divide(cell a, cell b, cell *remainder) { /* rounds towards minus infinity */
  if (!b)
    fail("division by zero", "");
  if (b == -1) {
    *remainder = 0;
    return (cell)-(uint64_t)a;
  }
  cell quotient = a / b, rest = a % b;
  if (rest && (rest < 0) != (b < 0)) {
    quotient--;
    rest += b;
  }
  *remainder = rest;
  return quotient;
}

static void primitive(enum op op) {
  cell a, b, c;
#define BINARY(RESULT) b = pop(), a = pop(), push(RESULT); break
  switch (op) {
  case ADD: BINARY((cell)((uint64_t)a + (uint64_t)b));
  case SUB: BINARY((cell)((uint64_t)a - (uint64_t)b));
  case MUL: BINARY((cell)((uint64_t)a * (uint64_t)b));
  case DIV: b = pop(), a = pop(), push(divide(a, b, &c)); break;
  case MOD: b = pop(), a = pop(), divide(a, b, &c), push(c); break;
  case SLASH_MOD: b = pop(), a = pop(), a = divide(a, b, &c), push(c), push(a); break;
  case MIN: BINARY(a < b ? a : b);
  case MAX: BINARY(a > b ? a : b);
  case EQ: BINARY(-(a == b));
  case NE: BINARY(-(a != b));
  case LT: BINARY(-(a < b));
  case GT: BINARY(-(a > b));
  case LE: BINARY(-(a <= b));
  case GE: BINARY(-(a >= b));
  case AND: BINARY(a & b);
  case OR: BINARY(a | b);
  case XOR: BINARY(a ^ b);
  case LSHIFT: BINARY((uint64_t)b < 64 ? (cell)((uint64_t)a << b) : 0);
  case RSHIFT: BINARY((uint64_t)b < 64 ? (cell)((uint64_t)a >> b) : 0);
  case NEGATE: push((cell)-(uint64_t)pop()); break;
  case ABS: a = pop(), push(a < 0 ? (cell)-(uint64_t)a : a); break;
  case ZERO_EQ: push(-(pop() == 0)); break;
  case ZERO_LT: push(-(pop() < 0)); break;
  case INVERT: push(~pop()); break;
  case DUP: a = pop(), push(a), push(a); break;
  case DROP: pop(); break;
  case SWAP: b = pop(), a = pop(), push(b), push(a); break;
  case OVER: b = pop(), a = pop(), push(a), push(b), push(a); break;
  case ROT: c = pop(), b = pop(), a = pop(), push(b), push(c), push(a); break;
  case NIP: b = pop(), pop(), push(b); break;
  case TUCK: b = pop(), a = pop(), push(b), push(a), push(b); break;
  case MAYBE_DUP: a = pop(), push(a); if (a) push(a); break;
  case DUP2: b = pop(), a = pop(), push(a), push(b), push(a), push(b); break;
  case DROP2: pop(), pop(); break;
  case PICK:
    a = pop();
    if (a < 0 || a >= depth)
      fail("stack underflow", "pick");
    push(stack[depth - 1 - a]);
    break;
  case DEPTH: push(depth); break;
  case TO_R: push_return(pop()); break;
  case FROM_R: push(pop_return()); break;
  case FETCH_R: a = pop_return(), push_return(a), push(a); break;
  case DOT: printf("%lld ", (long long)pop()); break;
  case U_DOT: printf("%llu ", (unsigned long long)pop()); break;
  case DOT_S:
    printf("<%d> ", depth);
    for (int i = 0; i < depth; i++)
      printf("%lld ", (long long)stack[i]);
    break;
  case EMIT: putchar((int)pop()); break;
  case CR: putchar('\n'); break;
  case SPACE: putchar(' '); break;
  case FETCH: push(*at(pop())); break;
  case STORE: b = pop(), a = pop(), *at(b) = a; break;
  case ADD_STORE: b = pop(), a = pop(), *at(b) += a; break;
  case FETCH_BYTE: push((unsigned char)*byte_at(pop())); break;
  case STORE_BYTE: b = pop(), a = pop(), *byte_at(b) = (char)a; break;
  case CELLS: push(pop() * 8); break;
  case ALLOT:
    a = (pop() + 7) / 8;
    if (a < -here || a >= MEMORY - here)
      fail("out of memory", "allot");
    here += a;
    break;
  case COMMA: compile(pop()); break;
  case HERE: push(here * 8); break;
  case I: case J:
    if (return_depth < (op == I ? 2 : 4))
      fail("not in a loop", names[op - LAST_INTERNAL]);
    push(returns[return_depth - (op == I ? 1 : 3)]);
    break;
  case UNLOOP: pop_return(), pop_return(); break;
  case WORD_LIST:
    for (int i = word_count; i--;)
      printf("%s ", words[i].name);
    break;
  case BYE: exit(fflush(stdout) ? 1 : 0);
  default: fail("not a word to run", "");
  }
}

/* Runs the code at 'start' until its exit. */
static void run(cell start) {
  int base = return_depth;
  cell pc = start, a, b;
  push_return(0);
  for (;;) {
    cell op = memory[pc++];
    switch (op) {
    case LITERAL: push(memory[pc++]); break;
    case CALL:
      push_return(pc + 1);
      pc = memory[pc];
      break;
    case EXIT:
      pc = pop_return();
      if (return_depth == base)
        return;
      if (pc <= 0 || pc >= MEMORY)
        fail("the return stack is out of balance", "");
      break;
    case BRANCH: pc = memory[pc]; break;
    case BRANCH_IF_ZERO: pc = pop() ? pc + 1 : memory[pc]; break;
    case DO: case QUESTION_DO:
      b = pop(), a = pop();
      if (op == QUESTION_DO && a == b) {
        pc = memory[pc];
        break;
      }
      push_return(a), push_return(b);
      pc++;
      break;
    case LOOP: case PLUS_LOOP:
      a = op == LOOP ? 1 : pop();
      if (return_depth < 2)
        fail("not in a loop", "");
      b = returns[return_depth - 1] - returns[return_depth - 2];
      returns[return_depth - 1] += a;
      /* Ends when the index crosses the line between limit - 1 and limit. */
      if ((b < 0) != (b + a < 0)) {
        return_depth -= 2;
        pc++;
      } else {
        pc = memory[pc];
      }
      break;
    case LEAVE:
      pop_return(), pop_return();
      pc = memory[pc];
      break;
    case PRINT_STRING:
      a = memory[pc];
      fwrite(&memory[pc + 1], 1, (size_t)a, stdout);
      pc += 1 + (a + 7) / 8;
      break;
    case PUSH_ADDRESS: push(memory[pc++]); break;
    default:
      if (op < LAST_INTERNAL || op >= FIRST_IMMEDIATE)
        fail("not code", "");
      primitive((enum op)op);
    }
  }
}

static char token[256];

static int next_token(void) {
  int c, length = 0;
  do
    if ((c = getc(input)) == '\n')
      line++;
  while (isspace(c));
  for (; c != EOF && !isspace(c); c = getc(input))
    if (length < (int)sizeof token - 1)
      token[length++] = (char)tolower(c);
  if (c == '\n')
    ungetc(c, input);
  token[length] = 0;
  return length;
}

static void need_token(void) {
  if (!next_token())
    fail("a name expected at the end", "");
}

static void define(void) {
  need_token();
  if (word_count == WORDS || strlen(token) >= NAME)
    fail("too many words, or the name is too long", token);
  strcpy(words[word_count].name, token);
  words[word_count].code = here;
}

static void open_structure(cell place) {
  if (control_depth == 64)
    fail("nested too deeply", "");
  control[control_depth++] = place;
}

static cell close_structure(const char *what) {
  if (!control_depth)
    fail("without its beginning", what);
  return control[--control_depth];
}

static void end_loop(enum op op) {
  cell begin = close_structure("loop");
  compile(op);
  compile(begin);
  for (cell leave = leaves[--loop_depth], next; leave; leave = next) {
    next = memory[leave];
    memory[leave] = here;
  }
}

static void text_until(int end, int keep) {
  cell length_at = keep ? compile(0) : 0, length = 0;
  int c = getc(input);
  for (; c != end && c != EOF; c = getc(input)) {
    if (c == '\n')
      line++;
    if (!keep)
      continue;
    if (length % 8 == 0)
      compile(0);
    ((char *)&memory[length_at + 1])[length++] = (char)c;
  }
  if (c == EOF && end != '\n')
    fail("text without its end", "");
  if (c == '\n')
    line++;
  if (keep)
    memory[length_at] = length;
}

static void need_compiling(const char *what) {
  if (!compiling)
    fail("only inside a definition", what);
}

static void immediate(enum op op) {
  cell a;
  if (op != COLON && op < DOT_QUOTE)
    need_compiling(token);
  switch (op) {
  case COLON:
    if (compiling)
      fail("a definition inside a definition", "");
    define();
    compiling = 1;
    break;
  case SEMICOLON:
    if (control_depth || loop_depth)
      fail("a structure is still open", words[word_count].name);
    compile(EXIT);
    word_count++;
    compiling = 0;
    break;
  case RECURSE: compile(CALL), compile(words[word_count].code); break;
  case EXIT_WORD: compile(EXIT); break;
  case IF: case WHILE: compile(BRANCH_IF_ZERO), open_structure(compile(0)); break;
  case ELSE:
    a = close_structure("else");
    compile(BRANCH), open_structure(compile(0));
    memory[a] = here;
    break;
  case THEN: memory[close_structure("then")] = here; break;
  case BEGIN: open_structure(here); break;
  case UNTIL: compile(BRANCH_IF_ZERO), compile(close_structure("until")); break;
  case AGAIN: compile(BRANCH), compile(close_structure("again")); break;
  case REPEAT:
    a = close_structure("repeat");
    compile(BRANCH), compile(close_structure("repeat"));
    memory[a] = here;
    break;
  case DO_WORD: case QUESTION_DO_WORD:
    if (loop_depth == 64)
      fail("nested too deeply", "");
    compile(op == DO_WORD ? DO : QUESTION_DO);
    leaves[loop_depth++] = compile(0);
    open_structure(here);
    break;
  case LOOP_WORD: end_loop(LOOP); break;
  case PLUS_LOOP_WORD: end_loop(PLUS_LOOP); break;
  case LEAVE_WORD:
    if (!loop_depth)
      fail("not in a loop", "leave");
    compile(LEAVE);
    a = compile(leaves[loop_depth - 1]);
    leaves[loop_depth - 1] = a;
    break;
  case DOT_QUOTE: {
    cell begin = here;
    compile(PRINT_STRING);
    text_until('"', 1);
    if (!compiling) { /* print it now */
      fwrite(&memory[begin + 2], 1, (size_t)memory[begin + 1], stdout);
      here = begin;
    }
    break;
  }
  case PAREN: text_until(')', 0); break;
  case BACKSLASH: text_until('\n', 0); break;
  case VARIABLE: case CREATE:
    define();
    compile(PUSH_ADDRESS), compile((here + 2) * 8), compile(EXIT);
    if (op == VARIABLE)
      compile(0);
    word_count++;
    break;
  case CONSTANT:
    define();
    compile(LITERAL), compile(pop()), compile(EXIT);
    word_count++;
    break;
  default: break;
  }
}

static void interpret(void) {
  while (next_token()) {
    int found = 0;
    for (int i = word_count; i-- && !found;)
      if (strcmp(words[i].name, token) == 0) {
        found = 1;
        if (compiling)
          compile(CALL), compile(words[i].code);
        else
          run(words[i].code);
      }
    for (int i = 0; i < (int)(sizeof names / sizeof *names) && !found; i++)
      if (strcmp(names[i], token) == 0) {
        int op = LAST_INTERNAL + i;
        found = 1;
        if (op >= FIRST_IMMEDIATE)
          immediate((enum op)op);
        else if (compiling)
          compile(op);
        else
          primitive((enum op)op);
      }
    if (found)
      continue;
    char *end;
    long long number = strtoll(token, &end, 10);
    if (*end || end == token)
      fail("unknown word", token);
    if (compiling)
      compile(LITERAL), compile(number);
    else
      push(number);
  }
  if (compiling)
    fail("a definition without its end", words[word_count].name);
}

int main(int argc, char **argv) {
  if (argc == 1) {
    input = stdin;
    interpret();
  }
  for (int i = 1; i < argc; i++) {
    input_name = argv[i];
    line = 1;
    input = fopen(input_name, "r");
    if (!input) {
      fprintf(stderr, "forth: ");
      perror(input_name);
      return 1;
    }
    interpret();
    fclose(input);
  }
  return fflush(stdout) ? 1 : 0;
}
