//===-- offload/blas/entry/lapack_describe.c - See lapack_describe.h ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/entry/lapack_describe.h"
#include "offload/blas/policy/solver_work.h"

int start(lapack_use *u, const lapack_parameters *p, solver_kind kind,
          int is_variant, int64_t m, int64_t n, int64_t k) {
  offload_call *call = &u->call;
  const double work =
      solver_work(kind, is_variant, (double)m, (double)n, (double)k);
  const unsigned cpu = offload_solver(kind, p->type);
  const unsigned gpu = offload_solver(rated_on_gpu_as(kind), p->type);
  if (!offload_is_candidate(call, cpu, is_complex(p) ? 4 * work : work, 0))
    return 0;
  call->is_solver = 1;
  call->rated.rated_as[WHERE_CPU] =
      is_variant ? offload_solver_variant(cpu) : cpu;
  call->rated.rated_as[WHERE_GPU] =
      is_variant ? offload_solver_variant(gpu) : gpu;
  call->operand_count = call->argument_count = 0;
  call->arguments = u->arguments;
  return 1;
}

void integer(lapack_use *u, int64_t value) {
  u->arguments[u->call.argument_count++].integer = (int)value;
}

void no_array(lapack_use *u) {
  u->arguments[u->call.argument_count++].array = 0;
}

void no_matrix(lapack_use *u, int64_t rows) {
  no_array(u);
  integer(u, rows);
}

static operand *array(lapack_use *u, void *address, int how) {
  operand *o = &u->call.operands[u->call.operand_count++];
  *o = (operand){.place = (uint8_t)u->call.argument_count,
                 .reads = (how & READS) != 0,
                 .writes = (how & WRITES) != 0,
                 .destroys = (how & DESTROYS) != 0,
                 .part = PART_WHOLE,
                 .address = address};
  u->arguments[u->call.argument_count++].array = (uintptr_t)address;
  return o;
}

void vector(lapack_use *u, void *address, size_t element, int64_t count,
            int how) {
  operand *o = array(u, address, how);
  o->element = element;
  o->lines = 1;
  o->width = o->pitch = (size_t)count;
}

operand *matrix(lapack_use *u, const lapack_parameters *p, void *address,
                int64_t ld, int64_t rows, int64_t columns, int how) {
  operand *o = array(u, address, how);
  o->pitch_place = (uint8_t)u->call.argument_count;
  o->element = element_size(p);
  o->lines = (size_t)columns;
  o->width = (size_t)rows;
  o->pitch = (size_t)ld;
  integer(u, ld);
  return o;
}

void set_integer(const lapack_parameters *p, void *at, int64_t index,
                 int64_t value) {
  if (p->is_long)
    ((int64_t *)at)[index] = value;
  else
    ((int *)at)[index] = (int)value;
}

static void set_number(const lapack_parameters *p, void *at, int64_t value,
                       int with_imaginary) {
  for (int i = 0; i <= with_imaginary; ++i)
    if (real_size(p) == sizeof(float))
      ((float *)at)[i] = i ? 0 : (float)value;
    else
      ((double *)at)[i] = i ? 0 : (double)value;
}

int finish(lapack_use *u, const lapack_parameters *p) {
  if (!offload_begin(&u->call))
    return 0;
  if (p->lwork)
    set_number(p, p->work, p->lwork, is_complex(p));
  if (p->lrwork)
    set_number(p, p->rwork, p->lrwork, 0);
  if (p->liwork)
    set_integer(p, p->iwork, 0, p->liwork);
  set_integer(p, p->info, 0, 0);
  return 1;
}
