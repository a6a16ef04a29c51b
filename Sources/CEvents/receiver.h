/* A receiver: a unit's events in this stretch, and its last set values. */
#pragma once

#include <stdatomic.h>

#include "backline/arena.h"
#include "backline/unit.h"
#include "event_list.h"

typedef struct bl_receiver {
    const bl_unit_descriptor *descriptor;
    uint32_t identifier;
    uint32_t input_count; /* its audio input busses */

    /* Parameter values, published by the render thread for any thread: the value set last (the
       target of a ramp), or the value that the unit writes (a meter); [bus × parameter_count +
       index]. */
    uint32_t value_count;
    _Atomic float *values;

    /* The render thread's fields. The targets of scheduled parameters, by index, and the stretch in
       which each was scheduled. */
    float *goals;
    uint64_t *goals_in;
    uint64_t plan_number; /* the last plan that had it */
    bool is_rendered;     /* in that plan; else gets parameters and bypasses only */
    /* Latencies in that plan, frames: from the rack's inputs to the unit's input, and to its
       output. */
    uint32_t input_latency, output_latency;
    bl_event_list events; /* events of this stretch */
    /* The last bypass set: its time, and its arrival; see bl_schedule. */
    bool bypassed;
    int64_t bypass_time;
    uint32_t bypass_arrival;
    uint32_t midi_output_count; /* its output cables */
    struct bl_receiver *next_addressed;
    bool is_addressed; /* it is in bl_event_source's list */
} bl_receiver;

/* Allocates the values and targets; if memory is short the arena has failed. [control] */
void bl_receiver_allocate_values(bl_receiver *receiver, bl_arena *arena);

/* The index of an address among the values; value_count if there is none. [any thread] */
static inline uint32_t bl_receiver_value_index(const bl_receiver *receiver,
                                               bl_parameter_address address) BL_NONBLOCKING {
    return bl_parameter_place(address, receiver->descriptor->parameter_count,
                              receiver->value_count);
}

/* The published value of a parameter; 0 for an address that does not exist. [any thread] */
float bl_receiver_value(const bl_receiver *receiver, bl_parameter_address address) BL_NONBLOCKING;

/* The published value of a parameter, or for BL_CONTROL_BYPASS whether the unit is bypassed.
   [render] */
static inline float bl_receiver_present(const bl_receiver *receiver,
                                        bl_parameter_address address) BL_NONBLOCKING {
    return address == BL_CONTROL_BYPASS ? receiver->bypassed : bl_receiver_value(receiver, address);
}

/* Whether the parameter is a button, whose value is always 0. [any thread] */
bool bl_receiver_is_momentary(const bl_receiver *receiver,
                              bl_parameter_address address) BL_NONBLOCKING;

/* Adapts a change to its parameter: clamped to the range, whole for switches and choices, ramped
   only if rampable, over BL_LONGEST_RAMP at most. False for NaN, and for a parameter that does not
   exist or cannot be set. [render] */
bool bl_receiver_fit(const bl_receiver *receiver, bl_event *event) BL_NONBLOCKING;

/* Limits an expression to its range; false for NaN, for one that does not exist, and if the unit
   does not follow expressions. [render] */
bool bl_receiver_fit_expression(const bl_receiver *receiver,
                                bl_expression_event *event) BL_NONBLOCKING;

/* Frames from the rack's inputs to where an address takes effect: the unit's input, or for
   BL_CONTROL_BYPASS its output. [render] */
static inline uint32_t bl_receiver_latency_to(const bl_receiver *receiver,
                                              bl_parameter_address address) BL_NONBLOCKING {
    return address == BL_CONTROL_BYPASS ? receiver->output_latency : receiver->input_latency;
}
