/* A graph as the render thread walks it.
 *
 * A slot is the place of one channel's pointer for this cycle: of a rack input or output (the
 * caller's memory), of a buffer of the graph's, of silence, or of a unit's own memory. What a
 * cable carries is a slot number, assigned when the graph is lowered.
 */
#ifndef BACKLINE_KERNEL_LOWERED_GRAPH_H
#define BACKLINE_KERNEL_LOWERED_GRAPH_H

#include "cycle/delay_line.h"
#include "events/lanes.h"
#include "graph/arena.h"
#include "graph/node_state.h"
#include "kernel/graph.h"
#include "midi/controls.h"
#include "midi/midi_cables.h"
#include "recording/recorder.h"

/* One cable, seen from its destination. */
typedef struct bl_lowered_source {
    struct bl_lowered_node *node; /* NULL for a rack input */
    uint32_t bus;                 /* of the node; or the rack input's number */
    uint32_t channel_count;
    const uint32_t *slots; /* of the source's output */
    uint32_t flags;        /* BL_CABLE_… */
    /* The only channel that comes from the source, and that is fed, from 1 on; or 0. */
    uint32_t channel, destination_channel;
    bl_delay_line *delay; /* to line paths up, or for feedback; or NULL */
} bl_lowered_source;

/* An input bus of a node, or an output port of the rack. */
typedef struct bl_lowered_input {
    uint32_t channel_count;
    uint32_t source_count;
    bl_lowered_source *sources;
    uint32_t *slots;      /* where its audio stands, once mixed */
    bool is_direct;       /* the slots are the only source's own: nothing to mix */
    uint64_t mixed_cycle; /* the last cycle in which it was mixed */
} bl_lowered_input;

/* An output bus of a node. */
typedef struct bl_lowered_output {
    uint32_t channel_count;
    uint32_t *slots;
    uint32_t first_meter; /* in the node's meters */
    bool is_read;
    float **standby; /* memory for a remote unit that else has its own; or NULL */
} bl_lowered_output;

typedef struct bl_lowered_node {
    bl_node *node;
    uint32_t input_count;
    bl_lowered_input *inputs;
    bl_lowered_output *outputs;
    bl_lowered_midi_cable *midi_cables; /* those that it sends by, in the graph's list */
    uint32_t midi_cable_count;
    uint32_t latency;     /* frames from the rack's inputs to this node's outputs */
    uint32_t own_latency; /* of these, the unit's, as it was when the graph was lowered */
    /* Holds back what bypass lets be heard by the unit's latency; NULL without latency. Where that
       was another in the graph before, what was goes out while what will be comes in. */
    bl_delay_line *dry, *leaving_dry;
    bool dry_changes;
    bool keeps_dry;  /* in every cycle, bypassed or not */
    bool ends_group; /* the clock is read after it in every cycle; see timing.h [render] */

    /* Of a remote unit. */
    uint32_t dispatch_place;          /* it has its cycle at this node's turn at the earliest */
    struct bl_lowered_node *follower; /* can take its output without the host; or NULL */
    uint64_t read_outputs;            /* a bit a bus */
    uint64_t dispatched_cycle;        /* the last cycle that it was handed [render] */
} bl_lowered_node;

/* A remote unit is handed its cycle before the turn at `place`, unless it has
   it already, as the follower of another. */
typedef struct bl_dispatch {
    uint32_t place;
    bl_lowered_node *node;
} bl_dispatch;

struct bl_graph {
    bl_arena arena;
    void *context;
    uint32_t maximum_frames;
    uint32_t fade_frames;

    uint32_t slot_count;
    uint32_t buffer_count; /* slots with a buffer of the graph's own */
    float **slots;
    uint32_t input_channel_count, output_channel_count; /* the first slots, in this order */
    uint32_t silence_slot;
    float *silence;
    float *scratch; /* one channel on its way through a delay line */
    float *leaving; /* likewise, through one that goes out */
    float **dry;    /* what a bypassed node's input was; room for the widest output */

