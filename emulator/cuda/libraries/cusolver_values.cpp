//===-- emulator/cuda/libraries/cusolver_values.cpp - Eigenvalues ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues of symmetric and hermitian matrices, and singular values. The
// functions of Jacobi are the others, with the arguments of Jacobi's.
// NOLINTBEGIN(readability-identifier-naming): matrices have LAPACK's names.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/libraries/cusolver.h"
#include <new>

using namespace gpuexec::cusolver;

struct syevjInfo {};
struct gesvdjInfo {};

#define GPUEXEC_JACOBI(NAME, LOWER)                                            \
  cusolverStatus_t cusolverDnCreate##NAME##Info(LOWER##Info_t *info) {         \
    if (!info)                                                                 \
      return CUSOLVER_STATUS_INVALID_VALUE;                                    \
    *info = new (std::nothrow) LOWER##Info;                                    \
    return *info ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;     \
  }                                                                            \
  cusolverStatus_t cusolverDnDestroy##NAME##Info(LOWER##Info_t info) {         \
    delete info;                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                            \
  }                                                                            \
  cusolverStatus_t cusolverDnX##LOWER##SetTolerance(LOWER##Info_t info,        \
                                                    double) {                  \
    return info ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;     \
  }                                                                            \
  cusolverStatus_t cusolverDnX##LOWER##SetMaxSweeps(LOWER##Info_t info, int) { \
    return info ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;     \
  }                                                                            \
  cusolverStatus_t cusolverDnX##LOWER##SetSortEig(LOWER##Info_t info, int) {   \
    return info ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;     \
  }
GPUEXEC_JACOBI(Syevj, syevj)
GPUEXEC_JACOBI(Gesvdj, gesvdj)

namespace {

/// Calls one of LAPACK's divide and conquer functions, whose last arguments are
/// all workspace: `function` gets them with their lengths.
template <class T, class Function> void with_works(Function function) {
  T best{};
  Real<T> best_real{};
  int best_integer = 0;
  int length = -1, real_length = -1, integer_length = -1;
  function(&best, &length, &best_real, &real_length, &best_integer,
           &integer_length);
  length = work_length(std::real(best));
  real_length = work_length(best_real);
  integer_length = std::max(1, best_integer);
  std::vector<T> work(static_cast<size_t>(length));
  std::vector<Real<T>> reals(static_cast<size_t>(real_length));
  std::vector<int> integers(static_cast<size_t>(integer_length));
  function(work.data(), &length, reals.data(), &real_length, integers.data(),
           &integer_length);
}

template <class T>
cusolverStatus_t evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                     cublasFillMode_t uplo, int n, T *A, int lda, Real<T> *W,
                     int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  if (!is_mode(jobz) || !is_triangle(uplo) || !fits(n, lda))
    return CUSOLVER_STATUS_INVALID_VALUE;
  const char mode = letter_of(jobz), half = letter_of(uplo);
  int result = 0;
  with_works<T>([&](T *work, int *length, Real<T> *reals, int *real_length,
                    int *integers, int *integer_length) {
    if constexpr (IS_COMPLEX<T>)
      call<T>("", "heevd", &mode, &half, &n, A, &lda, W, work, length, reals,
              real_length, integers, integer_length, &result);
    else
      call<T>("syevd", "", &mode, &half, &n, A, &lda, W, work, length, integers,
              integer_length, &result);
  });
  return end(result, info);
}

template <class T>
cusolverStatus_t gvd(cusolverDnHandle_t handle, cusolverEigType_t itype,
                     cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A,
                     int lda, T *B, int ldb, Real<T> *W, int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  const int type = itype;
  if (type < 1 || type > 3 || !is_mode(jobz) || !is_triangle(uplo) ||
      !fits(n, lda) || !fits(n, ldb))
    return CUSOLVER_STATUS_INVALID_VALUE;
  const char mode = letter_of(jobz), half = letter_of(uplo);
  int result = 0;
  with_works<T>([&](T *work, int *length, Real<T> *reals, int *real_length,
                    int *integers, int *integer_length) {
    if constexpr (IS_COMPLEX<T>)
      call<T>("", "hegvd", &type, &mode, &half, &n, A, &lda, B, &ldb, W, work,
              length, reals, real_length, integers, integer_length, &result);
    else
      call<T>("sygvd", "", &type, &mode, &half, &n, A, &lda, B, &ldb, W, work,
              length, integers, integer_length, &result);
  });
  return end(result, info);
}

