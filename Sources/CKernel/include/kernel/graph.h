/* What is cabled to what, lowered to the order and the buffers that a cycle uses. */
#ifndef BACKLINE_KERNEL_GRAPH_H
#define BACKLINE_KERNEL_GRAPH_H

#include <stdbool.h>

#include "automation.h"
#include "control.h"
#include "node.h"
#include "recorder.h"

BL_BEGIN_DECLARATIONS

/* As an endpoint's node: the rack itself, whose "busses" are its ports. */
#define BL_RACK UINT32_MAX

typedef struct bl_endpoint {
    uint32_t node; /* place in the description's nodes, or BL_RACK */
    uint32_t bus;  /* output bus of a source, input bus of a destination; a port with BL_RACK */
} bl_endpoint;

enum {
    /* Carries what the source rendered maximum_frames ago, so that a loop can be played. */
    BL_CABLE_FEEDBACK = 1 << 0,
    /* Comes up from silence, or goes down to it, over the graph's fade_frames. */
    BL_CABLE_FADE_IN = 1 << 1,
    BL_CABLE_FADE_OUT = 1 << 2,
    /* Comes up from silence before the other fades begin; they wait until what it brings has come
       through all nodes. For a cable into a node that is new itself: so its output is whole once
       that fades in, and crossfades with what it replaces by gains that add up to one. */
    BL_CABLE_LEAD_IN = 1 << 3,
    /* Carries what is left of a sound: it comes as late as it did in the graph before, and nothing
       else waits for it. */
    BL_CABLE_SPILLOVER = 1 << 4
};

/* A cable; several into one destination are summed. A source of one channel feeds every channel of
   its destination; otherwise the channel counts must agree. A channel that is named, from 1 on, is
   all that the cable carries (of its source), or all that it feeds (of its destination, where the
   source must be one channel). */
typedef struct bl_cable {
    bl_endpoint source;
    bl_endpoint destination;
    uint32_t flags;
    uint32_t source_channel, destination_channel; /* 0 for all */
} bl_cable;

/* Carries MIDI. An endpoint's bus is a cable of the node's MIDI, 0 to 255; with BL_RACK, one of the
   rack's MIDI ports. The sender is rendered before the listener, and what it sends arrives in the
   same cycle, at its frame. A cable can be limited to some channels, and to a range of keys;
   messages that concern no channel, or no key, pass. */
typedef struct bl_midi_cable {
    bl_endpoint source;
    bl_endpoint destination;
    uint16_t channels;   /* a bit each; 0 for all */
    uint8_t lowest_note; /* with note_count above 0 */
    uint8_t note_count;  /* 0 for all */
} bl_midi_cable;

typedef struct bl_graph bl_graph;

typedef struct bl_graph_description {
    uint32_t maximum_frames; /* as the nodes were allocated with; longer cycles are cut */
    uint32_t fade_frames;
    uint32_t input_count; /* the rack's audio inputs and the channels of each */
    const uint32_t *input_channel_counts;
    uint32_t output_count;
    const uint32_t *output_channel_counts;
    uint32_t node_count;
    bl_node *const *nodes;
    uint32_t cable_count;
    const bl_cable *cables;
    uint32_t midi_input_count;  /* the rack's MIDI inputs whose activity is reported */
    uint32_t midi_output_count; /* the rack's MIDI outputs */
    uint32_t midi_cable_count;
    const bl_midi_cable *midi_cables;
    uint32_t control_count; /* what moves parameters and recalls scenes */
    const bl_control *controls;
    uint32_t scene_count;
    const bl_scene *scenes;
    bl_automation *automation;          /* lanes to follow, or NULL */
    const bl_lane_target *lane_targets; /* one a lane */
    /* Where what is played is recorded, with a tap for each channel of the recording; NULL for
       none. A graph of NULL leaves it to go on with silence. */
    bl_recorder *recorder;
    uint32_t tap_count;
    const bl_tap *taps;
    /* The graph that this one will replace, or NULL: cables that stay keep what is in their
       delays, and controls where they stand. */
    const bl_graph *previous;
    /* Whatever the caller of bl_kernel_begin_cycle wants to find again. */
    void *context;
} bl_graph_description;

/* Lowers a description: finds the order of rendering, the buffers (in place where units allow
   it) and the delays that align parallel paths. NULL with *error set (static text) for a loop
   without a feedback cable (MIDI has none), channel counts that do not agree, a place that does not
   exist or memory that is short. [control] */
bl_graph *bl_graph_create(const bl_graph_description *description, const char **error);

/* [control, once reported retired or never sent] */
void bl_graph_destroy(bl_graph *graph);

/* Frames from the rack's inputs to output port `output`, straight through: what goes round in a
   feedback loop comes later, as an echo does, and is no latency. [control] */
uint32_t bl_graph_latency(const bl_graph *graph, uint32_t output);

/* Frames from the rack's inputs to MIDI output `output`. [control] */
uint32_t bl_graph_midi_latency(const bl_graph *graph, uint32_t output);

/* Has a unit another latency by now than the one that the graph was lowered for? Then its paths do
   not meet in time any more, until a graph that is lowered anew takes over. [control] */
bool bl_graph_latency_changed(const bl_graph *graph);

/* Does anything fade when the graph takes over, cables or delays that have changed?
   BL_REPORT_FADES_FINISHED reports the end. [control] */
bool bl_graph_fades(const bl_graph *graph);

void *bl_graph_context(const bl_graph *graph);

/* Buffers that the graph keeps besides the rack's own ports. [control] */
uint32_t bl_graph_buffer_count(const bl_graph *graph);

/* Channel-frames that the kernel itself has copied or summed, because no pointer could carry them.
   [control, while no cycle runs] */
uint64_t bl_graph_copied_frames(const bl_graph *graph);

BL_END_DECLARATIONS

#endif
