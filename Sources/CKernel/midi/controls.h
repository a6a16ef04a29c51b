/* Controls and scenes as the render thread has them. */
#ifndef BACKLINE_KERNEL_CONTROLS_H
#define BACKLINE_KERNEL_CONTROLS_H

#include "kernel/graph.h"

typedef struct bl_kernel bl_kernel;

enum { BL_CHANNELS = 16, BL_NO_SELECTION = 0xFF };

/* As a sample time: before all others, and never in the range of a difference. */
#define BL_LONG_AGO (INT64_MIN / 2)

/* A control and where it stands. */
typedef struct bl_lowered_control {
    bl_control control;
    bl_node *node; /* NULL where it moves none */
    uint32_t
        previous; /* the same one's place in the graph before; UINT32_MAX if it was not there */
    /* What has come so far [render] */
    uint8_t coarse;
    bool has_coarse;
    bool has_fine;  /* it sends fine halves, which follow the coarse ones */
    bool is_high;   /* past the middle */
    bool has_moved; /* `position` is where it stands, and `sent` what it set last */
    bool is_caught; /* where it picks up: the parameter follows it */
    float position;
    float sent; /* as the parameter took it */
    int64_t moved_at;
    uint32_t spacing; /* frames between its messages of late, while they come close together */
    uint32_t presses; /* that are not reported yet */
    int64_t pressed_at, reported_at;
} bl_lowered_control;

/* The non-registered parameter that a channel of a port speaks of, and its bank of programs. */
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
    const bl_graph *previous; /* the graph whose controls some of these are; never looked into */
    uint32_t control_count;
    bl_lowered_control *controls;
    uint32_t port_count;
    bl_parameter_selection *selections; /* ports × BL_CHANNELS */
    uint32_t scene_count;
    bl_lowered_scene *scenes;
} bl_control_table;

/* Is there such a parameter, or the bypass of such a node? [control] */
bool bl_is_control_target(const bl_graph_description *description, uint32_t node,
                          bl_parameter_address address);

/* NULL or what is wrong. [control] */
const char *bl_graph_lower_controls(bl_graph *graph, const bl_graph_description *description);

/* The controls that were in the graph before go on from where they stood. [render] */
void bl_controls_continue(bl_graph *graph, const bl_graph *old) BL_NONBLOCKING;

/* Has the graph's controls follow what came in at one of the rack's MIDI inputs; true where that
   was a call, and is nobody else's. [render] */
bool bl_controls_apply(bl_kernel *kernel, uint32_t port, const bl_event *event) BL_NONBLOCKING;

/* The value at a position between 0 and 1, and back. [any] */
float bl_control_value(const bl_control *control, float position) BL_NONBLOCKING;
float bl_control_position(const bl_control *control, float value) BL_NONBLOCKING;

#endif