/// LAPACK's gesvd; the numbers above the diagonal that have not become 0 go to
/// `superdiagonal`, where that is not null.
template <class T>
int singular_values(char jobu, char jobvt, int m, int n, T *A, int lda,
                    Real<T> *S, T *U, int ldu, T *VT, int ldvt,
                    Real<T> *superdiagonal) {
  int result = 0;
  const int least = std::min(m, n);
  std::vector<Real<T>> reals(5 * size_t(std::max(1, least)));
  with_work<T>([&](T *work, const int *length) {
    if constexpr (IS_COMPLEX<T>)
      call<T>("", "gesvd", &jobu, &jobvt, &m, &n, A, &lda, S, U, &ldu, VT,
              &ldvt, work, length, reals.data(), &result);
    else
      call<T>("gesvd", "", &jobu, &jobvt, &m, &n, A, &lda, S, U, &ldu, VT,
              &ldvt, work, length, &result);
    if (*length < 0 || result <= 0 || !superdiagonal)
      return;
    for (int i = 0; i + 1 < least; ++i)
      if constexpr (IS_COMPLEX<T>)
        superdiagonal[i] = reals[size_t(i)];
      else
        superdiagonal[i] = work[i + 1];
  });
  return result;
}

bool is_job(char job) {
  return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

template <class T>
cusolverStatus_t gesvd(cusolverDnHandle_t handle, char jobu, char jobvt, int m,
                       int n, T *A, int lda, Real<T> *S, T *U, int ldu, T *VT,
                       int ldvt, Real<T> *superdiagonal, int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  // cuSOLVER has no wide matrices here.
  const bool has_u = jobu == 'A' || jobu == 'S',
             has_vt = jobvt == 'A' || jobvt == 'S';
  if (!is_job(jobu) || !is_job(jobvt) || (jobu == 'O' && jobvt == 'O') ||
      n < 0 || m < n || !fits(m, lda) || (has_u && !fits(m, ldu)) ||
      (has_vt && !fits(n, ldvt)))
    return CUSOLVER_STATUS_INVALID_VALUE;
  const int step_u = std::max(1, ldu), step_vt = std::max(1, ldvt);
  return end(singular_values(jobu, jobvt, m, n, A, lda, S, U, step_u, VT,
                             step_vt, superdiagonal),
             info);
}

/// Jacobi's has V where gesvd has its conjugate transpose, and wide matrices.
template <class T>
cusolverStatus_t gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                        int econ, int m, int n, T *A, int lda, Real<T> *S, T *U,
                        int ldu, T *V, int ldv, int *info) {
  if (cusolverStatus_t status = begin(handle))
    return status;
  const bool has_vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  if (!is_mode(jobz) || n < 0 || !fits(m, lda) ||
      (has_vectors && (!fits(m, ldu) || !fits(n, ldv))))
    return CUSOLVER_STATUS_INVALID_VALUE;
  const char job = !has_vectors ? 'N' : econ ? 'S' : 'A';
  const int columns = econ ? std::min(m, n) : n, ldvt = std::max(1, columns);
  std::vector<T> vt(has_vectors ? size_t(ldvt) * size_t(n) : 1);
  const int result = singular_values<T>(
      job, job, m, n, A, lda, S, U, std::max(1, ldu), vt.data(), ldvt, nullptr);
  if (has_vectors)
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < n; ++i)
        V[int64_t(j) * ldv + i] =
            conjugate(vt[size_t(i) * size_t(ldvt) + size_t(j)], true);
  return end(result, info);
}

} // namespace

