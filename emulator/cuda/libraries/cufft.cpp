//===-- emulator/cuda/libraries/cufft.cpp - cuFFT by the host's FFTW ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcufft.so: plans are those of the host's FFTW, whose layouts and signs are
// cuFFT's. The host waits for the plan's stream and transforms in the memory
// that it shares with the device.
//===----------------------------------------------------------------------===//
#pragma GCC visibility push(default)
#include "toolchain/cuda/include/cufft.h"
#pragma GCC visibility pop
#include "emulator/cuda/libraries/stream.h"
#include "emulator/cuda/libraries/version.h"
#include <cstdio>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

namespace {

// FFTW's interface, of which the library of one precision is opened.
constexpr unsigned FFTW_UNALIGNED = 1 << 1, FFTW_ESTIMATE = 1 << 6;
using FftwPlan = void *;
struct Fftw {
  FftwPlan (*plan_many_dft)(int, const int *, int, void *, const int *, int,
                            int, void *, const int *, int, int, int, unsigned);
  FftwPlan (*plan_many_dft_r2c)(int, const int *, int, void *, const int *, int,
                                int, void *, const int *, int, int, unsigned);
  FftwPlan (*plan_many_dft_c2r)(int, const int *, int, void *, const int *, int,
                                int, void *, const int *, int, int, unsigned);
  void (*execute_dft)(FftwPlan, void *, void *);
  void (*execute_dft_r2c)(FftwPlan, void *, void *);
  void (*execute_dft_c2r)(FftwPlan, void *, void *);
  void (*destroy_plan)(FftwPlan);
  bool is_there = false;
};

Fftw open_fftw(const char *file, const char *prefix) {
  Fftw fftw;
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  fftw.is_there = library != nullptr;
  auto find = [&](const char *name, auto &function) {
    const std::string symbol = std::string(prefix) + name;
    void *found = library ? dlsym(library, symbol.c_str()) : nullptr;
    function = reinterpret_cast<std::decay_t<decltype(function)>>(found);
    fftw.is_there &= found != nullptr;
  };
  find("plan_many_dft", fftw.plan_many_dft);
  find("plan_many_dft_r2c", fftw.plan_many_dft_r2c);
  find("plan_many_dft_c2r", fftw.plan_many_dft_c2r);
  find("execute_dft", fftw.execute_dft);
  find("execute_dft_r2c", fftw.execute_dft_r2c);
  find("execute_dft_c2r", fftw.execute_dft_c2r);
  find("destroy_plan", fftw.destroy_plan);
  if (!fftw.is_there)
    fprintf(stderr,
            "gpuexec: libcufft needs FFTW's %s "
            "(apt-get install libfftw3-double3 libfftw3-single3)\n",
            file);
  return fftw;
}

bool is_double(cufftType type) {
  return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}

const Fftw &fftw_for(cufftType type) {
  static const Fftw narrow = open_fftw("libfftw3f.so.3", "fftwf_");
  static const Fftw wide = open_fftw("libfftw3.so.3", "fftw_");
  return is_double(type) ? wide : narrow;
}

/// One side of a transform. An empty `embed`: its lines are not padded.
struct Layout {
  std::vector<int> embed;
  int step = 1, distance = 0;
};

struct Plan {
  bool is_made = false;
  cufftType type = CUFFT_C2C;
  std::vector<int> n;
  Layout in, out;
  int batch = 1;
  cudaStream_t stream = nullptr;
  FftwPlan plans[2][2] = {}; ///< [in place][backward]; null: not made yet

  Plan() = default;
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;
  ~Plan() {
    for (auto &row : plans)
      for (FftwPlan plan : row)
        if (plan)
          fftw_for(type).destroy_plan(plan);
  }
};

/// The plans of the process, by the numbers that programs have for them. Its
/// lock is FFTW's too, whose planner takes one caller at a time.
struct Plans {
  std::mutex mutex;
  std::map<cufftHandle, std::shared_ptr<Plan>> all;
  cufftHandle next = 1;

