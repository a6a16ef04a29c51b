/* A plug-in instance: its units, and the kernel that renders them. */
#pragma once

#include <lv2/atom/atom.h>
#include <lv2/log/log.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>

#include <pthread.h>
#include <stdatomic.h>

#include "plug_in.h"

/* The most MIDI messages in one cycle. Further ones wait for the next cycle of the run; at its end
   they are lost. */
#define BL_MOST_MESSAGES 512

/* Numbers of URIs. All 0 if the host has no urid:map: there are then no events and no state. */
typedef struct bl_export_urids {
    LV2_URID sequence, object, blank, integer, long_integer, real, double_real;
    LV2_URID path, string, urid, midi_event, position, set, property, value, trace;
    LV2_URID frame, speed, bar, bar_beat, beat, beat_unit, beats_per_bar, beats_per_minute;
} bl_export_urids;

/* Musical time at the next frame. */
typedef struct bl_clock {
    bl_musical_context music;
    bl_transport_state transport;
    double frame; /* the transport's frame, with its fraction */
    double speed;
} bl_clock;

/* The crossfade to the input, which is delayed by the output's latency. */
typedef struct bl_dry_sound {
    uint32_t position, length; /* frames: 0 plays the output, `length` the input */
    uint32_t channel_count;    /* channels of the first output */
    uint32_t capacity;         /* frames of a channel, a power of two; 0: no bypass */
    uint32_t written;          /* frames written; runs on */
    float *samples;            /* ring buffers, channel_count × capacity */
    float *delayed;            /* one channel's cycle */
} bl_dry_sound;

/* A read position in an atom sequence. */
typedef struct bl_event_reader {
    const LV2_Atom_Sequence *sequence; /* NULL: none */
    const LV2_Atom_Event *next;        /* NULL at the end */
} bl_event_reader;

typedef struct bl_export_instance {
    const bl_plug_in *plug_in;
    bl_arena arena; /* holds all of its memory but the rack's and `texts` */
    double sample_rate;
    bl_rack rack;
    char **texts; /* present values of the state's entries, or NULL; from malloc */
    /* The lock while a property is set, the state is saved, the graph is replaced, or playing
       starts or ends. */
    pthread_mutex_t state_lock;
    LV2_URID *keys;                      /* keys of the state's entries */
    const LV2_Worker_Schedule *schedule; /* from the host, or NULL */
    const LV2_Log_Log *log;              /* from the host, or NULL */
    /* A graph was requested from the worker. */
    atomic_bool awaits_graph;
    bool has_run; /* it has run since it was activated */

    void **connected; /* one per port */
    float *values;    /* the values of the input controls last sent */

    uint32_t input_count, output_count; /* numbers of channels */
    float **inputs, **outputs;          /* the present cycle's channels */
    float *memory;            /* copies of inputs that outputs overlap: input_count × block */
    float *silence, *scratch; /* one block each, for ports without a buffer: reading and writing */

    bl_export_urids urids;
    uint32_t event_input_count, event_output_count;
    bl_event_reader *event_inputs;
    LV2_Atom_Sequence **event_outputs; /* NULL: not connected, or without urid:map */
    uint32_t *event_capacities;        /* bytes of each sequence's body */
    bl_midi_message messages[BL_MOST_MESSAGES];
    uint32_t first_frame; /* the present cycle's start in the run */
    bl_clock clock;
    bl_dry_sound dry;
} bl_export_instance;

/* The functions of descriptors. */
LV2_Handle bl_export_instantiate(const LV2_Descriptor *descriptor, double sample_rate,
                                 const char *bundle_path, const LV2_Feature *const *features);
void bl_export_connect_port(LV2_Handle handle, uint32_t port, void *data);
void bl_export_activate(LV2_Handle handle);
void bl_export_run(LV2_Handle handle, uint32_t frames) BL_NONBLOCKING;
void bl_export_deactivate(LV2_Handle handle);
void bl_export_cleanup(LV2_Handle handle);
const void *bl_export_extension_data(const char *uri);

/* Numbers of the URIs; all 0 without a map. [control] */
void bl_export_map_uris(bl_export_urids *urids, LV2_URID_Map *map);

/* Finds the descriptors of the plan's units, built in or in the bundle; standard error names
   missing ones. [control] */
void bl_export_find_units(bl_plug_in *plug_in, const char *bundle_path);
/* Sets an entry of the state, also while the instance runs; on failure the old value stays, and the
   reason is written to standard error. [control] */
bool bl_export_set_entry(bl_export_instance *instance, uint32_t index, const char *text);
/* A feature's data; NULL if the host does not have it. [control] */
void *bl_export_find_feature(const LV2_Feature *const *features, const char *uri);

/* Writes the units' log lines to the host; drops the kernel's other reports. [render] */
void bl_export_write_log(bl_export_instance *instance) BL_NONBLOCKING;

/* Starts playing; without memory it plays silence. [control] */
void bl_export_start(bl_export_instance *instance);
void bl_export_stop(bl_export_instance *instance);
/* Plays a graph for the units' present latencies. [control; also while it runs] */
void bl_export_replace_graph(bl_export_instance *instance);

/* Starts musical time at a rack's start, until the host provides its own. [control] */
void bl_clock_start(bl_clock *clock, double tempo);
/* Follows the host's time:Position. [render] */
void bl_clock_follow(bl_clock *clock, const bl_export_urids *urids,
                     const LV2_Atom_Object *position) BL_NONBLOCKING;
void bl_clock_advance(bl_clock *clock, uint32_t frames, double sample_rate) BL_NONBLOCKING;

/* Rewinds the event inputs, and empties the outputs. [render] */
void bl_events_begin(bl_export_instance *instance) BL_NONBLOCKING;
/* Follows the positions at `first_frame`; returns the frame of the next position before `end`, or
   `end`. [render] */
uint32_t bl_events_follow_time(bl_export_instance *instance, uint32_t end) BL_NONBLOCKING;
/* Collects the MIDI of all inputs before `end`, in order of time; returns the count. [render] */
uint32_t bl_events_collect(bl_export_instance *instance, uint32_t end) BL_NONBLOCKING;
/* Appends a message to an event output; the send_midi of bl_cycle. [render] */
bool bl_events_send(void *context, const bl_midi_message *message) BL_NONBLOCKING;

/* Allocates memory for the bypass, at the start; false when memory is short. [control] */
bool bl_dry_sound_prepare(bl_export_instance *instance);
/* Stores the inputs of a cycle. [render, before it is rendered] */
void bl_dry_sound_keep(bl_export_instance *instance, uint32_t frames) BL_NONBLOCKING;
/* Crossfades a rendered cycle. [render] */
void bl_dry_sound_mix(bl_export_instance *instance, bool is_enabled, uint32_t latency,
                      uint32_t frames) BL_NONBLOCKING;
