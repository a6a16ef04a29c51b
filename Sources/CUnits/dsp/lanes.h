/* Eight floats at once, for loops over many equal things. Lanes are no argument of any function:
 * how they are passed differs from processor to processor. */
#ifndef BACKLINE_DSP_LANES_H
#define BACKLINE_DSP_LANES_H

#include "inline.h"

enum { BL_LANES = 8 };

/* Loaded and stored at the address of any float. `condition ? a : b` chooses lane by lane. */
typedef float bl_lanes __attribute__((ext_vector_type(8), aligned(4)));

/* The lanes from a float on, in an array. */
#define BL_LANES_AT(FLOATS) (*(bl_lanes *)(FLOATS))

/* The sum of all eight. [render] */
BL_INLINE float bl_lanes_sum(const bl_lanes *lanes) BL_NONBLOCKING {
    bl_lanes x = *lanes;
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

#endif
