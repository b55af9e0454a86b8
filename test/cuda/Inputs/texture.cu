// See ../texture.test. Every fetch is compared with the programming guide's
// formulas, computed here in double precision; a line says what was wrong.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <functional>
#include <vector>

static void ok(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    printf("%s: %s\n", what, cudaGetErrorName(error));
}
#define OK(CALL) ok(CALL, #CALL)

struct Point {
  float x, y, z;
  int layer;
};
enum Kind { ONE, TWO, THREE, LAYERED1, LAYERED2, CUBE, LAYERED_CUBE };

__global__ void fetch(cudaTextureObject_t t, int kind, const Point *points,
                      float4 *results, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const Point p = points[i];
  float4 v;
  switch (kind) {
  case ONE:
    v = tex1D<float4>(t, p.x);
    break;
  case TWO:
    v = tex2D<float4>(t, p.x, p.y);
    break;
  case THREE:
    v = tex3D<float4>(t, p.x, p.y, p.z);
    break;
  case LAYERED1:
    v = tex1DLayered<float4>(t, p.x, p.layer);
    break;
  case LAYERED2:
    v = tex2DLayered<float4>(t, p.x, p.y, p.layer);
    break;
  case CUBE:
    v = texCubemap<float4>(t, p.x, p.y, p.z);
    break;
  default:
    v = texCubemapLayered<float4>(t, p.x, p.y, p.z, p.layer);
  }
  results[i] = v;
}

constexpr int W = 7, H = 5, D = 12;
/// The image: channel c of element (x, y, z).
static float value(int x, int y, int z, int c) {
  return float((x * 37 + y * 11 + z * 101 + c * 53) % 97) / 8 - 3;
}

static double model_place(double x, int n, int mode, bool normalized,
                          bool linear) {
  if (!normalized)
    return x;
  if (mode == cudaAddressModeWrap)
    x -= std::floor(x);
  if (mode == cudaAddressModeMirror) {
    x -= 2 * std::floor(x / 2);
    if (!linear && x >= 1)
      x = 2 - x;
  }
  return x * n;
}
/// An index by the mode of its axis; -1: the border's color.
static int model_index(int i, int n, int mode, bool normalized) {
  if (mode == cudaAddressModeMirror && normalized) {
    i = (i + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
  }
  if (i >= 0 && i < n)
    return i;
  if (mode == cudaAddressModeBorder)
    return -1;
  if (mode == cudaAddressModeWrap && normalized)
    return ((i % n) + n) % n;
  return i < 0 ? 0 : n - 1;
}

struct Sampling {
  int mode;
  bool linear, normalized;
};
struct Size {
  int w, h, d;
};

/// Of 256 parts, rounded as by an H200: z, then x, then y.
static void model_weights(const int weight[3], int weights[2][2][2]) {
  for (int k = 0; k < 2; ++k) {
    const int whole = k ? weight[2] : 256 - weight[2];
    const int second = (whole * weight[0] + 128) / 256;
    for (int i = 0; i < 2; ++i) {
      const int row = i ? second : whole - second;
      weights[k][1][i] = (row * weight[1] + (i ? 128 : 127)) / 256;
      weights[k][0][i] = row - weights[k][1][i];
    }
  }
}

static double model(const Sampling &s, const Size &size, int dimensions,
                    double x, double y, double z, int layer, int c) {
  const double at[3] = {x, y, z};
  const int n[3] = {size.w, size.h, size.d};
  int first[3] = {0, 0, layer}, second[3] = {0, 0, layer},
      weight[3] = {0, 0, 0};
  for (int k = 0; k < dimensions; ++k) {
    double p = model_place(at[k], n[k], s.mode, s.normalized, s.linear);
    if (s.linear) {
      const float f = (float)p; // as precise as the device
      const int parts = (int)std::floor((f - 0.5f) * 256.0f + 0.5f);
      p = parts >> 8;
      weight[k] = parts & 255;
    }
    first[k] = model_index((int)std::floor(p), n[k], s.mode, s.normalized);
    second[k] = model_index((int)std::floor(p) + 1, n[k], s.mode, s.normalized);
  }
  if (dimensions == 1 && size.d <= 1 && s.linear &&
      s.mode == cudaAddressModeBorder) {
    first[1] = -1; // as an H200 has it
    weight[1] = 128;
  }
  int weights[2][2][2]; // z, y, x
  model_weights(weight, weights);
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    int i[3];
    for (int k = 0; k < 3; ++k)
      i[k] = corner >> k & 1 ? second[k] : first[k];
    const int w = weights[corner >> 2][corner >> 1 & 1][corner & 1];
    const bool outside = i[0] < 0 || i[1] < 0 || i[2] < 0;
    if (w)
      sum +=
          w / 256.0 * (outside ? 0.25 * (c + 1) : value(i[0], i[1], i[2], c));
  }
  return sum;
}

