/* One instance of a plug-in: its units, and the kernel that renders them. */
#pragma once

#include <lv2/atom/atom.h>
#include <lv2/log/log.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>

#include <pthread.h>
#include <stdatomic.h>

#include "plug_in.h"

/* MIDI messages of one cycle. Those past it wait for the next cycle of the run; at its end they are
   lost. */
#define BL_MOST_MESSAGES 512

/* 0, all of them, in a host without urid:map: there are then no events and no state. */
typedef struct bl_export_urids {
    LV2_URID sequence, object, blank, integer, long_integer, real, double_real;
    LV2_URID path, string, urid, midi_event, position, set, property, value, trace;
    LV2_URID frame, speed, bar, bar_beat, beat, beat_unit, beats_per_bar, beats_per_minute;
} bl_export_urids;

/* Musical time at the next frame. */
typedef struct bl_clock {
    bl_musical_context music;
    bl_transport_state transport;
    double frame; /* the transport's, with its fraction */
    double speed;
} bl_clock;

/* The crossfade to the input, as late as the output. */
typedef struct bl_dry_sound {
    uint32_t position, length; /* 0: the output; `length`: the input. Frames */
    uint32_t channel_count;    /* of the first output */
    uint32_t capacity;         /* frames of a channel, a power of two; 0: cannot be bypassed */
    uint32_t written;          /* runs on */
    float *samples;            /* channel_count × capacity */
    float *delayed;            /* one cycle of a channel */
} bl_dry_sound;

/* A place in an atom sequence. */
typedef struct bl_event_reader {
    const LV2_Atom_Sequence *sequence; /* NULL: none */
    const LV2_Atom_Event *next;        /* NULL: at the end */
} bl_event_reader;

typedef struct bl_export_instance {
    const bl_plug_in *plug_in;
    bl_arena arena; /* all of its memory but the rack's and `texts` */
    double sample_rate;
    bl_rack rack;
    char **texts; /* present values of the state's entries, or NULL; of malloc */
    /* Held while a property is set, while the state is saved, while the graph is replaced, and
       while playing starts and ends. */
    pthread_mutex_t state_lock;
    LV2_URID *keys;                      /* of the state's entries */
    const LV2_Worker_Schedule *schedule; /* the host's, or NULL */
    const LV2_Log_Log *log;              /* the host's, or NULL */
    /* The worker was asked for a graph. */
    atomic_bool awaits_graph;
    bool has_run; /* since it was activated */

    void **connected; /* one a port */
    float *values;    /* of the input controls, as sent last */

    uint32_t input_count, output_count; /* channels */
    float **inputs, **outputs;          /* of the present cycle */
    float *memory;                      /* input_count × block: inputs that outputs overlap */
    float *silence, *scratch;           /* of a block: what ports without a buffer read and write */

    bl_export_urids urids;
    uint32_t event_input_count, event_output_count;
    bl_event_reader *event_inputs;
    LV2_Atom_Sequence **event_outputs; /* NULL: not connected, or without urid:map */
    uint32_t *event_capacities;        /* bytes of each body */
    bl_midi_message messages[BL_MOST_MESSAGES];
    uint32_t first_frame; /* of the present cycle, in the run */
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

/* Finds the code of the plan's units, built in or in the bundle; what is not found goes to standard
   error. [control] */
void bl_export_find_units(bl_plug_in *plug_in, const char *bundle_path);
/* Sets an entry of the state, also while the instance runs; on failure the former value stays, and
   the reason goes to standard error. [control] */
bool bl_export_set_entry(bl_export_instance *instance, uint32_t index, const char *text);
/* A feature's data; NULL where the host does not have it. [control] */
void *bl_export_find_feature(const LV2_Feature *const *features, const char *uri);

/* Writes what the units have for the log; the kernel's other reports are nobody's. [render] */
void bl_export_write_log(bl_export_instance *instance) BL_NONBLOCKING;

/* Plays, or no longer; without memory it plays silence. [control] */
void bl_export_start(bl_export_instance *instance);
void bl_export_stop(bl_export_instance *instance);
/* Plays a graph for the units' present latencies. [control; also while it runs] */
void bl_export_replace_graph(bl_export_instance *instance);

/* Time from the start of a rack, until the host gives its own. [control] */
void bl_clock_start(bl_clock *clock, double tempo);
/* Follows the host's time:Position. [render] */
void bl_clock_follow(bl_clock *clock, const bl_export_urids *urids,
                     const LV2_Atom_Object *position) BL_NONBLOCKING;
void bl_clock_advance(bl_clock *clock, uint32_t frames, double sample_rate) BL_NONBLOCKING;

/* Reads the event inputs from their starts, and empties the outputs. [render] */
void bl_events_begin(bl_export_instance *instance) BL_NONBLOCKING;
/* Follows the positions at `first_frame`; returns the frame before `end` at which the next position
   stands, or `end`. [render] */
uint32_t bl_events_follow_time(bl_export_instance *instance, uint32_t end) BL_NONBLOCKING;
/* Collects the MIDI of all inputs before `end`, in order of time; returns the count. [render] */
uint32_t bl_events_collect(bl_export_instance *instance, uint32_t end) BL_NONBLOCKING;
/* For bl_cycle: appends to an event output. [render] */
bool bl_events_send(void *context, const bl_midi_message *message) BL_NONBLOCKING;

/* Memory for the bypass, at the start; false when it is short. [control] */
bool bl_dry_sound_prepare(bl_export_instance *instance);
/* Keeps the inputs of a cycle. [render, before it is rendered] */
void bl_dry_sound_keep(bl_export_instance *instance, uint32_t frames) BL_NONBLOCKING;
/* Crossfades a rendered cycle. [render] */
void bl_dry_sound_mix(bl_export_instance *instance, bool is_enabled, uint32_t latency,
                      uint32_t frames) BL_NONBLOCKING;
