/* Units for tests of the kernel. */
#ifndef BACKLINE_TEST_UNITS_H
#define BACKLINE_TEST_UNITS_H

#include "backline/unit.h"
#include "deferred_unit.h"

typedef enum bl_test_unit {
    /* Multiplies by "factor" (rampable; default 1), in place if possible. While "fault" is above 0
       it renders NaN. */
    BL_TEST_SCALE,
    /* Like BL_TEST_SCALE, but never in place. */
    BL_TEST_SCALE_APART,
    /* Has no input; renders the factor itself, into its own memory. */
    BL_TEST_PROVIDER,
    /* Delays by BL_TEST_LATENCY frames, which is its latency. */
    BL_TEST_LATENT,
    /* Sums its input busses (1 to 128 of one channel). */
    BL_TEST_SUM,
    /* Has no input; renders the host's beat position, frame by frame; -1 if the host has none. */
    BL_TEST_BEAT,
    /* Delays by its parameter, 0 to 1023 frames, which is its latency; late_unit.c. */
    BL_TEST_LATE
} bl_test_unit;

const bl_unit_descriptor *bl_test_units(bl_test_unit which);

#define BL_TEST_LATENCY 37
#define BL_TEST_MOST_EVENTS 16384

/* The numbers of calls and events that a unit has received so far. */
uint32_t bl_test_render_count(const bl_unit *unit);
uint32_t bl_test_reset_count(const bl_unit *unit);
uint32_t bl_test_event_count(const bl_unit *unit);
/* Returns a copy of a received event; `next` is NULL. */
bl_event bl_test_event(const bl_unit *unit, uint32_t index);
/* Whether the last cycle was rendered in place. */
bool bl_test_was_in_place(const bl_unit *unit);

#endif