/// The face of a direction, and its two coordinates, as the guide's table.
static int model_face(double x, double y, double z, double &s, double &t) {
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  double m;
  int face;
  if (ax >= ay && ax >= az)
    face = x >= 0 ? 0 : 1, m = ax, s = x >= 0 ? -z : z, t = -y;
  else if (ay >= az)
    face = y >= 0 ? 2 : 3, m = ay, s = x, t = y >= 0 ? z : -z;
  else
    face = z >= 0 ? 4 : 5, m = az, s = z >= 0 ? x : -x, t = -y;
  s = (s / m + 1) / 2;
  t = (t / m + 1) / 2;
  return face;
}

static std::vector<float4> run(cudaTextureObject_t t, int kind,
                               const std::vector<Point> &points) {
  Point *device_points;
  float4 *device_results;
  std::vector<float4> results(points.size());
  OK(cudaMalloc(&device_points, points.size() * sizeof(Point)));
  OK(cudaMalloc(&device_results, results.size() * sizeof(float4)));
  OK(cudaMemcpy(device_points, points.data(), points.size() * sizeof(Point),
                cudaMemcpyHostToDevice));
  const int count = int(points.size());
  fetch<<<(count + 63) / 64, 64>>>(t, kind, device_points, device_results,
                                   count);
  OK(cudaMemcpy(results.data(), device_results, results.size() * sizeof(float4),
                cudaMemcpyDeviceToHost));
  OK(cudaFree(device_points));
  OK(cudaFree(device_results));
  return results;
}

/// Coordinates in and around [0, 1], at distances from rounding's ties.
static std::vector<Point> make_points(const Size &size, bool normalized) {
  std::vector<Point> points;
  const float places[] = {-1.30f, -0.51f, -0.01f, 0.02f, 0.17f,
                          0.43f,  0.66f,  0.98f,  1.01f, 2.26f};
  for (float x : places)
    for (float y : places)
      for (float z : {-0.27f, 0.11f, 0.57f, 1.03f})
        points.push_back(
            {normalized ? x : x * size.w, normalized ? y : y * size.h,
             normalized ? z : z * size.d, int(points.size()) % 5 - 1});
  return points;
}

static cudaTextureObject_t make_texture(cudaArray_t array, const Sampling &s) {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
  memset(&resource, 0, sizeof(resource));
  memset(&texture, 0, sizeof(texture));
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  for (auto &mode : texture.addressMode)
    mode = cudaTextureAddressMode(s.mode);
  texture.filterMode = s.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  texture.readMode = cudaReadModeElementType;
  texture.normalizedCoords = s.normalized;
  for (int c = 0; c < 4; ++c)
    texture.borderColor[c] = 0.25f * float(c + 1);
  cudaTextureObject_t object = 0;
  OK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  return object;
}

