/* Controls and scenes on the render thread. */
#pragma once

#include "events/control.h"
#include "receiver.h"

enum { BL_CHANNELS = 16, BL_NO_SELECTION = 0xFF };

/* A sample time before all others, safe to subtract. */
#define BL_LONG_AGO (INT64_MIN / 2)

/* The state of a control: its last messages, and what it has done. */
typedef struct bl_control_state {
    uint8_t coarse;
    bool has_coarse;
    bool has_fine;  /* a fine half follows each coarse one */
    bool is_high;   /* above the middle */
    bool has_moved; /* `position` and `sent` are valid */
    bool is_caught; /* with picks_up: the parameter follows the control */
    float position;
    float heard;           /* the position in its last message */
    int64_t bounces_until; /* end of its bouncing */
    float sent;            /* the last value set, adapted to the parameter */
    int64_t moved_at;
    uint32_t spacing; /* recent interval between its messages, frames; 0 if they are far apart */
    uint32_t presses; /* presses that are not reported yet */
    int64_t pressed_at, reported_at;
} bl_control_state;

/* A control and its state. */
typedef struct bl_lowered_control {
    bl_control control;
    bl_receiver *receiver;  /* NULL for modes from BL_CONTROL_RECALL on */
    uint32_t previous;      /* its index in the last plan, or UINT32_MAX */
    bl_control_state state; /* [render] */
} bl_lowered_control;

/* The non-registered parameter and the program bank selected on one channel of a port. */
typedef struct bl_parameter_selection {
    uint8_t coarse, fine; /* above 127: none */
    uint8_t bank_coarse, bank_fine;
} bl_parameter_selection;

typedef struct bl_lowered_value {
    bl_receiver *receiver;
    bl_parameter_address address;
    float value;
} bl_lowered_value;

typedef struct bl_lowered_scene {
    uint32_t value_count;
    bl_lowered_value *values;
    uint32_t ramp_duration;
} bl_lowered_scene;

typedef struct bl_control_table {
    const struct bl_control_table *previous; /* the last table; never dereferenced */
    uint32_t control_count;
    bl_lowered_control *controls;
    uint32_t port_count;
    bl_parameter_selection *selections; /* ports × BL_CHANNELS */
    uint32_t scene_count;
    bl_lowered_scene *scenes;
} bl_control_table;

/* A message that moves a control. */
typedef struct bl_control_reading {
    float position; /* 0 to 1 */
    uint8_t value;  /* its data byte; the coarse one of 14 bits */
} bl_control_reading;

/* Reads a message's position; false if the message does not move the control. [render] */
bool bl_control_read(const bl_control_table *table, bl_lowered_control *control, uint32_t port,
                     const uint8_t *bytes, bl_control_reading *reading) BL_NONBLOCKING;

/* Remembers the parameter or the bank that a controller selects. [render] */
void bl_control_select(bl_control_table *table, uint32_t port, const uint8_t *bytes) BL_NONBLOCKING;

/* Copies the state of controls that the old plan has, too. [render] */
void bl_controls_continue(bl_control_table *table, const bl_control_table *old) BL_NONBLOCKING;

/* Convert a position between 0 and 1 to a value, and back. [any] */
float bl_control_value(const bl_control *control, float position) BL_NONBLOCKING;
float bl_control_position(const bl_control *control, float value) BL_NONBLOCKING;
