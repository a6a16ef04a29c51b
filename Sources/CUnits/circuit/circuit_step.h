/* Limits a step of Newton's method along a curved law. */
#pragma once

#include <math.h>

#include "circuit/circuit_lanes.h"

/* Estimates the voltage of a single law behind a source of `open` volts and `ohms` > 0. Diodes: the
   current is at most what the resistance admits, the voltage at most the source's. A limited
   current: it is at most the limit, and at most the linear current of its middle. */
BL_INLINE double bl_law_guess(const bl_law *law, double open, double ohms) BL_NONBLOCKING {
    double size = law->kind == BL_LAW_JUNCTION ? open : fabs(open);
    double guess;
    if (law->kind == BL_LAW_LIMITED) {
        double limited = size - ohms * law->scale;
        double straight = size / (1 + ohms * law->scale / law->width);
        guess = limited > straight ? limited : straight;
    } else if (size < 0) {
        guess = size;
    } else {
        guess = law->width * bl_law_log(1 + size / (ohms * law->scale));
        guess = guess < size ? guess : size;
    }
    return law->kind != BL_LAW_JUNCTION && open < 0 ? -guess : guess;
}

/* A Newton step of one law. */
typedef struct bl_law_step {
    double now, next; /* V */
    double current;   /* current of the linearization at `next` */
    double feedback;  /* resistance of the law to itself, ohms; usually below 0 */
} bl_law_step;

/* Whether the step may end in a curved part of the law. */
BL_INLINE bool bl_law_is_long(const bl_law *law, const bl_law_step *step) BL_NONBLOCKING {
    double low = law->kind == BL_LAW_JUNCTION ? 0 : fabs(step->now) - law->critical;
    bool bends = step->now > law->critical || fabs(step->next) > law->critical || low > 0;
    return bends && fabs(step->next - step->now) > 0.5 * law->width;
}

/* The voltage for the next step. A long first step is unreliable: an estimate from the line that
   the other laws set is better. Later ones go as far as they would lead in the logarithm of a
   rising current (L. W. Nagel, "SPICE2", 1975). */
BL_INLINE double bl_law_limit_newton_step(const bl_law *law, const bl_law_step *step,
                                          bool is_first) BL_NONBLOCKING {
    if (law->kind == BL_LAW_PLATE || !bl_law_is_long(law, step)) {
        return step->next;
    }
    if (is_first && step->feedback < 0) {
        return bl_law_guess(law, step->next - step->feedback * step->current, -step->feedback);
    }
    if (law->kind == BL_LAW_LIMITED) {
        return step->now * step->next < 0 ? 0 : step->next;
    }
    double sign = law->kind == BL_LAW_DIODES && step->next < 0 ? -1 : 1;
    double from = sign * step->now, to = sign * step->next;
    double way = (to - from) / law->width;
    if (to < law->critical || way < 2) {
        return step->next;
    }
    return sign * (from > 0 ? from + law->width * bl_law_log(1 + way)
                            : law->width * bl_law_log(to / law->width));
}