static void check(const char *name, int kind, const Sampling &s, Size size,
                  cudaArray_t array) {
  const int dimensions = kind == ONE || kind == LAYERED1 ? 1
                         : kind == THREE                 ? 3
                                                         : 2;
  const bool is_cube = kind == CUBE || kind == LAYERED_CUBE;
  cudaTextureObject_t object = make_texture(array, s);
  const auto points = make_points(size, s.normalized);
  const auto results = run(object, kind, points);
  int wrong = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const Point &p = points[i];
    double x = p.x, y = p.y, z = p.z;
    int layer = kind == LAYERED1 || kind == LAYERED2 || kind == LAYERED_CUBE
                    ? p.layer
                    : 0;
    if (is_cube) {
      layer = layer * 6 + model_face(p.x, p.y, p.z, x, y);
    }
    if (layer < 0 || layer >= size.d) // it has no sign
      layer = size.d - 1;
    if (kind == LAYERED_CUBE && p.layer < 0)
      continue;
    for (int c = 0; c < 4; ++c) {
      const double expected =
          model(s, size, dimensions, x, y, z, dimensions == 3 ? 0 : layer, c);
      const double found = (&results[i].x)[c];
      if (std::fabs(found - expected) > 2e-5 && wrong++ < 3)
        printf("%s, mode %d%s%s: channel %d at (%g, %g, %g) layer %d is %g, "
               "not %g\n",
               name, s.mode, s.linear ? ", linear" : "",
               s.normalized ? ", normalized" : "", c, p.x, p.y, p.z, p.layer,
               found, expected);
    }
  }
  if (wrong)
    printf("%s: %d wrong\n", name, wrong);
  OK(cudaDestroyTextureObject(object));
}

