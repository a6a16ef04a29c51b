/* The structures of a kit unit: its kit, its first member, its cycle. See kit.h. */
#ifndef BACKLINE_KIT_UNIT_H
#define BACKLINE_KIT_UNIT_H

#include "arena.h"
#include "unit.h"

BL_BEGIN_DECLARATIONS

/* Keeps a loop over a bus's few channels from being unrolled, which would be slower. */
#if defined(__clang__)
#define BL_FEW_CHANNELS _Pragma("clang loop unroll(disable) vectorize(disable)")
#else
#define BL_FEW_CHANNELS
#endif

/* One cycle of a unit, valid while it is rendered. */
typedef struct bl_io {
    /* All busses, as many as the descriptor's tables and the host's configuration have; a bus that
       is not connected or that the host has left out has no channels. The samples may be read only;
       input may equal output, channel by channel, if the unit can process in place. Unset for an
       offline effect. */
    const bl_buffers *inputs;
    const bl_buffers *outputs;
    /* The channels of the first busses, channels × frames; NULL without one. */
    float *const *input, *const *output;
    const bl_render_host *host;
    uint32_t flags, frames; /* the arguments of the render call */
    int64_t time;           /* the cycle's first frame, sample time */
    int64_t now;            /* the present event's time, sample time */
    bl_status status;       /* the result of render; process may set it */
    uint32_t note_id;       /* the note identifier of the present event, a note-on; or 0 */
} bl_io;

/* A unit's own functions; NULL selects the default. Constant. */
typedef struct bl_kit {
    size_t size; /* bytes of the unit's structure, which begins with a bl_unit_base */

    /* Renders `frames` frames from `first_frame` of the cycle on, with no event inside. NULL:
       nothing to do between events. [render & allocated] */
    void (*process)(bl_unit *unit, bl_io *io, uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;
    /* Applies a parameter event, first calling bl_kit_apply or instead of it. Also called by
       set_parameter, with `io` NULL: then everything takes its new value at once. NULL:
       bl_kit_apply. [render & allocated; without io: idle] */
    void (*change)(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING;
    /* Handles a whole MIDI message of one to three bytes, at io->now. System exclusive is sent on
       to the MIDI output, if there is one. NULL: nothing. [render & allocated] */
    void (*midi)(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING;
    /* Starts a cycle: follows the host's time, receives what set_property has sent. NULL: nothing.
       [render & allocated] */
    void (*cycle)(bl_unit *unit, bl_io *io) BL_NONBLOCKING;

    /* Prepares for the format in `base`: memory, by bl_kit_memory or of its own, and tables. On
       failure it has freed its own memory. NULL: nothing. [control; not allocated] */
    bl_status (*prepare)(bl_unit *unit);
    /* Frees the memory of its own that `prepare` has allocated. NULL: nothing. [idle &
       allocated] */
    void (*finish)(bl_unit *unit);
    /* Clears the audio state; the parameters are at their targets already. NULL: nothing. [render,
       or idle & allocated] */
    void (*reset)(bl_unit *unit) BL_NONBLOCKING;

    /* Initializes what a new instance has besides its parameters; false when memory is short, and
       `destroy` follows. NULL: nothing. [control] */
    bool (*create)(bl_unit *unit);
    /* Frees what `create` and set_property have allocated. NULL: nothing. [control; not
       allocated] */
    void (*destroy)(bl_unit *unit);
    /* A parameter's present value. NULL: bl_kit_value. [idle or render] */
    float (*value)(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING;
    /* Changes an expression of notes. NULL: nothing. [render & allocated] */
    void (*express)(bl_unit *unit, bl_io *io, const bl_expression_event *event) BL_NONBLOCKING;
} bl_kit;

/* An input bus as allocated. */
typedef struct bl_kit_port {
    uint32_t channel_count;
    bool is_optional;
    float **pointers; /* the pointers offered to pull_input, one per channel */
    float **memory;   /* own memory, one per channel; NULL: offers the first output's */
} bl_kit_port;

/* The first member of a unit's structure. */
typedef struct bl_unit_base {
    const bl_unit_descriptor *descriptor;
    const bl_kit *kit;
    double sample_rate; /* Hz; 0 while not allocated */
    double quarter;     /* duration of a quarter note by the host's tempo, seconds; 0.5 at first */
    bool stale;         /* a parameter has changed, or the unit was reset; the unit clears it */
    uint32_t maximum_frames; /* 0 while not allocated; the fields below are as allocated */
    uint32_t input_bus_count, output_bus_count;
    uint32_t input_channel_count, output_channel_count; /* channels of the first busses */
    /* The ramps, one per parameter in the table's order; after those of input bus 0, the templates
       of bus 1 and so on: [bus × parameter_count + index]. */
    bl_ramp *parameters;
    uint32_t parameter_bus_count; /* the number of busses in `parameters` */
    uint32_t pulled_bus_count;    /* input_bus_count; 0 for an offline effect */
    bool has_all_inputs;          /* the host has left out no bus of the table */
    bool has_properties;          /* the descriptor has some */
    uint32_t answered_bus_count;  /* output_bus_count; 1 without output */
    bl_kit_port *ports;           /* input_bus_count */
    bl_buffers *inputs;           /* the cycle's input, at least as many busses as the table */
    bl_buffers *outputs;          /* the unit's own memory: output_bus_count */
    bl_arena memory;              /* while allocated */
    /* The cycle that is rendered already, and for which bus, with several output busses. */
    int64_t rendered_time;
    uint32_t rendered_frames, rendered_bus;
    bl_status rendered_status;
    /* The values that the host knows, for a unit with properties. */
    uint32_t notified_latency;
    double notified_tail_time;
} bl_unit_base;

BL_END_DECLARATIONS

#endif
