/* Pragmas for loops over frames, besides BL_INLINE (backline/attributes.h). */
#pragma once

#include "backline/attributes.h"

/* Put before a loop whose frames are independent: its pointers are either equal (in place) or do
   not overlap, so that it vectorises without a check. */
#if defined(__clang__)
#define BL_INDEPENDENT_FRAMES _Pragma("clang loop vectorize(assume_safety)")
#else
#define BL_INDEPENDENT_FRAMES
#endif
