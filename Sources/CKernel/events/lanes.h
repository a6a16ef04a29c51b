/* Lanes as the render thread follows them. */
#ifndef BACKLINE_AUTOMATION_H
#define BACKLINE_AUTOMATION_H

#include "kernel/graph.h"

typedef struct bl_followed_lane {
    bool counts_beats;
    uint32_t piece_count;
    bl_lane_piece *pieces;
    const bl_node *node;          /* that it moved last; to compare, never to follow */
    bl_parameter_address address; /* of it, likewise */
    uint32_t next;                /* the first piece that has not started */
    bool will_resume; /* after a jump into the middle of a piece, in so many frames, along it */
    uint32_t frames_to_resume;
} bl_followed_lane;

struct bl_automation {
    uint32_t lane_count;
    bl_followed_lane *lanes;
    bool has_begun; /* has a stretch been followed yet? */
    bool was_moving;
    double tempo, beat; /* in the stretch before, and where that should end */
};

/* What of a graph its lanes move. */
typedef struct bl_automation_table {
    bl_automation *automation; /* NULL for none */
    bl_node **nodes;           /* one a lane */
    bl_parameter_address *addresses;
} bl_automation_table;

/* NULL or what is wrong. [control] */
const char *bl_graph_lower_lanes(struct bl_graph *graph, const bl_graph_description *description);

#endif
