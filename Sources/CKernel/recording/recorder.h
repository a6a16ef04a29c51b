/* The render thread's end of a recording. */
#ifndef BACKLINE_RECORDER_H
#define BACKLINE_RECORDER_H

#include "kernel/graph.h"

/* A stretch of so many frames begins. [render] */
void bl_recorder_begin_stretch(bl_recorder *recorder, uint32_t frames) BL_NONBLOCKING;
/* One channel of the stretch. [render] */
void bl_recorder_write(bl_recorder *recorder, uint32_t channel, const float *samples,
                       uint32_t frames) BL_NONBLOCKING;
/* Every channel has been put. [render] */
void bl_recorder_end_stretch(bl_recorder *recorder, uint32_t frames) BL_NONBLOCKING;
/* A stretch of silence, of any length. [render] */
void bl_recorder_skip(bl_recorder *recorder, uint32_t frames) BL_NONBLOCKING;

/* A channel that stands in a slot once the cycle is over. */
typedef struct bl_slot_tap {
    uint32_t slot, channel;
} bl_slot_tap;

/* A channel of a node's output, recorded right after the node has rendered, as its memory may be
   used anew then. */
typedef struct bl_node_tap {
    uint32_t place; /* in the order of rendering */
    uint32_t slot, channel;
} bl_node_tap;

/* What of a graph is recorded, if anything is. */
typedef struct bl_recording_taps {
    bl_recorder *recorder; /* NULL for none */
    uint32_t slot_count;
    bl_slot_tap *slots;
    bl_node_tap *nodes; /* in order of place, ended by UINT32_MAX */
} bl_recording_taps;

/* Finds the slot of each recorded channel, once buffers are assigned. What no output pulls is
   silent. [control] */
void bl_graph_lower_taps(bl_graph *graph, const bl_graph_description *description);

#endif
