/* Eight floats at once, for loops over many equal things. Lanes are never passed as arguments:
   calling conventions for them differ between processors. */
#pragma once

#include <stdint.h>

#include "inline.h"

enum { BL_LANES = 8 };

/* Eight floats, loaded and stored at any float's address. `condition ? a : b` chooses lane by
   lane. */
typedef float bl_lanes __attribute__((ext_vector_type(8), aligned(4)));

/* Eight integers. A cast between the three types keeps the bits. */
typedef int32_t bl_lanes_int __attribute__((ext_vector_type(8), aligned(4)));
typedef uint32_t bl_lanes_uint __attribute__((ext_vector_type(8), aligned(4)));

/* The lanes that start at a float in an array. */
#define BL_LANES_AT(FLOATS) (*(bl_lanes *)(FLOATS))

/* The sum of all lanes. [render] */
BL_INLINE float bl_lanes_sum(const bl_lanes *lanes) BL_NONBLOCKING {
    bl_lanes x = *lanes;
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

/* Transposes a square: lane i of row j becomes lane j of row i. [render] */
BL_INLINE void bl_lanes_transpose(bl_lanes rows[BL_LANES]) BL_NONBLOCKING {
    bl_lanes pairs[BL_LANES], fours[BL_LANES];
    for (int row = 0; row < BL_LANES; row += 2) {
        bl_lanes a = rows[row], b = rows[row + 1];
        pairs[row] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[row + 1] = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int row = 0; row < BL_LANES; row += 4) {
        for (int half = 0; half < 2; half += 1) {
            bl_lanes a = pairs[row + half], b = pairs[row + half + 2];
            fours[row + 2 * half] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
            fours[row + 2 * half + 1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int row = 0; row < BL_LANES / 2; row += 1) {
        bl_lanes a = fours[row], b = fours[row + 4];
        rows[row] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
        rows[row + 4] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
