/* A unit that the kernel treats as rendered elsewhere: it renders as soon as it gets a cycle, and
   returns its output at its turn. */
#ifndef BACKLINE_TEST_DEFERRED_UNIT_H
#define BACKLINE_TEST_DEFERRED_UNIT_H

#include <stdbool.h>

#include "backline/unit.h"

/* A call of the kernel. */
typedef struct bl_test_call {
    bool is_begin; /* begin_render; otherwise render */
    int32_t unit;
    int32_t preceding; /* of begin_render; -1 for none */
} bl_test_call;

#define BL_TEST_MOST_CALLS 4096

typedef struct bl_test_log {
    uint32_t count;
    bl_test_call calls[BL_TEST_MOST_CALLS];
} bl_test_log;

/* Creates a descriptor whose units render like those of `inner` (up to four busses a side); NULL
   when memory is short. If begin_render is never called, they render at their turn. */
bl_unit_descriptor *bl_test_deferred_create(const bl_unit_descriptor *inner);
void bl_test_deferred_destroy(bl_unit_descriptor *descriptor);

/* The units' bl_dispatch_render. */
void bl_test_begin_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                          uint32_t frames, uint64_t output_busses, const bl_event *events,
                          const bl_render_host *host, const bl_unit *preceding) BL_NONBLOCKING;

/* Records the unit's calls in the log, under that number, from now on. */
void bl_test_deferred_log(bl_unit *unit, bl_test_log *log, int32_t number);
/* Sets the status that render returns from now on; if it is not BL_OK, the output is 1e6. */
void bl_test_deferred_answer(bl_unit *unit, bl_status status);
/* Returns the wrapped unit. */
bl_unit *bl_test_deferred_inner(const bl_unit *unit);
/* Returns the number of faulty cycles: the inputs or the events changed between begin_render and
   the turn, or begin_render was not called, or was called twice. */
uint32_t bl_test_deferred_faults(const bl_unit *unit);

#endif
