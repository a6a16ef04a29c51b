/* A plug-in as a unit: its descriptor, and what instances must know of its ports. Constant once it
   is described. */
#pragma once

#include <stdbool.h>

#include "backline/arena.h"
#include "bridge/bridge.h"

/* The rate for which descriptors state ranges that the plug-in states as parts of the rate. Hz */
#define BL_BRIDGE_DESCRIBED_RATE 48000.0
#define BL_BRIDGE_NO_PARAMETER UINT32_MAX
/* More ports than any plug-in of sense has; the most seen is 1,082. */
#define BL_BRIDGE_MOST_PORTS 8192

typedef enum bl_port_kind {
    BL_PORT_AUDIO, /* and CV */
    BL_PORT_CONTROL,
    BL_PORT_ATOM,
    BL_PORT_EVENT, /* MIDI of the old event extension */
    BL_PORT_OTHER  /* optional; gets zeroed memory */
} bl_port_kind;

/* What the bridge itself does with a control port. */
typedef enum bl_port_role {
    BL_ROLE_PARAMETER,
    BL_ROLE_CONSTANT, /* holds its initial value: a range of one value */
    BL_ROLE_LATENCY,
    BL_ROLE_ENABLED,       /* 0 while the unit is bypassed */
    BL_ROLE_FREE_WHEELING, /* 1 while rendering offline */
    BL_ROLE_TEMPO,         /* beats per minute */
    BL_ROLE_SPEED          /* 1 while the transport moves */
} bl_port_role;

typedef struct bl_plug_in_port {
    const char *symbol;
    bl_port_kind kind;
    bool is_input;
    bool has_midi, has_position, has_patch; /* of atom ports */
    uint32_t cable;                         /* of MIDI */
    uint32_t bus, channel;                  /* of audio */
    bl_port_role role;                      /* of control */
    float initial;                          /* of control, and of CV that nothing is connected to */
    uint32_t parameter;                     /* of control; BL_BRIDGE_NO_PARAMETER */
    uint32_t minimum_size;                  /* of atom, bytes */
} bl_plug_in_port;

/* How a parameter's value becomes its port's, or its message's. */
typedef struct bl_plug_in_parameter {
    uint32_t port; /* of a message: a place after those of the ports */
    uint32_t key;  /* of a message: what patch:Set names; 0: a port */
    uint32_t type; /* of a message's value */
    bool is_input;
    bool is_whole;
    bool is_momentary;
    /* The port's values for the parameter's values 0, 1, …; NULL: they are the same. */
    const float *points;
    uint32_t point_count;
    /* Bounds as a part of the sample rate; 0 where the range does not depend on it. */
    float scaled_minimum, scaled_maximum;
} bl_plug_in_parameter;

/* A property that is a message: a text or a path. */
typedef struct bl_plug_in_property {
    uint32_t key, type; /* 0: the state */
} bl_plug_in_property;

struct bl_instance;

typedef struct bl_plug_in {
    bl_unit_descriptor descriptor; /* the first member: hosts hand it to create */
    bl_bridge_facts facts;
    bl_bridge *bridge;
    struct bl_plug_in *next;
    bl_arena arena;

    const void *source; /* LilvPlugin or LADSPA_Descriptor */
    /* Creates the plug-in's own instance: sets handle, run and calls. [control] */
    bl_status (*instantiate)(struct bl_instance *instance, double sample_rate);

    bl_plug_in_port *ports;
    uint32_t port_count;
    bl_plug_in_parameter *parameters; /* as the descriptor has them */
    uint32_t message_parameter_count; /* the last ones of the table */
    bl_plug_in_property *properties;  /* as the descriptor has them */
    bool has_messages;                /* parameters or properties */
    /* One a factory preset: what the property "state" is to be set to; NULL: nothing. */
    const char **preset_states;
    uint32_t atom_input_count, atom_output_count;
    bool follows_host; /* has ports for bypass, tempo, speed or free-wheeling */
    /* Runs in blocks of one length, a power of two, whatever the host's cycles are. */
    bool needs_constant_blocks;
    /* Renders the same in blocks of any length, as somebody has found out. */
    bool may_split;
    const char *data_folder; /* see bl_bridge_keep_files; NULL: none */
    bool is_lv2;
    double tail_time; /* seconds; an estimate by class, infinite where that says nothing */
} bl_plug_in;

/* Fills in what all plug-ins share, once `ports`, busses and parameters are there. */
void bl_plug_in_finish(bl_plug_in *plug_in);

/* Describe a plug-in; NULL, with the reason, on failure. [control] */
bl_plug_in *bl_lv2_describe(bl_bridge *bridge, const char *identifier, char *message,
                            size_t message_size);
bl_plug_in *bl_ladspa_describe(bl_bridge *bridge, const char *identifier, char *message,
                               size_t message_size);
