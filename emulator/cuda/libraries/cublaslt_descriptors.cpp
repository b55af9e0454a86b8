//===-- emulator/cuda/libraries/cublaslt_descriptors.cpp - Of cuBLASLt ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcublasLt.so: handles, and descriptors with their attributes.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/libraries/cublaslt.h"
#include "emulator/cuda/libraries/host_blas.h"
#include "emulator/cuda/libraries/status.h"
#include "emulator/cuda/libraries/version.h"
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>

using namespace gpuexec::cublaslt;

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!gpuexec::host_blas::is_there("libcublasLt"))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new (std::nothrow) cublasLtContext;
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete handle;
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
const char *cublasLtGetStatusName(cublasStatus_t status) {
  return gpuexec::cuda_libraries::status_name(status);
}
const char *cublasLtGetStatusString(cublasStatus_t status) {
  return gpuexec::cuda_libraries::status_name(status);
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return 12040; }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value) {
  if (!value)
    return CUBLAS_STATUS_INVALID_VALUE;
  constexpr gpuexec::cuda_libraries::Version VERSION = {
      CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = VERSION.property(type);
  return CUBLAS_STATUS_SUCCESS;
}

//===-- Attributes --------------------------------------------------------===//

namespace {

/// Where a descriptor has an attribute's value.
struct Attribute {
  int number;
  size_t offset, size;
};
/// In an attribute's offset: there is no place for it. It is 0, and other
/// values are not supported.
constexpr size_t ALWAYS_0 = ~size_t();

#define GPUEXEC_FIELD(NUMBER, TYPE, FIELD)                                     \
  { NUMBER, offsetof(TYPE, FIELD), sizeof(TYPE::FIELD) }

constexpr Attribute LAYOUT[] = {
    GPUEXEC_FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, Layout, type),
    GPUEXEC_FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, Layout, order),
    GPUEXEC_FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, Layout, rows),
    GPUEXEC_FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, Layout, columns),
    GPUEXEC_FIELD(CUBLASLT_MATRIX_LAYOUT_LD, Layout, ld),
    GPUEXEC_FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, Layout, count),
    GPUEXEC_FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, Layout,
                  batch_step),
    {CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, ALWAYS_0, sizeof(int64_t)},
};
constexpr Attribute OPERATION[] = {
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, Operation, compute),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, Operation, scale_type),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, Operation, pointer_mode),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_TRANSA, Operation, transa),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_TRANSB, Operation, transb),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_TRANSC, Operation, transc),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, Operation, fill_mode),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, Operation, epilogue),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, Operation, bias),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, Operation, bias_step),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, Operation, bias_type),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, Operation, aux),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, Operation, aux_ld),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, Operation,
                  aux_step),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, Operation,
                  aux_type),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, Operation,
                  alpha_step),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, Operation, sm_count),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_DESC_FAST_ACCUM, Operation, fast_accum),
    {CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, ALWAYS_0, sizeof(void *)},
    {CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, ALWAYS_0, sizeof(void *)},
    {CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, ALWAYS_0, sizeof(void *)},
    {CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, ALWAYS_0, sizeof(void *)},
    {CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, ALWAYS_0, sizeof(void *)},
    {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, ALWAYS_0, sizeof(void *)},
    {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, ALWAYS_0, sizeof(void *)},
};
constexpr Attribute PREFERENCE[] = {
    GPUEXEC_FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE, Preference, search_mode),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, Preference,
                  workspace),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, Preference,
                  reductions),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, Preference,
                  alignment_a),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, Preference,
                  alignment_b),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, Preference,
                  alignment_c),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, Preference,
                  alignment_d),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, Preference, waves),
    GPUEXEC_FIELD(CUBLASLT_MATMUL_PREF_IMPL_MASK, Preference, implementations),
};
constexpr Attribute TRANSFORM[] = {
    GPUEXEC_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, Transform,
                  scale_type),
    GPUEXEC_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, Transform,
                  pointer_mode),
    GPUEXEC_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, Transform, transa),
    GPUEXEC_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, Transform, transb),
};
#undef GPUEXEC_FIELD

template <size_t N>
const Attribute *find(const Attribute (&table)[N], int number) {
  const auto *found =
      std::find_if(std::begin(table), std::end(table),
                   [=](const Attribute &row) { return row.number == number; });
  return found == std::end(table) ? nullptr : found;
}

