//===-- emulator/ptx/lower/registers.cpp - Special registers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/registers.h"
#include "emulator/ptx/lower/host.h"
#include "emulator/ptx/lower/states.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// Offsets of hidden arguments since version 5 of code objects.
enum : unsigned {
  HIDDEN_BLOCK_COUNT = 0, ///< three u32
  HIDDEN_GROUP_SIZE = 12, ///< three u16
  HIDDEN_DYNAMIC_LDS_SIZE = 120
};

/// Of the dispatch packet: the bytes of LDS that the launch asked for, u32.
constexpr unsigned PACKET_GROUP_SEGMENT_SIZE = 28;

/// A constant counter of 100 MHz; %clock64 and %globaltimer count at 1 GHz.
constexpr unsigned NANOSECONDS_PER_TICK = 10;

class Special {
public:
  explicit Special(Emitter &emitter) : emitter(emitter), ir(emitter.ir) {}

  Value *tid(unsigned axis) {
    if (is_host(emitter.module))
      return number(host::TID[axis]);
    static constexpr Intrinsic::ID IDS[] = {Intrinsic::amdgcn_workitem_id_x,
                                            Intrinsic::amdgcn_workitem_id_y,
                                            Intrinsic::amdgcn_workitem_id_z};
    return emitter.intrinsic(IDS[axis], {}, {});
  }
  Value *ctaid(unsigned axis) {
    if (is_host(emitter.module))
      return number(host::CTAID[axis]);
    static constexpr Intrinsic::ID IDS[] = {Intrinsic::amdgcn_workgroup_id_x,
                                            Intrinsic::amdgcn_workgroup_id_y,
                                            Intrinsic::amdgcn_workgroup_id_z};
    return emitter.intrinsic(IDS[axis], {}, {});
  }
  Value *ntid(unsigned axis) {
    if (is_host(emitter.module))
      return number(host::NTID[axis]);
    Value *size = load(Intrinsic::amdgcn_implicitarg_ptr,
                       HIDDEN_GROUP_SIZE + 2 * axis, ir.getInt16Ty());
    return ir.CreateZExt(size, ir.getInt32Ty());
  }
  Value *nctaid(unsigned axis) {
    if (is_host(emitter.module))
      return number(host::NCTAID[axis]);
    return load(Intrinsic::amdgcn_implicitarg_ptr,
                HIDDEN_BLOCK_COUNT + 4 * axis, ir.getInt32Ty());
  }
  Value *dynamic_shared() {
    if (is_host(emitter.module))
      return number(host::DYNAMIC_SHARED);
    return load(Intrinsic::amdgcn_implicitarg_ptr, HIDDEN_DYNAMIC_LDS_SIZE,
                ir.getInt32Ty());
  }
  Value *total_shared() {
    if (is_host(emitter.module))
      return ir.CreateTrunc(
          host_number(emitter, host::SHARED_BYTES, ir.getInt64Ty()),
          ir.getInt32Ty());
    return load(Intrinsic::amdgcn_dispatch_ptr, PACKET_GROUP_SEGMENT_SIZE,
                ir.getInt32Ty());
  }
  /// The number of the thread in its block, x fastest.
  Value *flat_tid() {
    if (is_host(emitter.module))
      return number(host::THREAD);
    Value *row = ir.CreateAdd(tid(1), ir.CreateMul(ntid(1), tid(2)));
    return ir.CreateAdd(tid(0), ir.CreateMul(ntid(0), row));
  }
  Value *block_threads() {
    return ir.CreateMul(ntid(0), ir.CreateMul(ntid(1), ntid(2)));
  }
  Value *laneid() {
    if (is_host(emitter.module))
      return number(host::LANE);
    return emitter.intrinsic(Intrinsic::amdgcn_mbcnt_lo, {},
                             {ir.getInt32(~0u), ir.getInt32(0)});
  }
  Value *lane_bit() { return ir.CreateShl(ir.getInt32(1), laneid()); }
  Value *nanoseconds() {
    if (is_host(emitter.module))
      unfit(emitter, "a clock");
    Value *ticks = emitter.intrinsic(Intrinsic::readsteadycounter, {}, {});
    return ir.CreateMul(ticks, ir.getInt64(NANOSECONDS_PER_TICK));
  }

private:
  Value *number(StringRef name) {
    return host_number(emitter, name, ir.getInt32Ty());
  }
  Value *load(Intrinsic::ID base, unsigned offset, llvm::Type *type) {
    Value *pointer = emitter.intrinsic(base, {}, {});
    LoadInst *value = ir.CreateLoad(
        type, ir.CreateConstInBoundsGEP1_32(ir.getInt8Ty(), pointer, offset));
    value->setMetadata(LLVMContext::MD_invariant_load,
                       MDNode::get(ir.getContext(), {}));
    return value;
  }

