/* A node as the kernel sees it. */
#ifndef BACKLINE_KERNEL_NODE_STATE_H
#define BACKLINE_KERNEL_NODE_STATE_H

#include "kernel/control.h"
#include "kernel/node.h"
#include "telemetry/meter.h"
#include "telemetry/render_observers.h"
#include "telemetry/timing.h"

/* How a node's turn went; the worst of its busses. */
typedef enum bl_render_result {
    BL_RENDERED,
    BL_RENDERED_LATE,       /* its latency is above BL_MAXIMUM_LATENCY */
    BL_RENDERED_NON_FINITE, /* muted and reset */
    BL_RENDER_UNAVAILABLE,  /* what renders it elsewhere has not answered, and its input plays */
    BL_RENDER_FAILED,       /* the unit answered with an error, and silence plays */
    BL_RENDER_RESULT_COUNT
} bl_render_result;

/* Where an output bus of a remote unit stands between the unit, 0, and the
   input that is heard in its place, the node's fade_frames. */
typedef struct bl_fallback {
    uint32_t position;
    bool is_leaving; /* on its way to the input, whether or not the unit is back meanwhile */
} bl_fallback;

/* Switches of a bypass in one stretch; of more, what comes of them counts. A crossfade is longer
   than their mean distance would be. */
#define BL_MOST_SWITCHES 8

typedef struct bl_bypass_switch {
    uint32_t frame; /* of the stretch */
    bool bypassed;  /* from it on */
} bl_bypass_switch;

/* The last change of a node's bypass that the control side has not read yet. */
enum { BL_BYPASS_UNCHANGED, BL_BYPASS_OFF, BL_BYPASS_ON };

struct bl_node {
    const bl_unit_descriptor *descriptor;
    bl_unit *unit;
    uint32_t identifier;
    uint32_t maximum_frames; /* that the unit was allocated for */
    uint32_t input_count, output_count;
    uint32_t *input_channel_counts, *output_channel_counts;
    uint32_t midi_output_count; /* cables that the unit sends by */

    bool is_remote; /* does the unit render in another process, which dispatch_render hands its
                       cycle? */
    bl_dispatch_render dispatch_render;

    bl_render_observers *observers; /* or NULL */

    /* What the render thread publishes of the unit, for any thread to read. */
    uint32_t value_count;
    _Atomic float *values; /* as bl_node_value has them: [bus × parameter_count + index] */
    uint32_t output_parameter_count;
    uint32_t *output_parameters;      /* places in the table of those that the unit alone writes */
    bool publishes_always;            /* has it to be asked where no event has come, too? */
    _Atomic uint32_t present_latency; /* BL_MAXIMUM_LATENCY at most */
    bool exceeds_latency;             /* the unit's own is higher [render] */
    _Atomic double present_tail_time;
    _Atomic uint32_t change_count;
    _Atomic uint32_t changed_bypass; /* as a command or a control has it */
    _Atomic bool spills;             /* see bl_node_set_spills */
    /* Its inputs while they are muted, maximum_frames each, bus after bus; NULL unless it ever
       spills. */
    float *muted;
    /* What parameters are on their way to by what came in this stretch, by place; and in which. */
    float *goals;
    int64_t *goal_times;

    /* The rest is the render thread's. */
    uint64_t graph_serial; /* of the last graph that the node was in */
    bool is_rendered;      /* does some output pull it there? */
    /* Frames from the rack's inputs to the unit, and to its output, in that graph. */
    uint32_t input_latency, output_latency;
    bl_event *first_event, *last_event;
    bool passes_midi; /* is MIDI let past the unit, because it is bypassed? */
    bl_meter *meters; /* one for each output channel, bus after bus */
    bl_timing timing;
    uint64_t recent_ticks; /* its time in ticks when it was last timed alone */

    /* Crossfades run over fade_frames: bypass_position goes from 0, the unit's output, to
       fade_frames, its input. A bypassed unit goes on rendering, so that its state and its load
       stay as they are. */
    uint32_t fade_frames;
    bool is_passed;   /* is its input heard at any frame of this stretch? */
    bool bypassed;    /* at the end of the stretch */
    bool is_spilling; /* bypassed by muting its input, so that its tail rings out? */
    uint32_t bypass_position;
    bl_fallback *fallbacks; /* one for each output bus */
    float *held_samples;    /* the last that such a unit gave; one for each output channel */
    /* After non-finite output the unit comes back from silence over so many frames. */
    uint32_t recovery_remaining;
    uint32_t last_result; /* a bl_render_result: how its last turn went */
    /* Times that it began to fail so, not yet reported; by bl_render_result. */
    uint32_t faults[BL_RENDER_RESULT_COUNT];
    bool was_bypassed; /* at the beginning of the stretch */
    uint32_t switch_count;
    bl_bypass_switch switches[BL_MOST_SWITCHES]; /* in the stretch, in order of time */
};

/* The place of an address among the values; value_count where it has none. [any thread] */
uint32_t bl_node_value_index(const bl_node *node, bl_parameter_address address) BL_NONBLOCKING;

/* Adapts a change to its parameter: clamped to the range, whole for switches and choices,
   ramped only if rampable. False for a parameter that does not exist or cannot be
   set, and for a value that is NaN. [render] */
bool bl_node_fit(const bl_node *node, bl_event *event) BL_NONBLOCKING;

/* Frames by which the sound of a moment at the rack's inputs reaches what an address moves: the
   unit's input; for BL_CONTROL_BYPASS its output, where bypass crossfades. [render] */
static inline uint32_t bl_node_latency_to(const bl_node *node,
                                          bl_parameter_address address) BL_NONBLOCKING {
    return address == BL_CONTROL_BYPASS ? node->output_latency : node->input_latency;
}

/* Prepares what the node publishes; false when memory is short. [control] */
bool bl_node_prepare_values(bl_node *node);
/* Publishes what these events have set, and what the unit itself has. [render, after the unit's
   turn] */
void bl_node_publish(bl_node *node, const bl_event *events) BL_NONBLOCKING;

/* Appends an event to those of this cycle. [render] */
static inline void bl_node_append_event(bl_node *node, bl_event *event) BL_NONBLOCKING {
    event->next = NULL;
    if (node->last_event != NULL) {
        node->last_event->next = event;
    } else {
        node->first_event = event;
    }
    node->last_event = event;
}

#endif
