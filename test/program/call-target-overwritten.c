// A call through registers goes where they point, though compiled code knew another value of them one instruction before.
// REQUIRES: emulator
// RUN: %gpucc -O1 %s -o %t
// RUN: GPUEXEC_EMULATOR_JIT=0 %run %t
// RUN: GPUEXEC_EMULATOR_JIT=baseline %run --timeout 60 %t
// RUN: GPUEXEC_EMULATOR_JIT=eager %run --timeout 60 %t
int main(void) {
  unsigned calls = 0, left = 1000000;
#if defined(__AMDGCN__)
  __asm__ volatile("s_getpc_b64 s[36:37]\n"
                   ".Lhere%=:\n\t"
                   "s_add_u32 s36, s36, .Lfunction%=-.Lhere%=\n\t"
                   "s_addc_u32 s37, s37, 0\n\t"
                   "s_not_b64 s[38:39], s[36:37]\n\t" // a value that the compiler does not follow
                   "s_branch .Lloop%=\n"
                   ".Lfunction%=:\n\t"
                   "s_add_u32 %0, %0, 1\n\t"
                   "s_setpc_b64 s[30:31]\n"
                   ".Lloop%=:\n\t"
                   "s_not_b64 s[36:37], s[38:39]\n\t"
                   "s_getpc_b64 s[34:35]\n\t"
                   "s_mov_b64 s[34:35], s[36:37]\n\t"
                   "s_swappc_b64 s[30:31], s[34:35]\n\t"
                   "s_sub_u32 %1, %1, 1\n\t"
                   "s_cmp_lg_u32 %1, 0\n\t"
                   "s_cbranch_scc1 .Lloop%="
                   : "+s"(calls), "+s"(left)
                   :
                   : "s30", "s31", "s34", "s35", "s36", "s37", "s38", "s39", "scc");
#endif
  return calls != 1000000;
}
