/* Nodes and their cables, lowered to the order and the buffers of a cycle. */
#ifndef BACKLINE_KERNEL_GRAPH_H
#define BACKLINE_KERNEL_GRAPH_H

#include <stdbool.h>

#include "events/automation.h"
#include "events/control.h"
#include "events/midi_cable.h"
#include "modulation.h"
#include "node.h"
#include "recorder.h"

BL_BEGIN_DECLARATIONS

/* The delay of a feedback cable in frames, whatever the length of the cycles. */
#define BL_FEEDBACK_DELAY 64

enum {
    /* The cable is delayed by BL_FEEDBACK_DELAY, which allows a loop. */
    BL_CABLE_FEEDBACK = 1 << 0,
    /* The cable fades in, or out, over the graph's fade_frames. */
    BL_CABLE_FADE_IN = 1 << 1,
    BL_CABLE_FADE_OUT = 1 << 2,
    /* The cable fades in before the other fades, which wait until its sound has passed through all
       nodes. For a cable into a new node, whose output is then complete when it fades in. */
    BL_CABLE_LEAD_IN = 1 << 3,
    /* The cable carries a tail: it keeps its delay of the last graph, and no other path is delayed
       for it. */
    BL_CABLE_SPILLOVER = 1 << 4
};

/* A cable; several into one destination are summed. A source of one channel feeds every channel of
   its destination; otherwise the channel counts must agree. A source_channel, from 1, is the only
   channel that the cable carries; a destination_channel is the only one that it feeds, from a
   source of one channel. */
typedef struct bl_cable {
    bl_endpoint source;
    bl_endpoint destination;
    uint32_t flags;
    uint32_t source_channel, destination_channel; /* 0 for all */
} bl_cable;

typedef struct bl_graph bl_graph;

typedef struct bl_graph_description {
    /* The maximum of the nodes' resources; longer cycles are rendered in stretches. With a feedback
       cable no stretch is longer than BL_FEEDBACK_DELAY. */
    uint32_t maximum_frames;
    uint32_t fade_frames;
    uint32_t input_count; /* the rack's audio inputs, and channels of each */
    const uint32_t *input_channel_counts;
    uint32_t output_count;
    const uint32_t *output_channel_counts;
    /* The magnitude above which each output is faded out (see cycle/fence.h), INFINITY for no
       limit; NULL: no output has a limit. */
    const float *output_ceilings;
    uint32_t node_count;
    bl_node *const *nodes;
    uint32_t cable_count;
    const bl_cable *cables;
    uint32_t midi_input_count;  /* the rack's MIDI inputs whose activity is reported */
    uint32_t midi_output_count; /* the rack's MIDI outputs */
    uint32_t midi_cable_count;
    const bl_midi_cable *midi_cables;
    uint32_t control_count;
    const bl_control *controls;
    uint32_t scene_count;
    const bl_scene *scenes;
    uint32_t modulation_count;
    const bl_modulation *modulations;
    bl_automation *automation; /* lanes to follow, or NULL */
    const bl_lane_target *lane_targets;
    /* The recorder of the taps, one per channel of the recording; NULL for none. While the kernel
       has no graph, silence is recorded. */
    bl_recorder *recorder;
    uint32_t tap_count;
    const bl_tap *taps;
    /* The graph that this one will replace, or NULL: common cables keep the contents of their
       delays, common controls their state. */
    const bl_graph *previous;
    /* The number of rendering threads, the caller of bl_kernel_render included; 0 or 1 for that one
       alone. They share the work while that saves enough time or, if `always_shares`, always. */
    uint32_t thread_count;
    bool always_shares;
    /* The value that bl_kernel_begin_cycle returns. */
    void *context;
} bl_graph_description;

/* Lowers a description: finds the order of rendering, the buffers and the delays that align
   parallel paths. NULL, and a static text in *error, for a loop without a feedback cable (MIDI has
   none), channel counts that do not agree, an index that does not exist, or when memory is short.
   [control] */
bl_graph *bl_graph_create(const bl_graph_description *description, const char **error);

/* [control, once reported retired or never sent] */
void bl_graph_destroy(bl_graph *graph);

/* Frames from the rack's inputs to output port `output`, without feedback. [control] */
uint32_t bl_graph_latency(const bl_graph *graph, uint32_t output);

/* Frames from the rack's inputs to MIDI output `output`. [control] */
uint32_t bl_graph_midi_latency(const bl_graph *graph, uint32_t output);

/* Whether a unit's latency has changed since the graph was lowered: its paths are then misaligned,
   until a new graph replaces it. [control] */
bool bl_graph_latency_changed(const bl_graph *graph);

/* Whether cables or delays fade when the graph starts; BL_REPORT_FADES_FINISHED reports the end.
   [control] */
bool bl_graph_fades(const bl_graph *graph);

/* The graph's buffers, without the rack's ports. [control] */
uint32_t bl_graph_buffer_count(const bl_graph *graph);

/* Channel-frames that the kernel has copied or summed. [control, while no cycle runs] */
uint64_t bl_graph_copied_frames(const bl_graph *graph);

BL_END_DECLARATIONS

#endif
