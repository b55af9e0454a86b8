//===-- emulator/ptx/device/texture.c - Texture fetches -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture fetches as CUDA's programming guide has them ("Texture Fetching"):
// a filter's weights are fractions of 8 bits, (1-a)T[i] + aT[i+1]. How the
// weights of several axes are rounded was measured on an H200 (3 000 points of
// each kind). Results are the bits of four floats or integers, as the texture's
// elements say.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/device/texture.h"

typedef uint32_t uint4 __attribute__((ext_vector_type(4)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef const struct gpuexec_cuda_texture *texture;
typedef const struct gpuexec_cuda_level *level;

_Static_assert(sizeof(struct gpuexec_cuda_level) == 40 &&
                   sizeof(struct gpuexec_cuda_texture) ==
                       GPUEXEC_CUDA_TEXTURE_BYTES,
               "libcuda and PTX modules share the layout");

#define GPUEXEC_NOINLINE __attribute__((noinline))
#define GPUEXEC_INLINE static inline __attribute__((always_inline))

static float clamp(float x, float least, float greatest) {
  return __builtin_fminf(__builtin_fmaxf(x, least), greatest);
}
static int32_t limit(int32_t x, int32_t greatest) {
  return x < 0 ? 0 : x > greatest ? greatest : x;
}

/// Elements in which an axis is read: one, or two with the weight of the
/// second in 256 parts. A negative element is outside: it has the border's
/// color.
struct axis {
  int32_t first, second;
  uint32_t weight;
};
#define WHOLE 256u
/// No texture is as large.
#define FURTHEST 0x40000

static int32_t place(int32_t i, int32_t size, uint32_t mode) {
  if (mode == GPUEXEC_CUDA_BORDER)
    return i < 0 || i >= size ? -1 : i;
  if (mode == GPUEXEC_CUDA_WRAP)
    return i < 0 ? size - 1 : i >= size ? 0 : i;
  if (mode == GPUEXEC_CUDA_MIRROR) { // two images, of which one is mirrored
    i = i < 0 ? i + 2 * size : i >= 2 * size ? i - 2 * size : i;
    i = i >= size ? 2 * size - 1 - i : i;
  }
  return limit(i, size - 1);
}

/// Where a normalized coordinate is, in elements. A filter's weights depend on
/// the direction in which it goes: it sees an image and its mirror's image.
static float unnormalized(float x, float size, int filters, uint32_t mode) {
  if (mode == GPUEXEC_CUDA_WRAP)
    x -= __builtin_floorf(x);
  if (mode == GPUEXEC_CUDA_MIRROR) {
    x -= 2 * __builtin_floorf(x * 0.5f);
    if (!filters && x >= 1)
      x = 2 - x;
  }
  return x * size;
}

static struct axis axis_of(texture t, int filters, float x, uint32_t size,
                           uint32_t mode) {
  if (t->flags & GPUEXEC_CUDA_NORMALIZED_COORDINATES)
    x = unnormalized(x, (float)size, filters, mode);
  else if (mode == GPUEXEC_CUDA_WRAP || mode == GPUEXEC_CUDA_MIRROR)
    mode = GPUEXEC_CUDA_CLAMP; // only normalized coordinates wrap
  struct axis axis = {0, 0, 0};
  x = clamp(x, -(float)FURTHEST, (float)FURTHEST); // a NaN is the least
  if (filters) {
    const int32_t parts =
        (int32_t)__builtin_floorf((x - 0.5f) * (float)WHOLE + 0.5f);
    const int32_t i = parts >> 8;
    axis.weight = (uint32_t)parts % WHOLE;
    axis.first = place(i, (int32_t)size, mode);
    axis.second = place(i + 1, (int32_t)size, mode);
  } else {
    axis.first = place((int32_t)__builtin_floorf(x), (int32_t)size, mode);
  }
  return axis;
}

static int returns_floats(texture t) {
  return t->channel >= GPUEXEC_CUDA_F16 ||
         t->flags & GPUEXEC_CUDA_NORMALIZED_VALUES;
}

static uint32_t bits_of(float value) {
  union {
    float value;
    uint32_t bits;
  } u = {value};
  return u.bits;
}

/// Channel n of the element at an address.
static uint32_t channel_at(texture t, uint64_t address, uint32_t n) {
  typedef __attribute__((address_space(1))) const char *pointer;
#define GPUEXEC_LOAD(TYPE)                                                     \
  (((__attribute__((address_space(1))) const TYPE *)(pointer)address)[n])
  const int normalized = t->flags & GPUEXEC_CUDA_NORMALIZED_VALUES;
  switch (t->channel) {
  case GPUEXEC_CUDA_U8: {
    const uint32_t value = GPUEXEC_LOAD(uint8_t);
    return normalized ? bits_of((float)value / 255.0f) : value;
  }
  case GPUEXEC_CUDA_U16: {
    const uint32_t value = GPUEXEC_LOAD(uint16_t);
    return normalized ? bits_of((float)value / 65535.0f) : value;
  }
  case GPUEXEC_CUDA_S8: {
    const int32_t value = GPUEXEC_LOAD(int8_t);
    return normalized ? bits_of(__builtin_fmaxf((float)value / 127.0f, -1))
                      : (uint32_t)value;
  }
  case GPUEXEC_CUDA_S16: {
    const int32_t value = GPUEXEC_LOAD(int16_t);
    return normalized ? bits_of(__builtin_fmaxf((float)value / 32767.0f, -1))
                      : (uint32_t)value;
  }
  case GPUEXEC_CUDA_F16:
    return bits_of((float)GPUEXEC_LOAD(_Float16));
  default:
    return GPUEXEC_LOAD(uint32_t);
  }
#undef GPUEXEC_LOAD
}

static uint4 border_of(texture t) {
  uint4 result;
  for (int n = 0; n < 4; ++n)
    result[n] = returns_floats(t) ? bits_of(t->border[n])
                : t->channel <= GPUEXEC_CUDA_U32
                    ? (uint32_t)t->border[n]
                    : (uint32_t)(int32_t)t->border[n];
  return result;
}

static uint4 element_at(texture t, level l, int32_t x, int32_t y, int32_t z) {
  if ((x | y | z) < 0)
    return border_of(t);
  const uint64_t address = l->data + (uint64_t)(uint32_t)z * l->slice +
                           (uint64_t)(uint32_t)y * l->pitch +
                           (uint64_t)(uint32_t)x * t->element;
  uint4 result = {channel_at(t, address, 0), 0, 0, 0};
  if (t->channels > 1)
    result.y = channel_at(t, address, 1);
  if (t->channels > 2) {
    result.z = channel_at(t, address, 2);
    result.w = channel_at(t, address, 3);
  }
  return result;
}

static float4 floats(uint4 bits) {
  union {
    uint4 bits;
    float4 values;
  } u = {bits};
  return u.values;
}
static uint4 words(float4 values) {
  union {
    float4 values;
    uint4 bits;
  } u = {values};
  return u.bits;
}

/// The filtered element of one level; `dimensions` is a constant.
/// The weights of the corners; bit 0 of a corner's number is the second element
/// along x, bit 1 along y and bit 2 along z. Their sum is 256. A half is
/// rounded so that the second element along x gets it.
static void find_weights(uint32_t weights[8], uint32_t x, uint32_t y,
                         uint32_t z) {
#pragma clang loop unroll(disable)
  for (int plane = 0; plane < 8; plane += 4) {
    const uint32_t whole = plane ? z : WHOLE - z;
    const uint32_t second = (whole * x + WHOLE / 2) / WHOLE;
    const uint32_t first = whole - second;
    weights[plane | 3] = (second * y + WHOLE / 2) / WHOLE;
    weights[plane | 2] = (first * y + WHOLE / 2 - 1) / WHOLE;
    weights[plane | 1] = second - weights[plane | 3];
    weights[plane] = first - weights[plane | 2];
  }
}

GPUEXEC_INLINE uint4 sample_level(texture t, level l, int dimensions,
                                  uint32_t layer, float x, float y, float z) {
  const struct axis none = {0, 0, 0};
  const int filters = t->flags & GPUEXEC_CUDA_LINEAR_FILTER;
  const struct axis along_x =
      axis_of(t, filters, x, l->width, t->address_mode[0]);
  struct axis along_y = none, along_z = none;
  if (dimensions > 1)
    along_y = axis_of(t, filters, y, l->height, t->address_mode[1]);
  // The H200 filters a row with the border above it, half of which counts. It
  // does not filter layers so.
  else if (dimensions == 1 && filters && l->depth <= 1 &&
           t->address_mode[0] == GPUEXEC_CUDA_BORDER)
    along_y = axis_of(t, filters, 0, 1, GPUEXEC_CUDA_BORDER);
  if (dimensions == 3)
    along_z = axis_of(t, filters, z, l->depth, t->address_mode[2]);
  else
    along_z.first = (int32_t)(layer < l->depth ? layer : l->depth - 1);
  if (!filters)
    return element_at(t, l, along_x.first, along_y.first, along_z.first);
  float4 sum = {0, 0, 0, 0};
  uint32_t weights[8];
  find_weights(weights, along_x.weight, along_y.weight, along_z.weight);
#pragma clang loop unroll(disable)
  for (int corner = 0; corner < 8; ++corner) {
    const float weight = (float)weights[corner] * (1.0f / (float)WHOLE);
    if (weight != 0)
      sum +=
          weight *
          floats(element_at(t, l, corner & 1 ? along_x.second : along_x.first,
                            corner & 2 ? along_y.second : along_y.first,
                            corner & 4 ? along_z.second : along_z.first));
  }
  return words(sum);
}

static level level_of(texture t, uint32_t n) {
  return n ? (level)t->levels + n : &t->base;
}

GPUEXEC_INLINE uint4 sample(texture t, int dimensions, uint32_t layer, float x,
                            float y, float z, float detail) {
  level l = &t->base, other = l;
  float weight = 0; // of the other level
  if (t->level_count > 1) {
    detail = clamp(detail + t->level_bias, t->least_level, t->greatest_level);
    detail = clamp(detail, 0, (float)(t->level_count - 1));
    if (t->flags & GPUEXEC_CUDA_LINEAR_BETWEEN_LEVELS && returns_floats(t)) {
      detail = __builtin_rintf(detail * 256.0f) * (1 / 256.0f);
      weight = detail - __builtin_floorf(detail);
      other = level_of(t, (uint32_t)detail + 1);
    } else {
      detail += 0.5f;
    }
    l = level_of(t, (uint32_t)detail);
  }
  uint4 result = {0, 0, 0, 0};
#pragma clang loop unroll(disable)
  for (int n = 0; n < 2; ++n) {
    const uint4 one =
        sample_level(t, n ? other : l, dimensions, layer, x, y, z);
    if (weight == 0)
      return one;
    result = words(floats(result) + (n ? weight : 1 - weight) * floats(one));
  }
  return result;
}

GPUEXEC_NOINLINE uint4 __gpuexec_ptx_texture_1d(uint64_t t, uint32_t layer,
                                                float x, float detail) {
  return sample((texture)t, 1, layer, x, 0, 0, detail);
}

GPUEXEC_NOINLINE uint4 __gpuexec_ptx_texture_2d(uint64_t t, uint32_t layer,
                                                float x, float y,
                                                float detail) {
  return sample((texture)t, 2, layer, x, y, 0, detail);
}

GPUEXEC_NOINLINE uint4 __gpuexec_ptx_texture_3d(uint64_t t, float x, float y,
                                                float z, float detail) {
  return sample((texture)t, 3, 0, x, y, z, detail);
}

/// The face that the direction (x, y, z) meets, and where on it.
GPUEXEC_NOINLINE uint4 __gpuexec_ptx_texture_cube(uint64_t t, uint32_t layer,
                                                  float x, float y, float z,
                                                  float detail) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y),
              az = __builtin_fabsf(z);
  uint32_t face;
  float along, s, t_;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1;
    along = ax;
    s = x >= 0 ? -z : z;
    t_ = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3;
    along = ay;
    s = x;
    t_ = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    along = az;
    s = z >= 0 ? x : -x;
    t_ = -y;
  }
  return __gpuexec_ptx_texture_2d(t, layer * 6 + face, (s / along + 1) * 0.5f,
                                  (t_ / along + 1) * 0.5f, detail);
}

