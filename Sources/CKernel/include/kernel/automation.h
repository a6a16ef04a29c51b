/* Lanes by which parameters follow the transport: a part of a graph, so that they are heard at
 * their frame, wherever the transport goes.
 */
#ifndef BACKLINE_KERNEL_AUTOMATION_H
#define BACKLINE_KERNEL_AUTOMATION_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/attributes.h"
#include "backline/parameter.h"

BL_BEGIN_DECLARATIONS

/* A straight way, or a step where it ends as it begins. */
typedef struct bl_lane_piece {
    double start, end; /* frames of the transport, or beats */
    float from, to;    /* in the parameter's unit, at the two */
} bl_lane_piece;

/* One parameter's way. Between two pieces it keeps the value that the first has come to, and before
   the first that which this begins with. */
typedef struct bl_lane {
    bool counts_beats;           /* not frames */
    uint32_t piece_count;        /* at least 1 */
    const bl_lane_piece *pieces; /* in order of time; none begins before another has ended */
} bl_lane;

/* What a lane moves in a graph. */
typedef struct bl_lane_target {
    uint32_t node;                /* place in the description's nodes */
    bl_parameter_address address; /* or BL_CONTROL_BYPASS */
} bl_lane_target;

/* Lanes, and where they are: graphs that follow each other with the same ones go on with them. */
typedef struct bl_automation bl_automation;

/* Copies the lanes; NULL when memory is short. [control] */
bl_automation *bl_automation_create(const bl_lane *lanes, uint32_t lane_count);
/* [control, once no graph has it any more] */
void bl_automation_destroy(bl_automation *automation);

BL_END_DECLARATIONS

#endif
