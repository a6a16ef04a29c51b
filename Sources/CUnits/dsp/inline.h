/* What loops over frames need, besides BL_INLINE (backline/attributes.h). */
#pragma once

#include "backline/attributes.h"

/* Before a loop whose frames do not depend on each other: its pointers are either the same (in
   place) or apart, and so it vectorises without a check of that. */
#if defined(__clang__)
#define BL_INDEPENDENT_FRAMES _Pragma("clang loop vectorize(assume_safety)")
#else
#define BL_INDEPENDENT_FRAMES
#endif