/// The element at whole coordinates, not filtered.
GPUEXEC_NOINLINE uint4 __gpuexec_ptx_texel(uint64_t object, uint32_t layer,
                                           int32_t x, int32_t y, int32_t z,
                                           float detail) {
  texture t = (texture)object;
  level l = &t->base;
  if (t->flags & GPUEXEC_CUDA_RANGE) {
    const uint4 zeros = {0, 0, 0, 0};
    return x < 0 || (uint32_t)x >= l->width ? zeros : element_at(t, l, x, 0, 0);
  }
  if (t->level_count > 1)
    l = level_of(t, (uint32_t)clamp(detail, 0, (float)(t->level_count - 1)));
    // Whole coordinates are not normalized: they neither wrap nor mirror.
#define GPUEXEC_PLACE(AT, SIZE, N)                                             \
  place(AT, (int32_t)l->SIZE,                                                  \
        t->address_mode[N] == GPUEXEC_CUDA_BORDER ? GPUEXEC_CUDA_BORDER        \
                                                  : GPUEXEC_CUDA_CLAMP)
  return element_at(t, l, GPUEXEC_PLACE(x, width, 0),
                    GPUEXEC_PLACE(y, height, 1),
                    layer ? limit((int32_t)layer, (int32_t)l->depth - 1)
                          : GPUEXEC_PLACE(z, depth, 2));
#undef GPUEXEC_PLACE
}