  static Plans &get() {
    static auto *plans = new Plans; // programs may transform until they end
    return *plans;
  }
};

bool is_to_complex(cufftType type) {
  return type == CUFFT_R2C || type == CUFFT_D2Z;
}
bool is_to_real(cufftType type) {
  return type == CUFFT_C2R || type == CUFFT_Z2D;
}

/// The numbers from one transform to the next where lines are not padded; a
/// real side in place has room for the complex one.
int plain_distance(const Plan &plan, bool is_input, bool is_in_place) {
  const bool is_real =
      is_input ? is_to_complex(plan.type) : is_to_real(plan.type);
  const bool has_half = is_to_complex(plan.type) || is_to_real(plan.type);
  int line = plan.n.back();
  if (has_half && !is_real)
    line = line / 2 + 1;
  else if (is_real && is_in_place)
    line = 2 * (line / 2 + 1);
  for (size_t i = 0; i + 1 < plan.n.size(); ++i)
    line *= plan.n[i];
  return line;
}

FftwPlan make_fftw_plan(const Plan &plan, void *in, void *out, int direction) {
  const Fftw &fftw = fftw_for(plan.type);
  if (!fftw.is_there)
    return nullptr;
  const bool is_in_place = in == out;
  auto embed = [](const Layout &side) {
    return side.embed.empty() ? nullptr : side.embed.data();
  };
  auto distance = [&](const Layout &side, bool is_input) {
    return side.embed.empty() ? plain_distance(plan, is_input, is_in_place)
                              : side.distance;
  };
  const int rank = int(plan.n.size());
  const int from = distance(plan.in, true), to = distance(plan.out, false);
  const unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
  if (is_to_complex(plan.type))
    return fftw.plan_many_dft_r2c(rank, plan.n.data(), plan.batch, in,
                                  embed(plan.in), plan.in.step, from, out,
                                  embed(plan.out), plan.out.step, to, flags);
  if (is_to_real(plan.type))
    return fftw.plan_many_dft_c2r(rank, plan.n.data(), plan.batch, in,
                                  embed(plan.in), plan.in.step, from, out,
                                  embed(plan.out), plan.out.step, to, flags);
  return fftw.plan_many_dft(rank, plan.n.data(), plan.batch, in, embed(plan.in),
                            plan.in.step, from, out, embed(plan.out),
                            plan.out.step, to, direction, flags);
}

cufftResult find_plan(cufftHandle handle, std::shared_ptr<Plan> &plan) {
  Plans &plans = Plans::get();
  std::lock_guard guard(plans.mutex);
  auto found = plans.all.find(handle);
  if (found == plans.all.end())
    return CUFFT_INVALID_PLAN;
  plan = found->second;
  return CUFFT_SUCCESS;
}

cufftResult execute(cufftHandle handle, cufftType type, void *in, void *out,
                    int direction) {
  std::shared_ptr<Plan> plan;
  if (cufftResult error = find_plan(handle, plan))
    return error;
  if (!plan->is_made)
    return CUFFT_INVALID_PLAN;
  if (plan->type != type)
    return CUFFT_INVALID_TYPE;
  if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  if (!gpuexec::cuda_libraries::wait_for(plan->stream))
    return CUFFT_EXEC_FAILED;
  FftwPlan fftw_plan = nullptr;
  {
    std::lock_guard guard(Plans::get().mutex);
    FftwPlan &kept = plan->plans[in == out][direction == CUFFT_INVERSE];
    if (!kept)
      kept = make_fftw_plan(*plan, in, out, direction);
    fftw_plan = kept;
  }
  if (!fftw_plan)
    return CUFFT_EXEC_FAILED;
  const Fftw &fftw = fftw_for(type);
  (is_to_complex(type) ? fftw.execute_dft_r2c
   : is_to_real(type)  ? fftw.execute_dft_c2r
                       : fftw.execute_dft)(fftw_plan, in, out);
  return CUFFT_SUCCESS;
}

bool is_type(cufftType type) {
  return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R ||
         is_double(type);
}

} // namespace

