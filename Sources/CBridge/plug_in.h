/* A plug-in as a unit: its descriptor, and the port data for its instances. Constant once
   described. */
#pragma once

#include <stdbool.h>

#include "backline/arena.h"
#include "bridge/bridge.h"

/* The sample rate at which descriptors state ranges that depend on it. Hz */
#define BL_BRIDGE_DESCRIBED_RATE 48000.0
#define BL_BRIDGE_NO_PARAMETER UINT32_MAX
/* The maximum number of ports, more than any useful plug-in has; the most seen is 1,082. */
#define BL_BRIDGE_MOST_PORTS 8192

typedef enum bl_port_kind {
    BL_PORT_AUDIO, /* and CV */
    BL_PORT_CONTROL,
    BL_PORT_ATOM,
    BL_PORT_EVENT, /* MIDI of the old event extension */
    BL_PORT_OTHER  /* optional; gets zeroed memory */
} bl_port_kind;

/* The bridge's use of a control port. */
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
    bool has_midi, has_position, has_patch; /* atom ports */
    uint32_t cable;                         /* MIDI ports */
    uint32_t bus, channel;                  /* audio ports */
    bl_port_role role;                      /* control ports */
    float initial;                          /* control ports, and unconnected CV ports */
    uint32_t parameter;                     /* control ports; or BL_BRIDGE_NO_PARAMETER */
    uint32_t minimum_size;                  /* atom ports, bytes */
} bl_plug_in_port;

/* The mapping of a parameter's value to its port's, or its message's. */
typedef struct bl_plug_in_parameter {
    uint32_t port; /* for a message: an index after the ports' */
    uint32_t key;  /* for a message: the property of patch:Set; 0: a port */
    uint32_t type; /* of a message's value */
    bool is_input;
    bool is_whole;
    bool is_momentary;
    /* The port's values for the parameter's values 0, 1, …; NULL if they are equal. */
    const float *points;
    uint32_t point_count;
    /* The bounds as fractions of the sample rate; 0 if the range does not depend on it. */
    float scaled_minimum, scaled_maximum;
} bl_plug_in_parameter;

/* A property that is a message: a text or a path. */
typedef struct bl_plug_in_property {
    uint32_t key, type; /* 0: the state */
} bl_plug_in_property;

struct bl_instance;

typedef struct bl_plug_in {
    bl_unit_descriptor descriptor; /* the first member: hosts pass it to create */
    bl_bridge_facts facts;
    bl_bridge *bridge;
    struct bl_plug_in *next;
    bl_arena arena;

    const void *source; /* LilvPlugin or LADSPA_Descriptor */
    /* Creates the plug-in's own instance: sets handle, run and calls. [control] */
    bl_status (*instantiate)(struct bl_instance *instance, double sample_rate);

    bl_plug_in_port *ports;
    uint32_t port_count;
    bl_plug_in_parameter *parameters; /* in the descriptor's order */
    uint32_t message_parameter_count; /* the last rows of the table */
    bl_plug_in_property *properties;  /* in the descriptor's order */
    bool has_messages;                /* parameters or properties */
    /* The value of the property "state" for each factory preset; NULL for none. */
    const char **preset_states;
    uint32_t atom_input_count, atom_output_count;
    bool follows_host; /* has ports for bypass, tempo, speed or free-wheeling */
    /* Whether it runs in blocks of one length, a power of two, whatever the host's cycles. */
    bool needs_constant_blocks;
    /* Whether it is known to render the same in blocks of any length. */
    bool may_split;
    const char *data_folder; /* see bl_bridge_keep_files; NULL: none */
    bool is_lv2;
    double tail_time; /* seconds; estimated by class, infinite if unknown */
} bl_plug_in;

/* Fills in the parts common to all plug-ins, after `ports`, busses and parameters. */
void bl_plug_in_finish(bl_plug_in *plug_in);

/* Describe a plug-in; NULL, with the reason, on failure. [control] */
bl_plug_in *bl_lv2_describe(bl_bridge *bridge, const char *identifier, char *message,
                            size_t message_size);
bl_plug_in *bl_ladspa_describe(bl_bridge *bridge, const char *identifier, char *message,
                               size_t message_size);
