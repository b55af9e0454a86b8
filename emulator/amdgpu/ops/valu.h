//===-- emulator/amdgpu/ops/valu.h - All vector ALU functions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that valu.def lists. Convention: types.h.
//===----------------------------------------------------------------------===//

#ifndef GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_H
#define GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_H

#include "emulator/amdgpu/ops/types.h"
#include "emulator/amdgpu/ops/valu_cmp.h"
#include "emulator/amdgpu/ops/valu_cvt.h"
#include "emulator/amdgpu/ops/valu_float.h"
#include "emulator/amdgpu/ops/valu_int.h"
#include "emulator/amdgpu/ops/valu_int16.h"
#include "emulator/amdgpu/ops/valu_math.h"
#include "emulator/amdgpu/ops/valu_rdna.h"
#include "emulator/amdgpu/ops/valu_scale.h"

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_H