    uint32_t input_count;
    uint32_t *input_channel_counts;
    uint32_t **input_slots; /* of each rack input */
    uint32_t node_count;    /* those that some output pulls, in the order of rendering */
    bl_lowered_node *nodes;
    uint32_t dispatch_count;
    bl_dispatch *dispatches; /* in order of place, ended by UINT32_MAX */
    uint32_t idle_count;     /* the others, which take parameters nevertheless */
    bl_node **idle_nodes;
    uint32_t known_count; /* all of the description, by identifier */
    bl_node **known;
    uint32_t output_count;
    bl_lowered_input *outputs; /* the rack's output ports */
    uint32_t *output_latencies;
    uint32_t feedback_count; /* sources whose cycle is stored when the cycle is over */
    bl_lowered_source **feedback;
    bl_midi_wiring midi;
    bl_control_table controls;
    bl_automation_table automation;
    bl_recording_taps recording;

    const bl_musical_context *musical_context; /* of this stretch of the cycle [render] */
    const bl_transport_state *transport_state;
    uint64_t serial; /* given when it takes over [render] */
    uint64_t cycle;  /* counts cycles, so that inputs are mixed once in each [render] */
    /* Below 0 while new nodes and the lines of what fades in are filled. */
    int32_t fade_position;
    int32_t lead_position; /* where on this scale what leads in begins */
    bool has_fades, fades_reported;
    uint64_t copied_frames;
    bl_meter *input_meters, *output_meters; /* one a channel */
    struct bl_graph *next_retired;
};

/* The node of that identifier, whether or not an output pulls it; NULL where the graph has none.
   [render] */
bl_node *bl_graph_find_node(const bl_graph *graph, uint32_t identifier) BL_NONBLOCKING;

/* Where a node stands in the order of rendering; NULL where no output pulls it. */
bl_lowered_node *bl_graph_lowered_node(const bl_graph *graph, const bl_node *node);

/* Mixes the input bus's audio for this cycle, at most once. [render] */
void bl_graph_mix_input(bl_graph *graph, bl_lowered_input *input, uint32_t frames) BL_NONBLOCKING;

/* Renders one node's outputs. [render] */
bl_render_result bl_graph_render_node(bl_graph *graph, bl_lowered_node *node, uint32_t flags,
                                      const bl_timestamp *timestamp,
                                      uint32_t frames) BL_NONBLOCKING;

/* Chooses the nodes that outputs pull, in their order, with their cables. NULL or what is wrong.
   [control] */
const char *bl_graph_order_nodes(bl_graph *graph, const bl_graph_description *description);
/* Reorders the nodes, before they are connected, in a graph with remote units; `placed` has
   those of the description. [control] */
void bl_graph_order_remote_nodes(bl_graph *graph, const bl_graph_description *description,
                                 bl_lowered_node **placed);
/* Computes latencies and the delays that align parallel paths. False when memory is short.
 * [control] */
bool bl_graph_compensate_delays(bl_graph *graph, const bl_graph *previous);
/* Finds where in the order of rendering each remote unit gets its cycle; after the delays.
 * [control] */
void bl_graph_plan_dispatch(bl_graph *graph);
/* Assigns a slot to every cable's channels, and allocates the buffers. [control] */
void bl_graph_assign_buffers(bl_graph *graph);

/* A cable with any of these flags is faded. */
#define BL_CABLE_FADES (BL_CABLE_FADE_IN | BL_CABLE_FADE_OUT | BL_CABLE_LEAD_IN)

/* Does a source feed the input as it stands, by its pointers alone? */
static inline bool bl_lowered_input_is_direct(const bl_lowered_input *input) {
    return input->source_count == 1 && input->sources[0].delay == NULL &&
           input->sources[0].destination_channel == 0 &&
           (input->sources[0].flags & BL_CABLE_FADES) == 0;
}

#endif