/// One channel of the four elements between which a filter would lie, counter-
/// clockwise from that of the lower x and the higher y.
GPUEXEC_NOINLINE uint4 __gpuexec_ptx_gather(uint64_t object, uint32_t layer,
                                            float x, float y,
                                            uint32_t channel) {
  texture t = (texture)object;
  level l = &t->base;
  const struct axis h = axis_of(t, 1, x, l->width, t->address_mode[0]);
  const struct axis v = axis_of(t, 1, y, l->height, t->address_mode[1]);
  const int32_t z = limit((int32_t)layer, (int32_t)l->depth - 1);
  uint4 result = {0, 0, 0, 0};
#pragma clang loop unroll(disable)
  for (int n = 0; n < 4; ++n) {
    const uint4 one = element_at(t, l, n == 1 || n == 2 ? h.second : h.first,
                                 n < 2 ? v.second : v.first, z);
    result = result.yzwx;
    result.w = one[channel];
  }
  return result;
}

/// The level of detail at which one step on the screen, by which coordinates
/// change as the gradients say, is one element.
float __gpuexec_ptx_detail(uint64_t object, float dx0, float dx1, float dx2,
                           float dy0, float dy1, float dy2) {
  texture t = (texture)object;
  const int normalized = t->flags & GPUEXEC_CUDA_NORMALIZED_COORDINATES;
  const float w = normalized ? (float)t->base.width : 1,
              h = normalized ? (float)t->base.height : 1,
              d = normalized ? (float)t->base.depth : 1;
  const float along_x =
      dx0 * dx0 * w * w + dx1 * dx1 * h * h + dx2 * dx2 * d * d;
  const float along_y =
      dy0 * dy0 * w * w + dy1 * dy1 * h * h + dy2 * dy2 * d * d;
  return 0.5f * __builtin_log2f(__builtin_fmaxf(along_x, along_y));
}

