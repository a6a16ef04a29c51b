/* One running plug-in: the bl_unit of a bridged descriptor. */
#pragma once

#include <stdatomic.h>

#include "backline/unit.h"
#include "event_port.h"
#include "patch.h"
#include "plug_in.h"
#include "work_thread.h"

/* The length of constant blocks, unless cycles are shorter. Frames, a power of two */
#define BL_INSTANCE_CONSTANT_BLOCK 256u
/* The most busses of one direction, limited by the bits of hosts' masks. */
#define BL_INSTANCE_MOST_BUSSES 64

/* The plug-in's functions besides run; `handle` is passed to each. */
typedef struct bl_plug_in_calls {
    void (*connect_port)(void *handle, uint32_t port, void *data);
    void (*activate)(void *handle);   /* or NULL */
    void (*deactivate)(void *handle); /* or NULL */
} bl_plug_in_calls;

typedef struct bl_audio_port {
    uint32_t port;
    float *memory;          /* the bridge's own */
    const float *connected; /* where the plug-in reads now */
} bl_audio_port;

typedef struct bl_instance_bus {
    uint32_t channel_count; /* the plug-in's */
    uint32_t asked;         /* the host's */
    bl_audio_port *channels;
    float **pulled; /* the pointers of this cycle, `asked` */
    /* The memory for a cycle: the ports' own, or more for constant blocks and for split cycles. */
    float **cycle;
} bl_instance_bus;

typedef struct bl_lv2_instance bl_lv2_instance;

/* The most channels of a plain plug-in in each direction. */
#define BL_INSTANCE_PLAIN_CHANNELS 2

/* Plain: up to two channels each way, and only sound and parameters, like most plug-ins. */
typedef struct bl_instance {
    /* All data of a plain cycle without events, in one cache line, since a rack may have many. */
    _Alignas(64) void *handle; /* NULL: not allocated */
    void (*run)(void *handle, uint32_t frames);
    /* The plug-in's connected buffers; NULL if they must be looked up. */
    const float *plain_inputs[BL_INSTANCE_PLAIN_CHANNELS];
    const float *plain_outputs[BL_INSTANCE_PLAIN_CHANNELS];
    uint32_t plain_frames; /* at most; 0: not plain */
    uint32_t ramp_count;   /* upper bound of the moving ones */
    uint8_t plain_input_count;
    atomic_bool is_running; /* inside run: log messages are dropped */

    /* The data that all other cycles read as well. */
    const bl_plug_in *plug_in;
    bl_plug_in_calls calls;
    bl_instance_bus *inputs, *outputs;
    int64_t cycle_time;
    uint64_t rendered; /* output busses handed out in the cycle at cycle_time */
    bl_status cycle_status;
    uint32_t maximum_frames;
    uint32_t constant_block; /* frames; 0: a block is a cycle */
    bool splits;             /* cycles at events */
    bool is_in_parts;        /* the cycle's output is in `cycle`, not in the ports' memory */
    bool has_event_ports;
    bool follows_time; /* has ports for tempo, transport or offline rendering */
    bool has_gate;
    bool has_work;    /* whose thread runs */
    bool has_pressed; /* a button, until the next run */
    /* Held by the render thread for a cycle, and by the control thread while it restores a state;
       locked only for plug-ins that have a state. */
    atomic_flag gate;

    float *values;          /* the parameters', as the host knows them */
    bl_ramp *ramps;         /* the parameters'; idle ones have no frames left */
    bool *is_pressed;       /* buttons */
    bool *is_set;           /* message parameters that were set */
    char **texts;           /* the properties'; NULL: the plug-in's own */
    float *controls;        /* one a port and then one a message; ports are connected for good */
    uint32_t latency_port;  /* port_count: none */
    float notified_latency; /* as the host knows it */

    /* The following is valid while allocated. */
    bl_arena arena;
    double sample_rate;
    uint32_t position; /* in the constant block, frames */
    const bl_urids *urids;
    bl_event_port *event_inputs, *event_outputs;
    uint32_t event_input_count, event_output_count;
    bool has_position;   /* a port wants time:Position */
    bool knows_position; /* and has received the current one */
    bool told_moving;
    double told_tempo, told_metre;
    int32_t told_unit;
    bl_patch *patch; /* NULL: no messages */
    bl_work_thread *work_thread;
    bl_lv2_instance *lv2;
    char *state;       /* text to restore when allocating; NULL: the plug-in's default */
    char *first_state; /* then, or when set: without parameters and properties */
} bl_instance;

/* Sets the descriptor's functions to those of instances. */
void bl_instance_set_functions(bl_unit_descriptor *descriptor);

