/* Lanes on the render thread. */
#ifndef BACKLINE_EVENTS_LANES_H
#define BACKLINE_EVENTS_LANES_H

#include "events/automation.h"
#include "receiver.h"

typedef struct bl_followed_lane {
    bool counts_beats;
    uint32_t piece_count;
    bl_lane_piece *pieces;
    const bl_receiver *receiver;  /* its last target; to compare, never to follow */
    bl_parameter_address address; /* likewise */
    uint32_t next;                /* the first piece that has not started */
    bool will_resume;             /* the present piece, after a jump into it, in frames_to_resume */
    uint32_t frames_to_resume;
    int64_t arrival; /* the sample time at which the last jump's ramp ends */
} bl_followed_lane;

struct bl_automation {
    bl_arena arena;
    uint32_t lane_count;
    bl_followed_lane *lanes;
    bool is_started; /* a stretch has been rendered */
    bool was_moving;
    double tempo, beat; /* of the last stretch, and at its end */
};

/* The targets of a plan's lanes. */
typedef struct bl_lane_table {
    bl_automation *automation; /* NULL for none */
    bl_receiver **receivers;   /* one for each lane */
    bl_parameter_address *addresses;
} bl_lane_table;

#endif
