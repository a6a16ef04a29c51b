/* Controls: MIDI that moves parameters, bypasses and scenes, at its frame. Controls are a part of a
   graph. */
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
    BL_CONTROL_PRESSURE,     /* of a channel */
    BL_CONTROL_KEY_PRESSURE, /* `number`: the key */
    BL_CONTROL_NOTE,         /* `number`: the key; the velocity, and 0 when it is released */
    BL_CONTROL_PROGRAM       /* `number`: the program, from 0; 1 when it is selected */
} bl_control_source;

typedef enum bl_control_mode {
    BL_CONTROL_ABSOLUTE, /* the position between `from` and `to` */
    BL_CONTROL_TOGGLE,   /* at each press: the other of `from` and `to` */
    /* The clicks of an endless encoder; 127 move from `from` to `to`. */
    BL_CONTROL_TWOS_COMPLEMENT,
    BL_CONTROL_BINARY_OFFSET,
    BL_CONTROL_SIGN_AND_MAGNITUDE,
    /* The rest act at each press, and are reported. */
    BL_CONTROL_RECALL,  /* recalls a scene */
    BL_CONTROL_PANIC,   /* ends all notes */
    BL_CONTROL_REQUEST, /* is carried out by the control side */
    BL_CONTROL_CALL     /* likewise; of a program, whose message does nothing else */
} bl_control_mode;

/* As a half of a bank: any. */
#define BL_ANY_BANK 0xFF

/* As an address: the node's bypass, 0 or 1. */
#define BL_CONTROL_BYPASS UINT64_MAX

typedef struct bl_control {
    uint32_t port; /* the rack's MIDI input */
    bl_control_source source;
    uint32_t number;
    uint16_t channels; /* a bit for each */
    /* With BL_CONTROL_PROGRAM: the bank selected last by controllers 0 and 32, 0 before;
       BL_ANY_BANK for any. */
    uint8_t bank_coarse, bank_fine;
    bl_control_mode mode;
    bool picks_up;  /* moves the parameter only after it has reached its value */
    bool latches;   /* a switch that alternates between high and low, by a press each */
    uint32_t scene; /* with BL_CONTROL_RECALL: place in the description's scenes */
    uint32_t node;  /* place in the description's nodes */
    bl_parameter_address address;
    float from, to; /* in the parameter's unit, at positions 0 and 1; above 0 if logarithmic */
    bl_parameter_curve curve;
} bl_control;

typedef struct bl_scene_value {
    uint32_t node; /* place in the description's nodes */
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
