/* Controls and scenes on the render thread. */
#ifndef BACKLINE_KERNEL_CONTROLS_H
#define BACKLINE_KERNEL_CONTROLS_H

#include "kernel/graph.h"

typedef struct bl_kernel bl_kernel;

enum { BL_CHANNELS = 16, BL_NO_SELECTION = 0xFF };

/* A sample time before all others, safe to subtract. */
#define BL_LONG_AGO (INT64_MIN / 2)

/* What a control has received and done so far. */
typedef struct bl_control_state {
    uint8_t coarse;
    bool has_coarse;
    bool has_fine;  /* fine halves follow the coarse ones */
    bool is_high;   /* past the middle */
    bool has_moved; /* `position` and `sent` are valid */
    bool is_caught; /* of a control that picks up: the parameter follows it */
    float position;
    float heard;        /* the position of its last message */
    int64_t settles_at; /* until then it bounces */
    float sent;         /* the value set last, adapted to the parameter */
    int64_t moved_at;
    uint32_t spacing; /* recent distance of its messages, frames; 0 if they are not close */
    uint32_t presses; /* not reported yet */
    int64_t pressed_at, reported_at;
} bl_control_state;

/* A control and its state. */
typedef struct bl_lowered_control {
    bl_control control;
    bl_node *node;          /* NULL for modes from BL_CONTROL_RECALL on */
    uint32_t previous;      /* its place in the last graph, or UINT32_MAX */
    bl_control_state state; /* [render] */
} bl_lowered_control;

/* The non-registered parameter and the bank of programs that are selected on a channel of a port.
 */
typedef struct bl_parameter_selection {
    uint8_t coarse, fine; /* above 127: none */
    uint8_t bank_coarse, bank_fine;
} bl_parameter_selection;

typedef struct bl_lowered_value {
    bl_node *node;
    bl_parameter_address address;
    float value;
} bl_lowered_value;

typedef struct bl_lowered_scene {
    uint32_t value_count;
    bl_lowered_value *values;
    uint32_t ramp_duration;
} bl_lowered_scene;

typedef struct bl_control_table {
    const bl_graph *previous; /* the graph before; to compare, never to follow */
    uint32_t control_count;
    bl_lowered_control *controls;
    uint32_t port_count;
    bl_parameter_selection *selections; /* ports × BL_CHANNELS */
    uint32_t scene_count;
    bl_lowered_scene *scenes;
} bl_control_table;

/* Whether the node has that parameter; true for the bypass of any node. [control] */
bool bl_is_control_target(const bl_graph_description *description, uint32_t node,
                          bl_parameter_address address);

/* Returns NULL or an error. [control] */
const char *bl_graph_lower_controls(bl_graph *graph, const bl_graph_description *description);

/* Copies the state of controls that the old graph has as well. [render] */
void bl_controls_continue(bl_graph *graph, const bl_graph *old) BL_NONBLOCKING;

/* Moves the controls of a message at one of the rack's MIDI inputs; true for a call, which units do
   not receive. [render] */
bool bl_controls_apply(bl_kernel *kernel, uint32_t port, const bl_event *event) BL_NONBLOCKING;

/* The value at a position between 0 and 1, and back. [any] */
float bl_control_value(const bl_control *control, float position) BL_NONBLOCKING;
float bl_control_position(const bl_control *control, float value) BL_NONBLOCKING;

#endif
