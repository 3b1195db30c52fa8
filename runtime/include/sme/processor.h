#pragma once

// For generated code, compiled with the flags of the simulator: what its compiler may use of the
// processor beyond the least that its architecture has. As data, since whoever reads it must not
// run any of that code.

namespace sme {

/// Names as in /proc/cpuinfo, with a blank in front of each.
[[maybe_unused]] static constexpr char kProcessorFeatures[] = "sme-processor:"
#ifdef __SSE3__
                                                              " sse3"
#endif
#ifdef __SSSE3__
                                                              " ssse3"
#endif
#ifdef __SSE4_1__
                                                              " sse4_1"
#endif
#ifdef __SSE4_2__
                                                              " sse4_2"
#endif
#ifdef __POPCNT__
                                                              " popcnt"
#endif
#ifdef __MOVBE__
                                                              " movbe"
#endif
#if defined(__x86_64__) && defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16)
                                                              " cx16"
#endif
#ifdef __AES__
                                                              " aes"
#endif
#ifdef __PCLMUL__
                                                              " pclmulqdq"
#endif
#ifdef __RDRND__
                                                              " rdrand"
#endif
#ifdef __AVX__
                                                              " avx"
#endif
#ifdef __F16C__
                                                              " f16c"
#endif
#ifdef __FMA__
                                                              " fma"
#endif
#ifdef __BMI__
                                                              " bmi1"
#endif
#ifdef __BMI2__
                                                              " bmi2"
#endif
#ifdef __AVX2__
                                                              " avx2"
#endif
#ifdef __RDSEED__
                                                              " rdseed"
#endif
#ifdef __ADX__
                                                              " adx"
#endif
#ifdef __SHA__
                                                              " sha_ni"
#endif
#ifdef __AVX512F__
                                                              " avx512f"
#endif
#ifdef __AVX512DQ__
                                                              " avx512dq"
#endif
#ifdef __AVX512IFMA__
                                                              " avx512ifma"
#endif
#ifdef __AVX512CD__
                                                              " avx512cd"
#endif
#ifdef __AVX512BW__
                                                              " avx512bw"
#endif
#ifdef __AVX512VL__
                                                              " avx512vl"
#endif
#ifdef __AVX512VBMI__
                                                              " avx512vbmi"
#endif
#ifdef __AVX512VBMI2__
                                                              " avx512_vbmi2"
#endif
#ifdef __GFNI__
                                                              " gfni"
#endif
#ifdef __VAES__
                                                              " vaes"
#endif
#ifdef __VPCLMULQDQ__
                                                              " vpclmulqdq"
#endif
#ifdef __AVX512VNNI__
                                                              " avx512_vnni"
#endif
#ifdef __AVX512BITALG__
                                                              " avx512_bitalg"
#endif
#ifdef __AVX512VPOPCNTDQ__
                                                              " avx512_vpopcntdq"
#endif
#ifdef __MOVDIRI__
                                                              " movdiri"
#endif
#ifdef __MOVDIR64B__
                                                              " movdir64b"
#endif
#ifdef __AVX5124VNNIW__
                                                              " avx512_4vnniw"
#endif
#ifdef __AVX5124FMAPS__
                                                              " avx512_4fmaps"
#endif
#ifdef __AVX512VP2INTERSECT__
                                                              " avx512_vp2intersect"
#endif
#ifdef __AVX512FP16__
                                                              " avx512_fp16"
#endif
#ifdef __AMX_BF16__
                                                              " amx_bf16"
#endif
#ifdef __AMX_TILE__
                                                              " amx_tile"
#endif
#ifdef __AMX_INT8__
                                                              " amx_int8"
#endif
#ifdef __AVX512ER__
                                                              " avx512er"
#endif
#ifdef __AVX512PF__
                                                              " avx512pf"
#endif
#ifdef __AVXVNNI__
                                                              " avx_vnni"
#endif
#ifdef __AVX512BF16__
                                                              " avx512_bf16"
#endif
#ifdef __LAHF_SAHF__
                                                              " lahf_lm"
#endif
#ifdef __LZCNT__
                                                              " abm"
#endif
#ifdef __SSE4A__
                                                              " sse4a"
#endif
#ifdef __PRFCHW__
                                                              " 3dnowprefetch"
#endif
#ifdef __XOP__
                                                              " xop"
#endif
#ifdef __FMA4__
                                                              " fma4"
#endif
#ifdef __TBM__
                                                              " tbm"
#endif
#ifdef __ARM_FEATURE_QRDMX
                                                              " asimdrdm"
#endif
#ifdef __ARM_FEATURE_ATOMICS
                                                              " atomics"
#endif
#ifdef __ARM_FEATURE_CRC32
                                                              " crc32"
#endif
#ifdef __ARM_FEATURE_DOTPROD
                                                              " asimddp"
#endif
#ifdef __ARM_FEATURE_FP16_VECTOR_ARITHMETIC
                                                              " asimdhp"
#endif
#ifdef __ARM_FEATURE_SVE
                                                              " sve"
#endif
#ifdef __ARM_FEATURE_SVE2
                                                              " sve2"
#endif
#ifdef __ARM_FEATURE_MATMUL_INT8
                                                              " i8mm"
#endif
    ;

}  // namespace sme