cufftResult cufftCreate(cufftHandle *handle) {
  if (!handle)
    return CUFFT_INVALID_VALUE;
  Plans &plans = Plans::get();
  std::lock_guard guard(plans.mutex);
  *handle = plans.next++;
  plans.all[*handle] = std::make_shared<Plan>();
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
  Plans &plans = Plans::get();
  std::lock_guard guard(plans.mutex);
  return plans.all.erase(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n,
                              int *inembed, int istride, int idist,
                              int *onembed, int ostride, int odist,
                              cufftType type, int batch, size_t *work_size) {
  std::shared_ptr<Plan> plan;
  if (cufftResult error = find_plan(handle, plan))
    return error;
  if (!is_type(type))
    return CUFFT_INVALID_TYPE;
  if (rank < 1 || rank > 3 || !n)
    return CUFFT_INVALID_VALUE;
  for (int i = 0; i < rank; ++i)
    if (n[i] < 1)
      return CUFFT_INVALID_SIZE;
  if (batch < 1)
    return CUFFT_INVALID_SIZE;
  if (plan->is_made)
    return CUFFT_INVALID_PLAN;
  if (!fftw_for(type).is_there)
    return CUFFT_SETUP_FAILED;
  plan->type = type;
  plan->n.assign(n, n + rank);
  plan->batch = batch;
  // cuFFT: without both, strides and distances do not count.
  if (inembed && onembed) {
    plan->in = {std::vector<int>(inembed, inembed + rank), istride, idist};
    plan->out = {std::vector<int>(onembed, onembed + rank), ostride, odist};
  }
  plan->is_made = true;
  if (work_size)
    *work_size = 0;
  return CUFFT_SUCCESS;
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                            size_t *work_size) {
  return cufftMakePlanMany(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type,
                           batch, work_size);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type,
                            size_t *work_size) {
  int n[] = {nx, ny};
  return cufftMakePlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1,
                           work_size);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz,
                            cufftType type, size_t *work_size) {
  int n[] = {nx, ny, nz};
  return cufftMakePlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1,
                           work_size);
}

cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed,
                          int istride, int idist, int *onembed, int ostride,
                          int odist, cufftType type, int batch) {
  if (cufftResult error = cufftCreate(plan))
    return error;
  const cufftResult error =
      cufftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed,
                        ostride, odist, type, batch, nullptr);
  if (error)
    cufftDestroy(*plan);
  return error;
}
cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch) {
  return cufftPlanMany(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch);
}
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type) {
  int n[] = {nx, ny};
  return cufftPlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz,
                        cufftType type) {
  int n[] = {nx, ny, nz};
  return cufftPlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out,
                         int direction) {
  return execute(plan, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out) {
  return execute(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out) {
  return execute(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in,
                         cufftDoubleComplex *out, int direction) {
  return execute(plan, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in,
                         cufftDoubleComplex *out) {
  return execute(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in,
                         cufftDoubleReal *out) {
  return execute(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  std::shared_ptr<Plan> plan;
  if (cufftResult error = find_plan(handle, plan))
    return error;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}

// FFTW has its own memory.
cufftResult cufftSetAutoAllocation(cufftHandle handle, int) {
  std::shared_ptr<Plan> plan;
  return find_plan(handle, plan);
}
cufftResult cufftSetWorkArea(cufftHandle handle, void *) {
  std::shared_ptr<Plan> plan;
  return find_plan(handle, plan);
}
cufftResult cufftGetSize(cufftHandle handle, size_t *work_size) {
  if (!work_size)
    return CUFFT_INVALID_VALUE;
  std::shared_ptr<Plan> plan;
  *work_size = 0;
  return find_plan(handle, plan);
}

cufftResult cufftGetVersion(int *version) {
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  if (!value)
    return CUFFT_INVALID_VALUE;
  constexpr gpuexec::cuda_libraries::Version VERSION = {
      CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  *value = VERSION.property(type);
  return CUFFT_SUCCESS;
}
