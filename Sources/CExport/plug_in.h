/* A plug-in of the bundle, as its file describes it: a rack, and what each port of it is. */
#pragma once

#include <lv2/core/lv2.h>

#include "rack/rack.h"

/* The use of a port; ports are in the order of their LV2 indices. */
typedef enum bl_port_kind {
    BL_PORT_PARAMETER,    /* of `unit`, at `address` */
    BL_PORT_BUTTON,       /* likewise; a rise is a press */
    BL_PORT_METER,        /* likewise; the unit writes it */
    BL_PORT_BYPASS,       /* of `unit` */
    BL_PORT_ENABLED,      /* of the whole: 0 plays the input */
    BL_PORT_FREEWHEELING, /* the host renders as fast as it can, and may wait */
    BL_PORT_LATENCY,      /* frames */
    BL_PORT_AUDIO_INPUT,  /* the next channel of the inputs, port after port */
    BL_PORT_AUDIO_OUTPUT, /* likewise */
    BL_PORT_EVENT_INPUT,  /* the next MIDI input; the first has time:Position, too */
    BL_PORT_EVENT_OUTPUT, /* the next MIDI output */
    BL_PORT_KIND_COUNT
} bl_port_kind;

typedef struct bl_port {
    bl_port_kind kind;
    uint32_t unit; /* place in the plug-in's units */
    bl_parameter_address address;
} bl_port;

/* A property that belongs to the plug-in's state, under `key`, a URI. */
typedef struct bl_state_entry {
    uint32_t unit, index;
    const char *key;
} bl_state_entry;

typedef struct bl_plug_in {
    LV2_Descriptor descriptor; /* first, so that a pointer to it is one to the plug-in */
    bl_rack_plan plan;
    uint32_t port_count, state_count;
    bl_port *ports;
    bl_state_entry *state;
} bl_plug_in;

/* The plug-ins of a file, in `arena`; 0 if it cannot be read, or if one line is not understood,
   which goes to standard error. [control] */
uint32_t bl_read_plug_ins(const char *path, bl_arena *arena, bl_plug_in **plug_ins);
