/* A plug-in as the bundle's file describes it: a rack, and the use of each port. */
#pragma once

#include <lv2/core/lv2.h>

#include "rack/rack.h"

/* The use of a port; ports are in the order of their LV2 indices. */
typedef enum bl_port_kind {
    BL_PORT_PARAMETER,    /* the parameter of `unit` at `address` */
    BL_PORT_BUTTON,       /* such a button; a rise is a press */
    BL_PORT_METER,        /* such a value that the unit writes */
    BL_PORT_BYPASS,       /* the bypass of `unit` */
    BL_PORT_ENABLED,      /* of the whole plug-in: 0 plays the input */
    BL_PORT_FREEWHEELING, /* the host renders as fast as it can, and may wait */
    BL_PORT_LATENCY,      /* frames */
    BL_PORT_AUDIO_INPUT,  /* the next channel of the inputs, port after port */
    BL_PORT_AUDIO_OUTPUT, /* the next channel of the outputs */
    BL_PORT_EVENT_INPUT,  /* the next MIDI input; the first has time:Position, too */
    BL_PORT_EVENT_OUTPUT, /* the next MIDI output */
    BL_PORT_KIND_COUNT
} bl_port_kind;

typedef struct bl_port {
    bl_port_kind kind;
    uint32_t unit; /* index in the plug-in's units */
    bl_parameter_address address;
} bl_port;

/* A property that is saved in the plug-in's state, under `key`, a URI. */
typedef struct bl_state_entry {
    uint32_t unit, index;
    const char *key;
} bl_state_entry;

typedef struct bl_plug_in {
    LV2_Descriptor descriptor; /* the first member: a pointer to it is one to the plug-in */
    bl_rack_plan plan;
    uint32_t port_count, state_count;
    bl_port *ports;
    bl_state_entry *state;
} bl_plug_in;

/* Reads the plug-ins of a file into `arena`; 0 if the file cannot be read or a line is not valid,
   which is reported on standard error. [control] */
uint32_t bl_read_plug_ins(const char *path, bl_arena *arena, bl_plug_in **plug_ins);