static cudaArray_t make_array(Size size, cudaExtent extent, unsigned flags) {
  std::vector<float4> image;
  for (int z = 0; z < size.d; ++z)
    for (int y = 0; y < size.h; ++y)
      for (int x = 0; x < size.w; ++x)
        image.push_back({value(x, y, z, 0), value(x, y, z, 1),
                         value(x, y, z, 2), value(x, y, z, 3)});
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float4>();
  cudaArray_t array = nullptr;
  OK(cudaMalloc3DArray(&array, &channels, extent, flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(image.data(), size.w * sizeof(float4),
                                    size.w, size.h);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(size.w, size.h, size.d);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  return array;
}

static void check_shapes() {
  struct {
    const char *name;
    int kind;
    Size size;
    cudaExtent extent;
    unsigned flags;
  } shapes[] = {
      {"1D", ONE, {W, 1, 1}, {W, 0, 0}, 0},
      {"2D", TWO, {W, H, 1}, {W, H, 0}, 0},
      {"3D", THREE, {W, H, 3}, {W, H, 3}, 0},
      {"layered 1D", LAYERED1, {W, 1, 3}, {W, 0, 3}, cudaArrayLayered},
      {"layered 2D", LAYERED2, {W, H, 3}, {W, H, 3}, cudaArrayLayered},
      {"cubemap", CUBE, {W, W, 6}, {W, W, 6}, cudaArrayCubemap},
      {"layered cubemap",
       LAYERED_CUBE,
       {W, W, D},
       {W, W, D},
       cudaArrayCubemap | cudaArrayLayered},
  };
  for (const auto &shape : shapes) {
    cudaArray_t array = make_array(shape.size, shape.extent, shape.flags);
    cudaChannelFormatDesc channels;
    cudaExtent extent;
    unsigned flags = 0;
    OK(cudaArrayGetInfo(&channels, &extent, &flags, array));
    if (channels.w != 32 || channels.f != cudaChannelFormatKindFloat ||
        extent.width != shape.extent.width || flags != shape.flags ||
        extent.height != shape.extent.height)
      printf("%s: its description is another\n", shape.name);
    const bool is_cube = shape.kind == CUBE || shape.kind == LAYERED_CUBE;
    for (bool linear : {false, true})
      for (bool normalized : {false, true})
        for (int mode = 0; mode < 4; ++mode)
          if (!is_cube || (normalized && mode == cudaAddressModeClamp))
            check(shape.name, shape.kind, {mode, linear, normalized},
                  shape.size, array);
    OK(cudaFreeArray(array));
    printf("%s\n", shape.name);
  }
}

//===-- Elements ----------------------------------------------------------===//

template <class T> __global__ void read_elements(cudaTextureObject_t t, T *to) {
  to[threadIdx.x] = tex1Dfetch<T>(t, int(threadIdx.x) - 1);
}

/// Elements of linear memory as they are, zeros beside them.
template <class T> static void check_elements(const char *name) {
  T values[6], found[8];
  for (size_t i = 0; i < sizeof(values); ++i)
    reinterpret_cast<unsigned char *>(values)[i] =
        (unsigned char)(i * 91 + 120);
  T *memory, *results;
  OK(cudaMalloc(&memory, sizeof(values)));
  OK(cudaMalloc(&results, sizeof(found)));
  OK(cudaMemcpy(memory, values, sizeof(values), cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = sizeof(values);
  cudaTextureObject_t object = 0;
  OK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  read_elements<<<1, 8>>>(object, results);
  OK(cudaMemcpy(found, results, sizeof(found), cudaMemcpyDeviceToHost));
  T zero;
  memset(&zero, 0, sizeof(zero));
  bool same = memcmp(found + 1, values, sizeof(values)) == 0 &&
              memcmp(found, &zero, sizeof(zero)) == 0 &&
              memcmp(found + 7, &zero, sizeof(zero)) == 0;
  printf("%s%s\n", name, same ? "" : ": wrong");
  cudaResourceDesc again;
  OK(cudaGetTextureObjectResourceDesc(&again, object));
  if (again.res.linear.devPtr != memory ||
      memcmp(&again.res.linear.desc, &resource.res.linear.desc,
             sizeof(cudaChannelFormatDesc)) != 0)
    printf("%s: its resource is another\n", name);
  OK(cudaDestroyTextureObject(object));
  OK(cudaFree(memory));
  OK(cudaFree(results));
}

__global__ void read_plane(cudaTextureObject_t t, float *to) {
  to[threadIdx.x] = tex2D<float>(t, float(threadIdx.x) / 2, 1.5f);
}

/// Integers as floats in [-1, 1], filtered, of a pitched plane.
template <class T>
static void check_normalized(const char *name, double largest) {
  constexpr int width = 4, height = 3;
  T *memory;
  float *results, found[10];
  size_t pitch = 0;
  T image[height][width];
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image[y][x] = T(x * 31 - y * 77 + 128 * (x == 2));
  OK(cudaMallocPitch(&memory, &pitch, width * sizeof(T), height));
  OK(cudaMemcpy2D(memory, pitch, image, sizeof(image[0]), sizeof(image[0]),
                  height, cudaMemcpyHostToDevice));
  OK(cudaMalloc(&results, sizeof(found)));
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModeLinear;
  texture.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t object = 0;
  OK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  read_plane<<<1, 10>>>(object, results);
  OK(cudaMemcpy(found, results, sizeof(found), cudaMemcpyDeviceToHost));
  auto element = [&](int x) {
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    return std::fmax(image[1][x] / largest, -1);
  };
  bool good = true;
  for (int i = 0; i < 10; ++i) {
    const double at = i / 2.0 - 0.5, first = std::floor(at);
    const double expected = (1 - (at - first)) * element(int(first)) +
                            (at - first) * element(int(first) + 1);
    if (std::fabs(found[i] - expected) > 1e-6) {
      printf("%s at %g is %g, not %g\n", name, i / 2.0, found[i], expected);
      good = false;
    }
  }
  if (good)
    printf("%s\n", name);
  texture.readMode = cudaReadModeElementType;
  cudaTextureObject_t none = 0;
  if (cudaCreateTextureObject(&none, &resource, &texture, nullptr) !=
      cudaErrorInvalidValue)
    printf("%s: integers must not be filtered\n", name);
  OK(cudaDestroyTextureObject(object));
  OK(cudaFree(memory));
  OK(cudaFree(results));
}

//===-- Gather, levels, surfaces ------------------------------------------===//

__global__ void read_gathered(cudaTextureObject_t t, float4 *to) {
  to[0] = tex2Dgather<float4>(t, 2.0f, 3.0f, 0);
  to[1] = tex2Dgather<float4>(t, 0.0f, 3.0f, 2);
}

static void check_gather() {
  cudaArray_t array = make_array({W, H, 1}, {W, H, 0}, cudaArrayTextureGather);
  cudaTextureObject_t object =
      make_texture(array, {cudaAddressModeClamp, false, false});
  float4 *results, found[2];
  OK(cudaMalloc(&results, sizeof(found)));
  read_gathered<<<1, 1>>>(object, results);
  OK(cudaMemcpy(found, results, sizeof(found), cudaMemcpyDeviceToHost));
  const float expected[2][4] = {{value(1, 3, 0, 0), value(2, 3, 0, 0),
                                 value(2, 2, 0, 0), value(1, 2, 0, 0)},
                                {value(0, 3, 0, 2), value(0, 3, 0, 2),
                                 value(0, 2, 0, 2), value(0, 2, 0, 2)}};
  printf("gather%s\n",
         memcmp(found, expected, sizeof(found)) == 0 ? "" : ": wrong");
  OK(cudaDestroyTextureObject(object));
  OK(cudaFreeArray(array));
}

__global__ void read_levels(cudaTextureObject_t t, float *to) {
  const float levels[] = {-1, 0, 0.25f, 0.75f, 1, 1.5f, 2, 9};
  to[threadIdx.x] = tex2DLod<float>(t, 0.5f, 0.5f, levels[threadIdx.x]);
  // One step is two elements of level 0: level 1.
  if (threadIdx.x == 0)
    to[8] = tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(2 / 8.0f, 0),
                             make_float2(0, 1 / 8.0f));
}

static void check_levels(bool linear) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap;
  OK(cudaMallocMipmappedArray(&mipmap, &channels, {8, 8, 0}, 3));
  for (int n = 0; n < 3; ++n) {
    cudaArray_t level;
    std::vector<float> image(size_t(64 >> 2 * n), float(n * n * 10 + 1));
    OK(cudaGetMipmappedArrayLevel(&level, mipmap, n));
    OK(cudaMemcpy2DToArray(level, 0, 0, image.data(), (8 >> n) * sizeof(float),
                           (8 >> n) * sizeof(float), 8 >> n,
                           cudaMemcpyHostToDevice));
  }
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  texture.normalizedCoords = 1;
  texture.maxMipmapLevelClamp = 2;
  texture.mipmapFilterMode =
      linear ? cudaFilterModeLinear : cudaFilterModePoint;
  cudaTextureObject_t object = 0;
  OK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  float *results, found[9];
  OK(cudaMalloc(&results, sizeof(found)));
  read_levels<<<1, 8>>>(object, results);
  OK(cudaMemcpy(found, results, sizeof(found), cudaMemcpyDeviceToHost));
  printf("levels");
  for (float one : found)
    printf(" %g", one);
  printf("\n");
  OK(cudaDestroyTextureObject(object));
  OK(cudaFreeMipmappedArray(mipmap));
  OK(cudaFree(results));
}

__global__ void use_surface(cudaSurfaceObject_t s, uchar4 *to) {
  const int x = int(threadIdx.x) - 1, y = int(threadIdx.y) - 1;
  const uchar4 value = {(unsigned char)(x + 1), (unsigned char)(y + 1), 7, 9};
  if (x >= 0 && x < 4 && y >= 0 && y < 2)
    surf2DLayeredwrite(value, s, x * 4, y, 1);
  else
    surf2DLayeredwrite(uchar4{99, 99, 99, 99}, s, x * 4, y, 1,
                       cudaBoundaryModeZero);
  __syncthreads();
  const int i = threadIdx.y * 6 + threadIdx.x;
  to[i] = surf2DLayeredread<uchar4>(s, x * 4, y, 1, cudaBoundaryModeZero);
  to[24 + i] = surf2DLayeredread<uchar4>(s, x * 4, y, 1, cudaBoundaryModeClamp);
}
__global__ void leave_surface(cudaSurfaceObject_t s) {
  surf2DLayeredwrite(uchar4{1, 1, 1, 1}, s, 16, 0, 0);
}

static void check_surfaces(bool leaves) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array;
  OK(cudaMalloc3DArray(&array, &channels, {4, 2, 2},
                       cudaArrayLayered | cudaArraySurfaceLoadStore));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t object = 0;
  OK(cudaCreateSurfaceObject(&object, &resource));
  if (leaves) {
    leave_surface<<<1, 1>>>(object);
    printf("outside of a surface: %s\n",
           cudaGetErrorName(cudaDeviceSynchronize()));
    return;
  }
  uchar4 *results, found[48];
  OK(cudaMalloc(&results, sizeof(found)));
  use_surface<<<1, dim3(6, 4)>>>(object, results);
  OK(cudaMemcpy(found, results, sizeof(found), cudaMemcpyDeviceToHost));
  bool good = true;
  for (int y = -1; y < 3; ++y)
    for (int x = -1; x < 5; ++x) {
      const bool inside = x >= 0 && x < 4 && y >= 0 && y < 2;
      const int cx = x < 0 ? 0 : x > 3 ? 3 : x, cy = y < 0 ? 0 : y > 1 ? 1 : y;
      const uchar4 zero = {0, 0, 0, 0},
                   clamped = {(unsigned char)(cx + 1), (unsigned char)(cy + 1),
                              7, 9};
      const int i = (y + 1) * 6 + x + 1;
      good = good && !memcmp(&found[i], inside ? &clamped : &zero, 4) &&
             !memcmp(&found[24 + i], &clamped, 4);
    }
  printf("surface%s\n", good ? "" : ": wrong");
  uchar4 image[2][4]; // of layer 1
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.srcPos.z = 1;
  copy.dstPtr = make_cudaPitchedPtr(image, sizeof(image[0]), 4, 2);
  copy.extent = make_cudaExtent(4, 2, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&copy));
  printf("written %d %d %d\n", image[0][0].x, image[1][3].x, image[1][3].y);
  OK(cudaDestroySurfaceObject(object));
  OK(cudaFreeArray(array));
  OK(cudaFree(results));
}

