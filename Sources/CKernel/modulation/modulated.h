/* The modulated parameters of a node. */
#pragma once

#include "backline/ramp.h"
#include "controls.h"
#include "graph/lowered_graph.h"

struct bl_kernel;

/* One source of a modulated parameter. */
typedef struct bl_modulation_input {
    const bl_lowered_input *sound; /* input of the node, after the unit's own */
    float depth;
    bool is_squared;
} bl_modulation_input;

/* The state that is kept when the graph changes. [render] */
typedef struct bl_modulated_state {
    bl_ramp knob;
    int64_t knob_time; /* time of the ramp's present value */
    bool is_started;   /* the knob's value is known */
    float sent;        /* the value that the unit has or is ramping to; NaN at first */
    /* The remaining share of the old value after a change of the graph, from 1 to 0. */
    bl_ramp former_share;
    int64_t former_time; /* time of the ramp's present value */
    float former;
} bl_modulated_state;

typedef struct bl_modulated_parameter {
    bl_parameter_address address;
    bl_control travel; /* the range from minimum to maximum */
    uint32_t input_count;
    bl_modulation_input *inputs;
    bl_modulated_state state;
} bl_modulated_parameter;

struct bl_modulated {
    uint32_t parameter_count;
    bl_modulated_parameter *parameters;
    uint32_t event_count;
    bl_event *events;    /* room for the events of a stretch */
    uint64_t stretch;    /* number of the last stretch whose events were made [render] */
    bool has_moved_base; /* a knob has moved in this stretch [render] */
};

/* Checks the modulations of a description. Returns NULL or an error. [control] */
const char *bl_modulations_check(const bl_graph_description *description);
/* Adds the cables of modulations to the description. False when memory is short. [control] */
bool bl_modulations_add_cables(bl_arena *arena, bl_graph_description *description);

/* Lowers the modulations of a node whose inputs are connected. [control] */
void bl_modulated_lower(bl_graph *graph, bl_lowered_node *lowered,
                        const bl_graph_description *description, uint32_t node);

/* Moves the knob of a modulated parameter, instead of the unit's parameter. False for other events,
   and without modulations (NULL). [render] */
bool bl_modulation_move_knob(bl_modulated *modulated, bl_node *node,
                             const bl_event *event) BL_NONBLOCKING;

/* Inserts the steps of this stretch into the node's events, in order of time, and removes the moves
   of the knobs; at most once in a stretch, after the inputs are mixed. [render] */
void bl_modulate(const bl_graph *graph, bl_lowered_node *lowered) BL_NONBLOCKING;

/* Continues the modulations that two graphs share; where one has ended the unit's parameter returns
   to the knob. Call after the new graph's nodes have entered. [render] */
void bl_modulations_continue(struct bl_kernel *kernel, const bl_graph *old) BL_NONBLOCKING;

/* The parameter, or NULL if it is not modulated; `modulated` can be NULL. [any thread] */
static inline bl_modulated_parameter *
bl_modulated_find(const bl_modulated *modulated, bl_parameter_address address) BL_NONBLOCKING {
    for (uint32_t index = 0; modulated != NULL && index < modulated->parameter_count; index += 1) {
        if (modulated->parameters[index].address == address) {
            return &modulated->parameters[index];
        }
    }
    return NULL;
}
