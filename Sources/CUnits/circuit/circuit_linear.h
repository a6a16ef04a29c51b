/* Solves up to four linear equations, with as few dependent divisions as possible. No pivots: the
   diagonal is 1 and more since parts lose power. */
#pragma once

#include "circuit/circuit.h"

BL_INLINE void bl_solve_two(const bl_lanes4 *columns, bl_lanes4 *x) BL_NONBLOCKING {
    bl_lanes4 a = columns[0], b = columns[1], c = *x;
    double scale = 1 / (a[0] * b[1] - a[1] * b[0]);
    (*x)[0] = (c[0] * b[1] - c[1] * b[0]) * scale;
    (*x)[1] = (a[0] * c[1] - a[1] * c[0]) * scale;
}

BL_INLINE void bl_solve_three(const bl_lanes4 *columns, bl_lanes4 *x) BL_NONBLOCKING {
    bl_lanes4 a = columns[0], b = columns[1], c = columns[2], d = *x;
    double bc0 = b[1] * c[2] - b[2] * c[1], bc1 = b[2] * c[0] - b[0] * c[2],
           bc2 = b[0] * c[1] - b[1] * c[0];
    double ad0 = a[1] * d[2] - a[2] * d[1], ad1 = a[2] * d[0] - a[0] * d[2],
           ad2 = a[0] * d[1] - a[1] * d[0];
    double scale = 1 / (a[0] * bc0 + a[1] * bc1 + a[2] * bc2);
    (*x)[0] = (d[0] * bc0 + d[1] * bc1 + d[2] * bc2) * scale;
    (*x)[1] = (c[0] * ad0 + c[1] * ad1 + c[2] * ad2) * scale;
    (*x)[2] = -(b[0] * ad0 + b[1] * ad1 + b[2] * ad2) * scale;
}

BL_INLINE void bl_solve_four(const bl_lanes4 *columns, bl_lanes4 *x) BL_NONBLOCKING {
    bl_lanes4 a = columns[0], b = columns[1], c = columns[2], d = columns[3], e = *x;
    double first = 1 / (a[0] * b[1] - a[1] * b[0]);
    /* The coefficients of the first two unknowns, for each of the others and for the right side. */
    double c0 = (c[0] * b[1] - c[1] * b[0]) * first, c1 = (a[0] * c[1] - a[1] * c[0]) * first;
    double d0 = (d[0] * b[1] - d[1] * b[0]) * first, d1 = (a[0] * d[1] - a[1] * d[0]) * first;
    double e0 = (e[0] * b[1] - e[1] * b[0]) * first, e1 = (a[0] * e[1] - a[1] * e[0]) * first;
    c -= a * c0 + b * c1;
    d -= a * d0 + b * d1;
    e -= a * e0 + b * e1;
    double second = 1 / (c[2] * d[3] - c[3] * d[2]);
    double x2 = (e[2] * d[3] - e[3] * d[2]) * second, x3 = (c[2] * e[3] - c[3] * e[2]) * second;
    *x = (bl_lanes4){e0 - c0 * x2 - d0 * x3, e1 - c1 * x2 - d1 * x3, x2, x3};
}

/* Solves a matrix of `count` columns for *x, in place: by Cramer's rule, for four on blocks of two
   by two. */
BL_INLINE void bl_solve_linear(const bl_lanes4 *columns, bl_lanes4 *x, int count) BL_NONBLOCKING {
    if (count == 1) {
        (*x)[0] /= columns[0][0];
    } else if (count == 2) {
        bl_solve_two(columns, x);
    } else if (count == 3) {
        bl_solve_three(columns, x);
    } else {
        bl_solve_four(columns, x);
    }
}
