/* How the functions of dsp/ are declared. */
#ifndef BACKLINE_DSP_INLINE_H
#define BACKLINE_DSP_INLINE_H

#include "backline/attributes.h"

/* Always inlined, and so compiled for the processor of its caller. Left to itself the compiler may
   inline one call and not another within a function that has BL_VECTOR_CLONES; one would then use
   fused multiply-adds and the other not, and two paths that must give the same bits would not. */
#define BL_INLINE static inline __attribute__((always_inline))

/* Before a loop whose frames do not depend on each other: its pointers are either the same (in
   place) or apart, and so it vectorises without a check of that. */
#if defined(__clang__)
#define BL_INDEPENDENT_FRAMES _Pragma("clang loop vectorize(assume_safety)")
#else
#define BL_INDEPENDENT_FRAMES
#endif

#endif
