/* A unit that is rendered elsewhere, as the kernel sees it: it has done its work as soon as it is
   handed a cycle, and gives it out at its turn. */
#ifndef BACKLINE_TEST_DEFERRED_UNIT_H
#define BACKLINE_TEST_DEFERRED_UNIT_H

#include <stdbool.h>

#include "backline/unit.h"

/* What the kernel called, in order. */
typedef struct bl_test_call {
    bool is_begin; /* or render */
    int32_t unit;
    int32_t preceding; /* of a begin; -1 for none */
} bl_test_call;

#define BL_TEST_MOST_CALLS 4096

typedef struct bl_test_log {
    uint32_t count;
    bl_test_call calls[BL_TEST_MOST_CALLS];
} bl_test_log;

/* A descriptor whose units do what those of `inner` do (up to four busses a side); NULL when memory
   is short. Where begin_render is never called they do it at their turn. */
bl_unit_descriptor *bl_test_deferred_create(const bl_unit_descriptor *inner);
void bl_test_deferred_destroy(bl_unit_descriptor *descriptor);

/* A bl_dispatch_render. */
void bl_test_begin_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                          uint32_t frames, uint64_t output_busses, const bl_event *events,
                          const bl_render_host *host, const bl_unit *preceding) BL_NONBLOCKING;

/* Calls go to the log under that number from now on. */
void bl_test_deferred_log(bl_unit *unit, bl_test_log *log, int32_t number);
/* What render answers from now on; unless that is BL_OK, it leaves rubbish in its output. */
void bl_test_deferred_answer(bl_unit *unit, bl_status status);
/* The unit that does the work. */
bl_unit *bl_test_deferred_inner(const bl_unit *unit);
/* Cycles in which the inputs or the events at the turn were others than those at begin, or in
   which the unit had its turn without having been handed its cycle, or was handed it twice. */
uint32_t bl_test_deferred_faults(const bl_unit *unit);

#endif
