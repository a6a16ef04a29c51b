/* A node inside the kernel. */
#pragma once

#include <stdatomic.h>

#include "backline/arena.h"
#include "kernel/render_observer.h"
#include "receiver.h"
#include "telemetry/meter.h"
#include "telemetry/timing.h"
#include "telemetry/watch.h"

/* The result of rendering a node: the worst result of its busses. */
typedef enum bl_render_result {
    BL_RENDERED,
    BL_RENDERED_LATE,       /* its latency exceeds BL_MAXIMUM_LATENCY */
    BL_RENDERED_NON_FINITE, /* NaN or infinity: muted and reset */
    BL_RENDER_UNAVAILABLE,  /* its process has not responded, and its input plays */
    BL_RENDER_FAILED,       /* the unit returned an error, and silence plays */
    BL_STAYS_NON_FINITE, /* NaN or infinity for a second, despite resets; a fault, not a result */
    BL_RENDER_RESULT_COUNT
} bl_render_result;

/* The crossfade of an output bus of a remote unit: position 0 is the unit, the node's fade_frames
   the input that replaces it. */
typedef struct bl_fallback {
    uint32_t position;
    bool is_leaving; /* fading to the input, even if the unit responds again */
} bl_fallback;

/* The most switches of a bypass in one stretch; beyond it only the last state counts. */
#define BL_MOST_SWITCHES 8

typedef struct bl_bypass_switch {
    uint32_t frame; /* frame in the stretch */
    bool bypassed;  /* state from that frame on */
} bl_bypass_switch;

/* The observers of a unit; see render_observer.h. */
typedef struct bl_observer {
    bl_render_observer function;
    void *context;
    uint64_t token;
} bl_observer;

struct bl_render_observers {
    _Atomic uint32_t count;                                  /* usually 0 */
    _Atomic uint32_t calling;                                /* notifications under way */
    _Atomic(bl_observer *) places[BL_MOST_RENDER_OBSERVERS]; /* NULL: a free place */
};

/* The number of observers ever added to units of this process. [any thread] */
uint32_t bl_render_observers_added(void) BL_NONBLOCKING;

/* Whether the list, or NULL, has an observer. [render] */
static inline bool bl_render_observers_any(const bl_render_observers *observers) BL_NONBLOCKING {
    return observers != NULL && atomic_load_explicit(&observers->count, memory_order_relaxed) > 0;
}

/* Calls the observers. [render] */
void bl_render_observers_notify(bl_render_observers *observers, uint32_t flags,
                                const bl_timestamp *timestamp, uint32_t frames,
                                uint32_t bus) BL_NONBLOCKING;

/* The last change of a node's bypass that the control side has not read yet. */
enum { BL_BYPASS_UNCHANGED, BL_BYPASS_OFF, BL_BYPASS_ON };

/* The modulated parameters; see modulation/modulated.h. */
typedef struct bl_modulated bl_modulated;

struct bl_node {
    bl_receiver receiver; /* the first member; see bl_node_of */
    bl_arena arena;
    bl_unit *unit;
    uint32_t maximum_frames; /* the unit's allocated maximum */
    uint32_t output_count;
    uint32_t *input_channel_counts, *output_channel_counts;

    bool is_remote; /* rendered in another process, to which dispatch_render hands its cycle */
    bl_dispatch_render dispatch_render;

    bl_render_observers *observers; /* or NULL */

    /* Published by the render thread, for any thread to read. */
    uint32_t output_parameter_count;
    uint32_t *output_parameters; /* indices of the parameters that the unit writes */
    bool publishes_always;       /* publishes also after a cycle without events */
    bool asks_for_times;         /* a property takes effect in some later cycle, without a notice */
    _Atomic uint32_t present_latency; /* BL_MAXIMUM_LATENCY at most */
    bool exceeds_latency;             /* the unit's own is higher [render] */
    _Atomic bool holds_latency;       /* see bl_node_hold_latency */
    _Atomic double present_tail_time;
    _Atomic uint32_t change_count;
    _Atomic uint32_t changed_bypass; /* last change by a command or a control */
    _Atomic bool spills;             /* see bl_node_set_spills */
    /* Muted inputs, maximum_frames for each channel, bus after bus; NULL unless the unit spills. */
    float *muted;
    bl_watch watch;

    /* The render thread's fields. */
    struct bl_turn *turn; /* its turn in the present graph; NULL if no output pulls the node */
    bl_meter *meters;     /* one for each output channel, bus after bus */
    bl_timing timing;
    uint64_t recent_ticks; /* its last measured time; 0 if it was never timed */
    /* The last cycle in which it was timed, its total time in that cycle, and the last cycle in
       which its process did not respond; see bl_graph. */
    uint64_t timed_in, cycle_ticks, late_in;

    /* The crossfade of a bypass lasts fade_frames: bypass_position goes from 0, the unit's output,
       to fade_frames, its input. A bypassed unit continues to render, so that its state and its
       load stay. */
    uint32_t fade_frames;
    bool is_passed;   /* the input plays at some frame of this stretch */
    bool is_spilling; /* bypass mutes the input, and the tail continues */
    uint32_t bypass_position;
    bl_fallback *fallbacks;      /* one for each output bus */
    float *held_samples;         /* last samples of a remote unit; one per output channel */
    uint32_t recovery_remaining; /* frames of the fade-in after NaN, infinity or a failure */
    uint32_t last_result;        /* a bl_render_result */
    uint32_t non_finite_frames;  /* frames of NaN or infinity, or since the last report of it */
    /* The failures that are not reported yet, by bl_render_result. */
    uint32_t faults[BL_RENDER_RESULT_COUNT];
    /* The unit's log lines: the start of the present second, the number of lines in it, and of
       those not reported since. */
    int64_t lines_from;
    uint32_t line_count, lines_lost;
    uint64_t events_lost; /* events lost in the unit in this stretch */
    bool was_bypassed;    /* state at the start of the stretch */
    uint32_t switch_count;
    bl_bypass_switch switches[BL_MOST_SWITCHES]; /* in this stretch, in order of time */
};

/* The node of a receiver. [any thread] */
static inline bl_node *bl_node_of(bl_receiver *receiver) BL_NONBLOCKING {
    return (bl_node *)receiver;
}

/* Publishes the values that these events set; for modulated parameters (or NULL) those of the knobs
   are published already. Returns whether there were any. [render, before the node: values that the
   unit notifies have priority] */
bool bl_node_publish_events(bl_node *node, const bl_event *events,
                            const bl_modulated *modulated) BL_NONBLOCKING;
/* Publishes the values that the unit writes, and its latency and tail; `has_changed`: it had
   events. [render, after the node] */
void bl_node_publish(bl_node *node, bool has_changed, const bl_modulated *modulated) BL_NONBLOCKING;

/* Publishes the unit's latency and tail. [render, or idle] */
void bl_node_publish_times(bl_node *node) BL_NONBLOCKING;

/* Counts a change for bl_node_change_count, after the change. [render] */
void bl_node_count_change(bl_node *node) BL_NONBLOCKING;

/* Makes the node's next turn slow; see bl_turn. [render] */
void bl_node_make_slow(bl_node *node) BL_NONBLOCKING;