#define GPUEXEC_TYPE(TYPE, ELEMENT, REAL, SY)                                  \
  cusolverStatus_t cusolverDn##TYPE##gesvd_bufferSize(                         \
      cusolverDnHandle_t handle, int m, int n, int *lwork) {                   \
    return answer_size(handle, n >= 0 && m >= n, lwork);                       \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##gesvd(                                    \
      cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,   \
      int n, ELEMENT *A, int lda, REAL *S, ELEMENT *U, int ldu, ELEMENT *VT,   \
      int ldvt, ELEMENT *, int, REAL *rwork, int *info) {                      \
    return gesvd(handle, char(jobu), char(jobvt), m, n, numbers(A), lda, S,    \
                 numbers(U), ldu, numbers(VT), ldvt, rwork, info);             \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##gesvdj_bufferSize(                        \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int, int m, int n,    \
      const ELEMENT *, int lda, const REAL *, const ELEMENT *, int,            \
      const ELEMENT *, int, int *lwork, gesvdjInfo_t) {                        \
    return answer_size(handle, is_mode(jobz) && n >= 0 && fits(m, lda),        \
                       lwork);                                                 \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##gesvdj(                                   \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,      \
      int n, ELEMENT *A, int lda, REAL *S, ELEMENT *U, int ldu, ELEMENT *V,    \
      int ldv, ELEMENT *, int, int *info, gesvdjInfo_t) {                      \
    return gesvdj(handle, jobz, econ, m, n, numbers(A), lda, S, numbers(U),    \
                  ldu, numbers(V), ldv, info);                                 \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##SY##evd_bufferSize(                       \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz,                       \
      cublasFillMode_t uplo, int n, const ELEMENT *, int lda, const REAL *,    \
      int *lwork) {                                                            \
    return answer_size(                                                        \
        handle, is_mode(jobz) && is_triangle(uplo) && fits(n, lda), lwork);    \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##SY##evd(                                  \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz,                       \
      cublasFillMode_t uplo, int n, ELEMENT *A, int lda, REAL *W, ELEMENT *,   \
      int, int *info) {                                                        \
    return evd(handle, jobz, uplo, n, numbers(A), lda, W, info);               \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##SY##evj_bufferSize(                       \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz,                       \
      cublasFillMode_t uplo, int n, const ELEMENT *, int lda, const REAL *,    \
      int *lwork, syevjInfo_t) {                                               \
    return answer_size(                                                        \
        handle, is_mode(jobz) && is_triangle(uplo) && fits(n, lda), lwork);    \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##SY##evj(                                  \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz,                       \
      cublasFillMode_t uplo, int n, ELEMENT *A, int lda, REAL *W, ELEMENT *,   \
      int, int *info, syevjInfo_t) {                                           \
    return evd(handle, jobz, uplo, n, numbers(A), lda, W, info);               \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##SY##gvd_bufferSize(                       \
      cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t jobz,    \
      cublasFillMode_t uplo, int n, const ELEMENT *, int lda, const ELEMENT *, \
      int ldb, const REAL *, int *lwork) {                                     \
    return answer_size(handle,                                                 \
                       is_mode(jobz) && is_triangle(uplo) && fits(n, lda) &&   \
                           fits(n, ldb),                                       \
                       lwork);                                                 \
  }                                                                            \
  cusolverStatus_t cusolverDn##TYPE##SY##gvd(                                  \
      cusolverDnHandle_t handle, cusolverEigType_t itype,                      \
      cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, ELEMENT *A,        \
      int lda, ELEMENT *B, int ldb, REAL *W, ELEMENT *, int, int *info) {      \
    return gvd(handle, itype, jobz, uplo, n, numbers(A), lda, numbers(B), ldb, \
               W, info);                                                       \
  }
GPUEXEC_TYPE(S, float, float, sy)
GPUEXEC_TYPE(D, double, double, sy)
GPUEXEC_TYPE(C, cuComplex, float, he)
GPUEXEC_TYPE(Z, cuDoubleComplex, double, he)
// NOLINTEND(readability-identifier-naming)
