/* What a unit that has a kit consists of: its kit, its first member, its cycle. See kit.h. */
#ifndef BACKLINE_KIT_UNIT_H
#define BACKLINE_KIT_UNIT_H

#include "arena.h"
#include "unit.h"

BL_BEGIN_DECLARATIONS

/* Before a loop over a bus's channels, which are a few: unrolled it would be slower. */
#if defined(__clang__)
#define BL_FEW_CHANNELS _Pragma("clang loop unroll(disable) vectorize(disable)")
#else
#define BL_FEW_CHANNELS
#endif

/* One cycle of a unit, valid while it is rendered. */
typedef struct bl_io {
    /* All busses, as many as the descriptor's tables and the host's configuration have; without
       channels where an optional bus is not connected, and where the host has left it out. The
       samples may be read only; input may equal output, channel by channel, where the unit can
       process in place. Of an offline effect: nothing. */
    const bl_buffers *inputs;
    const bl_buffers *outputs;
    /* The channels of the first busses, channels × frames; NULL without one. */
    float *const *input, *const *output;
    const bl_render_host *host;
    uint32_t flags, frames; /* of the render call */
    int64_t time;           /* of the cycle's first frame, in sample time */
    int64_t now;            /* of the present event, in sample time */
    bl_status status;       /* what render answers; process may set it */
    uint32_t note_id;       /* of the present event, if it begins a note that has one; or 0 */
} bl_io;

/* What is special about a unit; a NULL is the usual. Constant. */
typedef struct bl_kit {
    size_t size; /* of the unit's structure, which begins with a bl_unit_base. Bytes */

    /* Renders `frames` frames from `first_frame` of the cycle on, without an event inside. NULL:
       nothing to do between events. [render & allocated] */
    void (*process)(bl_unit *unit, bl_io *io, uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;
    /* Applies a parameter event, beginning with bl_kit_apply or instead of it; or set_parameter,
       then `io` is NULL and all is to stand at its new place at once. NULL: bl_kit_apply. [render
       & allocated; without io: idle] */
    void (*change)(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING;
    /* Handles a whole MIDI message of one to three bytes, at io->now. System exclusive goes on to
       the MIDI output, if there is one. NULL: nothing. [render & allocated] */
    void (*midi)(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING;
    /* Begins a cycle: follows the host's time, receives what set_property has sent. NULL: nothing.
       [render & allocated] */
    void (*cycle)(bl_unit *unit, bl_io *io) BL_NONBLOCKING;

    /* Prepares for the format that `base` has: memory, by bl_kit_memory or its own, and tables. On
       failure it has freed what is its own. NULL: nothing. [control; not allocated] */
    bl_status (*prepare)(bl_unit *unit);
    /* Frees what `prepare` has of its own. NULL: nothing. [idle & allocated] */
    void (*finish)(bl_unit *unit);
    /* Forgets the sound so far; the parameters are at their targets already. NULL: nothing.
       [render, or idle & allocated] */
    void (*reset)(bl_unit *unit) BL_NONBLOCKING;

    /* Fills in what a new instance has besides its parameters; false: memory is short, and
       `destroy` follows. NULL: nothing. [control] */
    bool (*create)(bl_unit *unit);
    /* Frees what `create` and set_property have of their own. NULL: nothing. [control; not
       allocated] */
    void (*destroy)(bl_unit *unit);
    /* A parameter's present value. NULL: bl_kit_value. [idle or render] */
    float (*value)(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING;
    /* Moves an expression of notes. NULL: nothing. [render & allocated] */
    void (*express)(bl_unit *unit, bl_io *io, const bl_expression_event *event) BL_NONBLOCKING;
} bl_kit;

/* An input bus as allocated. */
typedef struct bl_kit_port {
    uint32_t channel_count;
    bool is_optional;
    float **pointers; /* what pull_input is offered, one a channel */
    float **memory;   /* the unit's own, one a channel; NULL: the first output's is offered */
} bl_kit_port;

/* The first member of a unit's structure. */
typedef struct bl_unit_base {
    const bl_unit_descriptor *descriptor;
    const bl_kit *kit;
    double sample_rate; /* Hz; 0 while not allocated */
    double quarter;     /* seconds that a quarter note lasts, as the host says; 0.5 at first */
    bool stale;         /* a parameter has changed, or all was reset; until the unit clears it */
    uint32_t maximum_frames; /* 0 while not allocated; what follows is as allocated */
    uint32_t input_bus_count, output_bus_count;
    uint32_t input_channel_count, output_channel_count; /* of the first busses */
    /* One for each parameter of the table, in its order; after the plain ones of input bus 0, those
       of bus 1 and so on: [bus × parameter_count + index]. */
    bl_ramp *parameters;
    uint32_t parameter_bus_count; /* busses that `parameters` has room for */
    uint32_t pulled_bus_count;    /* input_bus_count, but 0 of an offline effect */
    bool has_all_inputs;          /* the host has left out no bus of the table */
    bool has_properties;          /* the descriptor has some */
    uint32_t answered_bus_count;  /* output_bus_count, but 1 without output */
    bl_kit_port *ports;           /* input_bus_count */
    bl_buffers *inputs;           /* of the cycle, as many as the table has or more */
    bl_buffers *outputs;          /* the unit's own memory: output_bus_count */
    bl_arena memory;              /* while allocated */
    /* Of several output busses: the cycle that is rendered already, and for which bus. */
    int64_t rendered_time;
    uint32_t rendered_frames, rendered_bus;
    bl_status rendered_status;
    /* Of a unit with properties: as the host knows them. */
    uint32_t notified_latency;
    double notified_tail_time;
} bl_unit_base;

BL_END_DECLARATIONS

#endif