cublasStatus_t set(void *descriptor, const Attribute *attribute,
                   const void *value, size_t size) {
  if (!descriptor || !value)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!attribute)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (size != attribute->size)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (attribute->offset == ALWAYS_0) {
    const char *bytes = static_cast<const char *>(value);
    return std::any_of(bytes, bytes + size, [](char byte) { return byte; })
               ? CUBLAS_STATUS_NOT_SUPPORTED
               : CUBLAS_STATUS_SUCCESS;
  }
  memcpy(static_cast<char *>(descriptor) + attribute->offset, value, size);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get(const void *descriptor, const Attribute *attribute,
                   void *value, size_t size, size_t *written) {
  if (!descriptor || (size ? !value : !written))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!attribute)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (size && size != attribute->size)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (written)
    *written = attribute->size;
  if (size && attribute->offset == ALWAYS_0)
    memset(value, 0, size);
  else if (size)
    memcpy(value, static_cast<const char *>(descriptor) + attribute->offset,
           size);
  return CUBLAS_STATUS_SUCCESS;
}

/// `contents` as a descriptor in memory of the program's.
template <class Contents>
cublasStatus_t init(void *memory, size_t size, const Contents &contents) {
  if (!memory)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (size < sizeof(Contents))
    return CUBLAS_STATUS_ALLOC_FAILED;
  new (memory) Contents(contents);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Opaque, class Contents>
cublasStatus_t create(Opaque **descriptor, const Contents &contents) {
  if (!descriptor)
    return CUBLAS_STATUS_INVALID_VALUE;
  *descriptor = new (std::nothrow) Opaque();
  return *descriptor ? init(*descriptor, sizeof(Opaque), contents)
                     : CUBLAS_STATUS_ALLOC_FAILED;
}

Layout layout_of(cudaDataType type, uint64_t rows, uint64_t columns,
                 int64_t ld) {
  Layout layout;
  layout.type = type;
  layout.rows = rows;
  layout.columns = columns;
  layout.ld = ld;
  return layout;
}
Operation operation_of(cublasComputeType_t compute, cudaDataType scale_type) {
  Operation operation;
  operation.compute = compute;
  operation.scale_type = scale_type;
  return operation;
}
Transform transform_of(cudaDataType scale_type) {
  Transform transform;
  transform.scale_type = scale_type;
  return transform;
}

} // namespace

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout,
                                                 size_t size, cudaDataType type,
                                                 uint64_t rows,
                                                 uint64_t columns, int64_t ld) {
  return init(layout, size, layout_of(type, rows, columns, ld));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout,
                                          cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t ld) {
  return create(layout, layout_of(type, rows, columns, ld));
}
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t descriptor,
                                               size_t size,
                                               cublasComputeType_t compute,
                                               cudaDataType scale_type) {
  return init(descriptor, size, operation_of(compute, scale_type));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *descriptor,
                                        cublasComputeType_t compute,
                                        cudaDataType scale_type) {
  return create(descriptor, operation_of(compute, scale_type));
}
cublasStatus_t
cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                      size_t size) {
  return init(preference, size, Preference());
}
cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  return create(preference, Preference());
}
cublasStatus_t cublasLtMatrixTransformDescInit_internal(
    cublasLtMatrixTransformDesc_t descriptor, size_t size,
    cudaDataType scale_type) {
  return init(descriptor, size, transform_of(scale_type));
}
cublasStatus_t
cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *descriptor,
                                  cudaDataType scale_type) {
  return create(descriptor, transform_of(scale_type));
}

#define GPUEXEC_DESCRIPTOR(NAME, ATTRIBUTE, TABLE)                             \
  cublasStatus_t cublasLt##NAME##Destroy(cublasLt##NAME##_t descriptor) {      \
    delete descriptor;                                                         \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t cublasLt##NAME##SetAttribute(                                 \
      cublasLt##NAME##_t descriptor, ATTRIBUTE attribute, const void *value,   \
      size_t size) {                                                           \
    return set(descriptor, find(TABLE, attribute), value, size);               \
  }                                                                            \
  cublasStatus_t cublasLt##NAME##GetAttribute(                                 \
      cublasLt##NAME##_t descriptor, ATTRIBUTE attribute, void *value,         \
      size_t size, size_t *written) {                                          \
    return get(descriptor, find(TABLE, attribute), value, size, written);      \
  }
GPUEXEC_DESCRIPTOR(MatrixLayout, cublasLtMatrixLayoutAttribute_t, LAYOUT)
GPUEXEC_DESCRIPTOR(MatmulDesc, cublasLtMatmulDescAttributes_t, OPERATION)
GPUEXEC_DESCRIPTOR(MatmulPreference, cublasLtMatmulPreferenceAttributes_t,
                   PREFERENCE)
GPUEXEC_DESCRIPTOR(MatrixTransformDesc, cublasLtMatrixTransformDescAttributes_t,
                   TRANSFORM)
