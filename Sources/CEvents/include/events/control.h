/* Controls: MIDI messages that move parameters, bypasses and scenes, at their frame. Controls are a
   part of a graph. */
#ifndef BACKLINE_EVENTS_CONTROL_H
#define BACKLINE_EVENTS_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/attributes.h"
#include "backline/parameter.h"

BL_BEGIN_DECLARATIONS

/* MIDI 1.0 messages that move a control; each has a position between 0 and 1. */
typedef enum bl_control_source {
    BL_CONTROL_CONTROLLER,      /* `number`: 0 to 127 */
    BL_CONTROL_FINE_CONTROLLER, /* `number`: 0 to 31, with its fine half at `number` + 32 */
    BL_CONTROL_NRPN,            /* a non-registered parameter; `number`: 0 to 16383 */
    BL_CONTROL_PITCH_BEND,
    BL_CONTROL_PRESSURE,     /* channel pressure */
    BL_CONTROL_KEY_PRESSURE, /* `number`: the key */
    BL_CONTROL_NOTE,         /* `number`: the key; velocity, 0 on release */
    BL_CONTROL_PROGRAM       /* `number`: the program, from 0; 1 when it is selected */
} bl_control_source;

typedef enum bl_control_mode {
    BL_CONTROL_ABSOLUTE, /* the position between `from` and `to` */
    BL_CONTROL_TOGGLE,   /* each press alternates between `from` and `to` */
    /* The clicks of an endless encoder; 127 move from `from` to `to`. */
    BL_CONTROL_TWOS_COMPLEMENT,
    BL_CONTROL_BINARY_OFFSET,
    BL_CONTROL_SIGN_AND_MAGNITUDE,
    /* The modes below act at each press, and are reported. */
    BL_CONTROL_RECALL,  /* recalls a scene */
    BL_CONTROL_PANIC,   /* ends all notes */
    BL_CONTROL_REQUEST, /* an action of the control side */
    BL_CONTROL_CALL     /* the same for a program, whose message has no other effect */
} bl_control_mode;

/* A half of a bank number: any bank. */
#define BL_ANY_BANK 0xFF

/* A parameter address: the node's bypass, 0 or 1. */
#define BL_CONTROL_BYPASS UINT64_MAX

typedef struct bl_control {
    uint32_t port; /* the rack's MIDI input */
    bl_control_source source;
    uint32_t number;
    uint16_t channels; /* a bit per channel */
    /* The bank for BL_CONTROL_PROGRAM, last selected by controllers 0 and 32, at first 0;
       BL_ANY_BANK for any. */
    uint8_t bank_coarse, bank_fine;
    bl_control_mode mode;
    bool picks_up;  /* moves the parameter only once it has reached the present value */
    bool latches;   /* a latching switch, each press of which alternates between high and low */
    uint32_t scene; /* BL_CONTROL_RECALL: index in the description's scenes */
    uint32_t node;  /* index in the description's nodes */
    bl_parameter_address address;
    float from, to; /* in the parameter's unit, at positions 0 and 1; above 0 if logarithmic */
    bl_parameter_curve curve;
} bl_control;

typedef struct bl_scene_value {
    uint32_t node; /* index in the description's nodes */
    bl_parameter_address address;
    float value; /* in the parameter's unit */
} bl_scene_value;

/* Values that are set together. */
typedef struct bl_scene {
    uint32_t value_count;
    const bl_scene_value *values;
    uint32_t ramp_duration; /* frames; at least the 20 ms of every change by MIDI */
} bl_scene;

BL_END_DECLARATIONS

#endif
