/* Lanes: parameters that follow the transport, frame by frame. Lanes are a part of a graph. */
#ifndef BACKLINE_EVENTS_AUTOMATION_H
#define BACKLINE_EVENTS_AUTOMATION_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/attributes.h"
#include "backline/parameter.h"

BL_BEGIN_DECLARATIONS

/* A linear piece of a lane; with end = start, a step. */
typedef struct bl_lane_piece {
    double start, end; /* frames of the transport, or beats */
    float from, to;    /* in the parameter's unit, at start and end */
} bl_lane_piece;

/* The lane of one parameter. Between two pieces it keeps the end value of the first; before the
   first piece it has that piece's start value. */
typedef struct bl_lane {
    bool counts_beats;           /* positions in beats instead of frames */
    uint32_t piece_count;        /* 1 or more */
    const bl_lane_piece *pieces; /* in order of time, without overlap */
} bl_lane;

/* The target of a lane in a graph. */
typedef struct bl_lane_target {
    uint32_t node;                /* index in the description's nodes */
    bl_parameter_address address; /* a parameter or BL_CONTROL_BYPASS */
} bl_lane_target;

/* Lanes and their positions, which successive graphs with the same lanes share. */
typedef struct bl_automation bl_automation;

/* Copies the lanes; NULL when memory is short. [control] */
bl_automation *bl_automation_create(const bl_lane *lanes, uint32_t lane_count);
/* [control, once no graph uses it] */
void bl_automation_destroy(bl_automation *automation);

BL_END_DECLARATIONS

#endif