  Emitter &emitter;
  IRBuilder<> &ir;
};

/// %tid, %ntid, %ctaid, %nctaid and those of clusters of one block.
Value *of_axis(Special &special, IRBuilder<> &ir, StringRef name,
               unsigned axis) {
  if (name == "tid")
    return special.tid(axis);
  if (name == "ntid")
    return special.ntid(axis);
  if (name == "ctaid" || name == "clusterid")
    return special.ctaid(axis);
  if (name == "nctaid" || name == "nclusterid")
    return special.nctaid(axis);
  if (name == "cluster_ctaid")
    return ir.getInt32(0);
  return name == "cluster_nctaid" ? ir.getInt32(1) : nullptr;
}

Value *of_lane(Special &special, IRBuilder<> &ir, StringRef name) {
  if (name == "laneid")
    return special.laneid();
  Value *bit = special.lane_bit();
  Value *below = ir.CreateSub(bit, ir.getInt32(1));
  if (name == "lanemask_eq")
    return bit;
  if (name == "lanemask_lt")
    return below;
  if (name == "lanemask_le")
    return ir.CreateOr(below, bit);
  if (name == "lanemask_ge")
    return ir.CreateNot(below);
  return ir.CreateNot(ir.CreateOr(below, bit)); // lanemask_gt
}

enum class Known {
  no,
  zero,
  one,
  lane,
  warpid,
  nwarpid,
  clock,
  clock_high,
  clock64,
  dynamic_shared,
  total_shared
};

Known known(StringRef name) {
  if (name.starts_with("envreg") || name.starts_with("pm"))
    return Known::zero;
  return StringSwitch<Known>(name)
      .Cases({"laneid", "lanemask_eq", "lanemask_lt", "lanemask_le"},
             Known::lane)
      .Cases({"lanemask_ge", "lanemask_gt"}, Known::lane)
      .Case("warpid", Known::warpid)
      .Case("nwarpid", Known::nwarpid)
      .Cases({"smid", "gridid", "cluster_ctarank", "is_explicit_cluster"},
             Known::zero)
      .Cases({"aggr_smem_size", "reserved_smem_offset_begin"}, Known::zero)
      .Cases({"nsmid", "cluster_nctarank"}, Known::one)
      .Cases({"clock", "globaltimer_lo"}, Known::clock)
      .Cases({"clock_hi", "globaltimer_hi"}, Known::clock_high)
      .Cases({"clock64", "globaltimer"}, Known::clock64)
      .Case("dynamic_smem_size", Known::dynamic_shared)
      .Case("total_smem_size", Known::total_shared)
      .Default(Known::no);
}

} // namespace

Value *special_register(Emitter &emitter, const Operand &operand) {
  StringRef name = operand.name;
  if (!name.consume_front("%"))
    return nullptr;
  Special special(emitter);
  IRBuilder<> &ir = emitter.ir;
  if (operand.component) {
    const size_t axis = StringRef("xyzw").find(operand.component);
    return axis < 3 ? of_axis(special, ir, name, axis) : ir.getInt32(0);
  }
  constexpr unsigned WARP_SIZE = 32;
  switch (known(name)) {
  case Known::no:
    break;
  case Known::zero:
    return ir.getInt32(0);
  case Known::one:
    return ir.getInt32(1);
  case Known::lane:
    return of_lane(special, ir, name);
  case Known::warpid:
    return ir.CreateUDiv(special.flat_tid(), ir.getInt32(WARP_SIZE));
  case Known::nwarpid:
    return ir.CreateUDiv(
        ir.CreateAdd(special.block_threads(), ir.getInt32(WARP_SIZE - 1)),
        ir.getInt32(WARP_SIZE));
  case Known::clock:
    return ir.CreateTrunc(special.nanoseconds(), ir.getInt32Ty());
  case Known::clock_high:
    return ir.CreateTrunc(ir.CreateLShr(special.nanoseconds(), ir.getInt64(32)),
                          ir.getInt32Ty());
  case Known::clock64:
    return special.nanoseconds();
  case Known::dynamic_shared:
    return special.dynamic_shared();
  case Known::total_shared:
    return special.total_shared();
  }
  return nullptr;
}

} // namespace gpuexec::ptx
