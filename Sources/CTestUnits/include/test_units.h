/* Units that make the kernel's behaviour visible. */
#ifndef BACKLINE_TEST_UNITS_H
#define BACKLINE_TEST_UNITS_H

#include "backline/unit.h"
#include "deferred_unit.h"

typedef enum bl_test_unit {
    /* Multiplies by "factor" (rampable; default 1), in place where it may. While "fault" is above 0
       it renders NaN. */
    BL_TEST_SCALE,
    /* The same, never in place. */
    BL_TEST_SCALE_APART,
    /* The same without an input, rendering the factor itself into memory of its own. */
    BL_TEST_PROVIDER,
    /* Delays by BL_TEST_LATENCY frames and says so. */
    BL_TEST_LATENT,
    /* Sums its input busses (1 to 128 of one channel). */
    BL_TEST_SUM,
    /* Without an input: renders the host's beat position, frame by frame; -1 where the host knows
       of no music. */
    BL_TEST_BEAT,
    /* Delays by as many frames as its one parameter says (0 to 1023), and says so; late_unit.c. */
    BL_TEST_LATE
} bl_test_unit;

const bl_unit_descriptor *bl_test_units(bl_test_unit which);

#define BL_TEST_LATENCY 37
#define BL_TEST_MOST_EVENTS 16384

/* What a unit was handed so far. */
uint32_t bl_test_render_count(const bl_unit *unit);
uint32_t bl_test_reset_count(const bl_unit *unit);
uint32_t bl_test_event_count(const bl_unit *unit);
/* A copy; `next` is not kept. */
bl_event bl_test_event(const bl_unit *unit, uint32_t index);
/* Was the last cycle rendered with output pointer = input pointer? */
bool bl_test_was_in_place(const bl_unit *unit);

#endif