//===-- Copies ------------------------------------------------------------===//

static void check_copies() {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<short>();
  cudaArray_t array, other;
  OK(cudaMallocArray(&array, &channels, 5, 4));
  OK(cudaMallocArray(&other, &channels, 5, 4));
  short image[20], found[20] = {};
  for (short i = 0; i < 20; ++i)
    image[i] = short(i + 1);
  // Bytes in the order of rows, from the middle of one to that of another.
  OK(cudaMemcpyToArray(array, 6, 0, image + 3, 14 * sizeof(short),
                       cudaMemcpyHostToDevice));
  OK(cudaMemcpyFromArray(found, array, 0, 0, sizeof(found),
                         cudaMemcpyDeviceToHost));
  printf("rows %d %d %d %d %d\n", found[2], found[3], found[10], found[16],
         found[17]);
  OK(cudaMemcpy2DArrayToArray(other, 2, 1, array, 6, 0, 4, 2));
  short part[2][2];
  OK(cudaMemcpy2DFromArray(part, sizeof(part[0]), other, 2, 1, 4, 2,
                           cudaMemcpyDeviceToHost));
  printf("box %d %d %d %d\n", part[0][0], part[0][1], part[1][0], part[1][1]);
  printf("too wide: %s\n",
         cudaGetErrorName(cudaMemcpy2DToArray(array, 2, 0, image, 10, 10, 1,
                                              cudaMemcpyHostToDevice)));
  OK(cudaFreeArray(array));
  OK(cudaFreeArray(other));
  printf("no array: %s\n", cudaGetErrorName(cudaFreeArray(array)));
}

int main(int argc, char **) {
  if (argc > 1) {
    check_surfaces(/*leaves=*/true);
    return 0;
  }
  check_shapes();
  check_elements<float>("float");
  check_elements<float4>("float4");
  check_elements<int>("int");
  check_elements<short2>("short2");
  check_elements<unsigned char>("unsigned char");
  check_elements<char4>("char4");
  check_normalized<unsigned char>("unsigned char, normalized", 255);
  check_normalized<signed char>("signed char, normalized", 127);
  check_normalized<unsigned short>("unsigned short, normalized", 65535);
  check_normalized<short>("short, normalized", 32767);
  check_gather();
  check_levels(false);
  check_levels(true);
  check_surfaces(false);
  check_copies();
}