/* Puts a parameter's value on its port. [idle or render] */
void bl_instance_set(bl_instance *instance, uint32_t index, float value) BL_NONBLOCKING;
/* Clears all sound and pending work. [idle or render] */
void bl_instance_reset(bl_unit *unit) BL_NONBLOCKING;
bl_status bl_instance_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                             uint32_t frames, uint32_t bus, bl_buffers *output,
                             const bl_event *events, const bl_render_host *host) BL_NONBLOCKING;
/* Finishes a run: delivers the worker's answers, and releases buttons. */
void bl_instance_end_run(bl_instance *instance, bool waits) BL_NONBLOCKING;

/* The plug-in's effects are unknown, since it is foreign code. In a process of its own it can harm
   only its own unit. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

/* Runs the plug-in once on its ports' content. [render] */
BL_INLINE void bl_instance_run_plain(bl_instance *instance, uint32_t frames) BL_NONBLOCKING {
    atomic_store_explicit(&instance->is_running, true, memory_order_relaxed);
    BL_ALLOW_WAITING();
    instance->run(instance->handle, frames);
    BL_FORBID_WAITING();
    atomic_store_explicit(&instance->is_running, false, memory_order_relaxed);
}

/* Runs the plug-in once and finishes the run; `waits` for its worker if there is no deadline.
   [render, or idle & allocated] */
BL_INLINE void bl_instance_run(bl_instance *instance, uint32_t frames, bool waits) BL_NONBLOCKING {
    bl_instance_run_plain(instance, frames);
    if (instance->has_work || instance->has_pressed) {
        bl_instance_end_run(instance, waits);
    }
}

#pragma clang diagnostic pop

/* Empties the plug-in's event inputs, and makes room in its outputs. [render, or idle &
   allocated] */
void bl_instance_clear_event_inputs(bl_instance *instance) BL_NONBLOCKING;
void bl_instance_clear_event_outputs(bl_instance *instance) BL_NONBLOCKING;
/* Connects an audio port to different memory. [render] */
void bl_instance_connect(bl_instance *instance, bl_audio_port *port,
                         const float *samples) BL_NONBLOCKING;
/* Applies an event of a block, at its frame in it. [render] */
void bl_instance_apply_event(bl_instance *instance, const bl_event *event,
                             uint32_t frame) BL_NONBLOCKING;
/* Advances ramps to the end of the block. [render] */
void bl_instance_move_ramps(bl_instance *instance, uint32_t frames) BL_NONBLOCKING;
/* Sends tempo and transport to plug-ins that request them, if they have changed. [render] */
void bl_instance_write_time(bl_instance *instance, uint32_t flags, uint32_t frame,
                            const bl_render_host *host) BL_NONBLOCKING;
/* Sends the plug-in's MIDI with frames before `end`; its frame 0 is at `start`. [render] */
void bl_instance_send_midi(bl_instance *instance, int64_t start, uint32_t end,
                           const bl_render_host *host) BL_NONBLOCKING;

/* Allocates memory and connects every port. [control] */
bl_status bl_instance_prepare(bl_instance *instance, const bl_render_configuration *configuration);
bl_status bl_instance_allocate(bl_unit *unit, const bl_render_configuration *configuration);
void bl_instance_deallocate(bl_unit *unit);

/* Destroys the plug-in's own instance, which `plug_in->instantiate` created. [control] */
void bl_lv2_end(bl_instance *instance);
void bl_ladspa_end(bl_instance *instance);
/* Restores a state, or the plug-in's default state for NULL. False: `message` has the reason.
   [control & allocated; not while it renders] */
bool bl_lv2_restore(bl_instance *instance, const char *text, char *message, size_t message_size);
/* Returns the current state as text, to be freed; NULL if the plug-in has none. Unless `is_whole`,
   parameters and properties are left out. [control & allocated] */
char *bl_lv2_save(bl_instance *instance, bool is_whole);

/* Remembers the state, unless one is remembered, to detect later whether it has changed.
 * [control] */
void bl_instance_remember_state(bl_instance *instance);
/* Sets a text, a path, or the property "state": the data to be saved besides parameters and other
   properties. [control] */
bl_status bl_instance_set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                                   size_t message_size);
bl_status bl_instance_receive_message(bl_unit *unit, const char *channel, const char *message,
                                      char *reply, size_t reply_size);
bl_status bl_instance_save_data(bl_unit *unit, uint32_t index, const bl_data_writer *writer,
                                char *message, size_t message_size);
bl_status bl_instance_load_data(bl_unit *unit, uint32_t index, const void *bytes, size_t count,
                                char *message, size_t message_size);
