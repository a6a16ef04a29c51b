/* A rack's description: its units, their settings, and their cables. */
#ifndef BACKLINE_RACK_PLAN_H
#define BACKLINE_RACK_PLAN_H

#include <stdatomic.h>

#include "backline/arena.h"
#include "kernel/kernel.h"

/* A property's value. */
typedef struct bl_planned_property {
    uint32_t unit, index;
    bool is_in_folder; /* a path, relative to the plan's folder */
    const char *text;
} bl_planned_property;

typedef struct bl_planned_unit {
    bl_component_description component;
    const char *name;
    const char *library; /* its library in the plan's folder; NULL for others */
    /* The unit's descriptor, set before an instance is created; lasts as long as the program. */
    _Atomic(const bl_unit_descriptor *) descriptor;
    uint32_t input_count, output_count, value_count;
    const uint32_t *inputs, *outputs; /* channels of each bus */
    const bl_preset_value *values;    /* values that differ from the defaults */
    bool is_bypassed, spills;
} bl_planned_unit;

typedef struct bl_planned_scene {
    const char *name;
    double time; /* seconds */
    uint32_t value_count;
    const bl_scene_value *values;
} bl_planned_scene;

/* A unit's parameter, or with BL_CONTROL_BYPASS its bypass, that the whole rack exposes. */
typedef struct bl_exposed {
    uint32_t unit; /* index in the plan's units */
    bl_parameter_address address;
} bl_exposed;

typedef struct bl_rack_plan {
    const char *name;
    uint32_t block; /* frames of the longest cycle, and the delay of feedback cables */
    double tempo;   /* beats per minute if the host has none */
    /* Ports, cables, modulations and controls; neither nodes nor scenes. */
    bl_graph_description graph;
    const char *const *input_names, *const *output_names;
    const char *const *midi_input_names, *const *midi_output_names;
    uint32_t unit_count, property_count, scene_count, exposed_count;
    bl_planned_unit *units;
    const bl_planned_property *properties;
    bl_planned_scene *scenes;
    const bl_exposed *exposed;
} bl_rack_plan;

#endif
