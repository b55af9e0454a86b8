//===-- toolchain/cuda/include/nvtx3/nvToolsExt.h - NVTX --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of NVTX's interface.
// The marks, ranges and names that a program gives to NVIDIA's profilers. There
// is no profiler here: no function has an effect, and each returns what NVTX
// returns in a process that is not profiled.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_NVTX3_NVTOOLSEXT_H
#define GPUEXEC_CUDA_NVTX3_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_API
#define NVTX_INLINE_STATIC static inline
#define NVTX_DECLSPEC NVTX_INLINE_STATIC

#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_ERR_INIT_LOAD_PROPERTY 2
#define NVTX_ERR_INIT_ACCESS_LIBRARY 3
#define NVTX_ERR_INIT_LOAD_LIBRARY 4
#define NVTX_ERR_INIT_MISSING_LIBRARY_ENTRY_POINT 5
#define NVTX_ERR_INIT_FAILED_LIBRARY_ENTRY_POINT 6
#define NVTX_ERR_NO_INJECTION_LIBRARY_AVAILABLE 7

/// The depth of a range in a process that is not profiled.
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

typedef enum nvtxColorType_t {
  NVTX_COLOR_UNKNOWN = 0,
  NVTX_COLOR_ARGB = 1
} nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

#define NVTX_RESOURCE_MAKE_TYPE(CLASS, INDEX)                                  \
  ((((uint32_t)(NVTX_RESOURCE_CLASS_##CLASS)) << 16) | ((uint32_t)(INDEX)))
#define NVTX_RESOURCE_CLASS_GENERIC 1
typedef enum nvtxResourceGenericType_t {
  NVTX_RESOURCE_TYPE_UNKNOWN = 0,
  NVTX_RESOURCE_TYPE_GENERIC_POINTER = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 1),
  NVTX_RESOURCE_TYPE_GENERIC_HANDLE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 2),
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE =
      NVTX_RESOURCE_MAKE_TYPE(GENERIC, 3),
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 4)
} nvtxResourceGenericType_t;

typedef struct nvtxResourceAttributes_v0 {
  uint16_t version, size;
  int32_t identifierType;
  union identifier_t {
    const void *pValue;
    uint64_t ullValue;
  } identifier;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxResourceAttributes_v0;
typedef struct nvtxResourceAttributes_v0 nvtxResourceAttributes_t;
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE                                       \
  ((uint16_t)sizeof(nvtxResourceAttributes_v0))

#ifdef __cplusplus
extern "C" {
#endif

// A function of NVTX. What follows RESULT is its parameters.
#define GPUEXEC_NVTX(TYPE, NAME, RESULT, ...)                                  \
  NVTX_DECLSPEC TYPE NAME(__VA_ARGS__) { return RESULT; }
// A function that takes a text, of char and of wchar_t.
#define GPUEXEC_NVTX_TEXT(TYPE, NAME, RESULT)                                  \
  GPUEXEC_NVTX(TYPE, NAME##A, RESULT, const char *text)                        \
  GPUEXEC_NVTX(TYPE, NAME##W, RESULT, const wchar_t *text)
#define GPUEXEC_NVTX_NAMED(TYPE, NAME, RESULT, ...)                            \
  GPUEXEC_NVTX(TYPE, NAME##A, RESULT, __VA_ARGS__, const char *text)           \
  GPUEXEC_NVTX(TYPE, NAME##W, RESULT, __VA_ARGS__, const wchar_t *text)

GPUEXEC_NVTX(void, nvtxInitialize, , const void *reserved)

GPUEXEC_NVTX_TEXT(void, nvtxMark, )
GPUEXEC_NVTX(void, nvtxMarkEx, , const nvtxEventAttributes_t *event)
GPUEXEC_NVTX(void, nvtxDomainMarkEx, , nvtxDomainHandle_t domain,
             const nvtxEventAttributes_t *event)

GPUEXEC_NVTX_TEXT(nvtxRangeId_t, nvtxRangeStart, 0)
GPUEXEC_NVTX(nvtxRangeId_t, nvtxRangeStartEx, 0,
             const nvtxEventAttributes_t *event)
GPUEXEC_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, 0,
             nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
GPUEXEC_NVTX(void, nvtxRangeEnd, , nvtxRangeId_t range)
GPUEXEC_NVTX(void, nvtxDomainRangeEnd, , nvtxDomainHandle_t domain,
             nvtxRangeId_t range)

GPUEXEC_NVTX_TEXT(int, nvtxRangePush, NVTX_NO_PUSH_POP_TRACKING)
GPUEXEC_NVTX(int, nvtxRangePushEx, NVTX_NO_PUSH_POP_TRACKING,
             const nvtxEventAttributes_t *event)
GPUEXEC_NVTX(int, nvtxDomainRangePushEx, NVTX_NO_PUSH_POP_TRACKING,
             nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event)
GPUEXEC_NVTX(int, nvtxRangePop, NVTX_NO_PUSH_POP_TRACKING, void)
GPUEXEC_NVTX(int, nvtxDomainRangePop, NVTX_NO_PUSH_POP_TRACKING,
             nvtxDomainHandle_t domain)

GPUEXEC_NVTX_TEXT(nvtxDomainHandle_t, nvtxDomainCreate, NULL)
GPUEXEC_NVTX(void, nvtxDomainDestroy, , nvtxDomainHandle_t domain)
GPUEXEC_NVTX_NAMED(nvtxStringHandle_t, nvtxDomainRegisterString, NULL,
                   nvtxDomainHandle_t domain)
GPUEXEC_NVTX(nvtxResourceHandle_t, nvtxDomainResourceCreate, NULL,
             nvtxDomainHandle_t domain, nvtxResourceAttributes_t *resource)
GPUEXEC_NVTX(void, nvtxDomainResourceDestroy, , nvtxResourceHandle_t resource)

GPUEXEC_NVTX_NAMED(void, nvtxNameCategory, , uint32_t category)
GPUEXEC_NVTX_NAMED(void, nvtxDomainNameCategory, , nvtxDomainHandle_t domain,
                   uint32_t category)
GPUEXEC_NVTX_NAMED(void, nvtxNameOsThread, , uint32_t thread)

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#endif

#endif
// NOLINTEND
