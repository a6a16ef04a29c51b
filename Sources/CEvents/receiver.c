#include "receiver.h"

#include <math.h>

void bl_receiver_allocate_values(bl_receiver *receiver, bl_arena *arena) {
    uint32_t busses = receiver->input_count > 0 ? receiver->input_count : 1;
    receiver->value_count = busses * receiver->descriptor->parameter_count;
    receiver->values = bl_arena_allocate(arena, receiver->value_count, sizeof *receiver->values);
    receiver->goals = bl_arena_allocate(arena, receiver->value_count, sizeof *receiver->goals);
    receiver->goals_in =
        bl_arena_allocate(arena, receiver->value_count, sizeof *receiver->goals_in);
}

float bl_receiver_value(const bl_receiver *receiver, bl_parameter_address address) BL_NONBLOCKING {
    uint32_t place = bl_receiver_value_index(receiver, address);
    return place < receiver->value_count
               ? atomic_load_explicit(&receiver->values[place], memory_order_relaxed)
               : 0;
}

bool bl_receiver_is_momentary(const bl_receiver *receiver,
                              bl_parameter_address address) BL_NONBLOCKING {
    uint32_t index = BL_PARAMETER_INDEX(address);
    return index < receiver->descriptor->parameter_count &&
           (receiver->descriptor->parameters[index].flags & BL_PARAMETER_MOMENTARY) != 0;
}

/* Whether a parameter's values are whole numbers: a switch or a choice. */
static bool is_whole(const bl_parameter_info *info) BL_NONBLOCKING {
    return info->unit == BL_UNIT_INDEXED || info->unit == BL_UNIT_BOOLEAN;
}

bool bl_receiver_fit(const bl_receiver *receiver, bl_event *event) BL_NONBLOCKING {
    const bl_unit_descriptor *descriptor = receiver->descriptor;
    uint32_t index = BL_PARAMETER_INDEX(event->parameter.address);
    uint32_t bus = BL_PARAMETER_INPUT_BUS(event->parameter.address);
    if (index >= descriptor->parameter_count || isnan(event->parameter.value)) {
        return false;
    }
    const bl_parameter_info *info = &descriptor->parameters[index];
    bool is_template = (info->flags & BL_PARAMETER_PER_INPUT_BUS) != 0;
    if ((info->flags & BL_PARAMETER_WRITABLE) == 0 ||
        (bus > 0 && (!is_template || bus >= receiver->input_count))) {
        return false;
    }
    float *value = &event->parameter.value;
    *value = *value < info->minimum ? info->minimum : *value;
    *value = *value > info->maximum ? info->maximum : *value;
    *value = is_whole(info) ? floorf(*value + 0.5f) : *value;
    if (event->parameter.ramp_duration > BL_LONGEST_RAMP) {
        event->parameter.ramp_duration = BL_LONGEST_RAMP;
    }
    if ((info->flags & BL_PARAMETER_RAMPABLE) == 0 || is_whole(info) ||
        event->parameter.ramp_duration == 0) {
        event->type = BL_EVENT_PARAMETER;
        event->parameter.ramp_duration = 0;
    }
    return true;
}

bool bl_receiver_fit_expression(const bl_receiver *receiver,
                                bl_expression_event *event) BL_NONBLOCKING {
    if ((receiver->descriptor->flags & BL_UNIT_NOTE_EXPRESSIONS) == 0 || isnan(event->value) ||
        event->expression >= BL_EXPRESSION_COUNT) {
        return false;
    }
    float least = bl_expression_least(event->expression);
    float most = bl_expression_most(event->expression);
    event->value = event->value < least ? least : event->value > most ? most : event->value;
    return true;
}