/// An answer of txq and suq (gpuexec_cuda_query) about a level.
uint32_t __gpuexec_ptx_texture_query(uint64_t object, uint32_t query,
                                     uint32_t n) {
  texture t = (texture)object;
  level l = level_of(t, n < t->level_count ? n : 0);
  switch (query) {
  case GPUEXEC_CUDA_WIDTH:
    return l->width;
  case GPUEXEC_CUDA_HEIGHT:
    return l->height;
  case GPUEXEC_CUDA_DEPTH:
    return l->depth;
  case GPUEXEC_CUDA_LEVELS:
    return t->level_count;
  default:
    return (t->flags & GPUEXEC_CUDA_NORMALIZED_COORDINATES) != 0;
  }
}

/// The address of `bytes` bytes of a surface: at byte x of row y of slice z.
/// Outside of it the boundary mode says what happens.
uint64_t __gpuexec_ptx_surface(uint64_t object, uint32_t bytes,
                               uint32_t boundary, uint32_t is_store, int32_t x,
                               int32_t y, int32_t z) {
  texture t = (texture)object;
  const int32_t last_x = (int32_t)(t->base.width * t->element - bytes),
                last_y = (int32_t)t->base.height - 1,
                last_z = (int32_t)t->base.depth - 1;
  const int outside =
      x < 0 || x > last_x || y < 0 || y > last_y || z < 0 || z > last_z;
  if (outside) {
    if (boundary == GPUEXEC_CUDA_TRAP_OUTSIDE)
      __builtin_trap();
    if (boundary == GPUEXEC_CUDA_ZERO_OUTSIDE)
      return is_store ? (uint64_t)t->sink : (uint64_t)t->zero;
    x = limit(x, last_x);
    y = limit(y, last_y);
    z = limit(z, last_z);
  }
  return t->base.data + (uint64_t)z * t->base.slice +
         (uint64_t)y * t->base.pitch + (uint64_t)x;
}
