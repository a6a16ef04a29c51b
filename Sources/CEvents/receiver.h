/* A unit as events reach it: its events of this stretch, and the values that were set last. */
#pragma once

#include <stdatomic.h>

#include "backline/arena.h"
#include "backline/unit.h"
#include "event_list.h"

typedef struct bl_receiver {
    const bl_unit_descriptor *descriptor;
    uint32_t identifier;
    uint32_t input_count; /* of its audio busses */

    /* Published by the render thread, for any thread to read: of each parameter the value set last
       (of a ramp, its goal), or the value that the unit writes (a meter);
       [bus × parameter_count + index]. */
    uint32_t value_count;
    _Atomic float *values;

    /* The rest is the render thread's. The goals of parameters that are scheduled, by place, and
       the stretch in which they were. */
    float *goals;
    uint64_t *goals_in;
    uint64_t plan_number; /* of the last plan that it was in */
    bool is_rendered;     /* in that plan; otherwise it receives parameters and bypasses only */
    /* Frames from the rack's inputs to the unit, and to its output, in that plan. */
    uint32_t input_latency, output_latency;
    bl_event_list events; /* of this stretch */
    /* The bypass that was set last: for which time, and when it came; see bl_schedule. */
    bool bypassed;
    int64_t bypass_time;
    uint32_t bypass_arrival;
    uint32_t midi_output_count; /* cables that it sends by */
    struct bl_receiver *next_addressed;
    bool is_addressed; /* in the list of bl_event_source */
} bl_receiver;

/* Allocates the values and their goals; the arena has failed when memory is short. [control] */
void bl_receiver_allocate_values(bl_receiver *receiver, bl_arena *arena);

/* The place of an address among the values; value_count if there is none. [any thread] */
static inline uint32_t bl_receiver_value_index(const bl_receiver *receiver,
                                               bl_parameter_address address) BL_NONBLOCKING {
    return bl_parameter_place(address, receiver->descriptor->parameter_count,
                              receiver->value_count);
}

/* The published value; 0 for an address that does not exist. [any thread] */
float bl_receiver_value(const bl_receiver *receiver, bl_parameter_address address) BL_NONBLOCKING;

/* The same, and of BL_CONTROL_BYPASS whether the unit is bypassed. [render] */
static inline float bl_receiver_present(const bl_receiver *receiver,
                                        bl_parameter_address address) BL_NONBLOCKING {
    return address == BL_CONTROL_BYPASS ? receiver->bypassed : bl_receiver_value(receiver, address);
}

/* Whether the parameter is a button, whose value is always 0. [any thread] */
bool bl_receiver_is_momentary(const bl_receiver *receiver,
                              bl_parameter_address address) BL_NONBLOCKING;

/* Adapts a change to its parameter: clamped to the range, whole for switches and choices, ramped
   only if rampable, and for BL_LONGEST_RAMP at most. False for a parameter that does not exist or
   cannot be set, and for NaN. [render] */
bool bl_receiver_fit(const bl_receiver *receiver, bl_event *event) BL_NONBLOCKING;

/* Limits an expression to its range; false for one that does not exist, NaN, and a unit that does
   not follow expressions. [render] */
bool bl_receiver_fit_expression(const bl_receiver *receiver,
                                bl_expression_event *event) BL_NONBLOCKING;

/* Frames from the rack's inputs to the place where an address takes effect: the unit's input, or
   for BL_CONTROL_BYPASS its output. [render] */
static inline uint32_t bl_receiver_latency_to(const bl_receiver *receiver,
                                              bl_parameter_address address) BL_NONBLOCKING {
    return address == BL_CONTROL_BYPASS ? receiver->output_latency : receiver->input_latency;
}
