/* From a MIDI message to the parameters that it moves. */

#include <math.h>
#include <stdatomic.h>

#include "kernel_state.h"

enum {
    NOTE_OFF = 0x80,
    NOTE_ON = 0x90,
    KEY_PRESSURE = 0xA0,
    CONTROLLER = 0xB0,
    PROGRAM = 0xC0,
    PRESSURE = 0xD0,
    PITCH_BEND = 0xE0
};
enum { DATA_COARSE = 6, DATA_FINE = 38, NRPN_FINE = 98, NRPN_COARSE = 99, RPN_FINE, RPN_COARSE };

/* Positions this close are the same place to whoever turns a knob. */
static const float same_place = 1.0f / 64;

/* A message that moves a control. */
typedef struct reading {
    float position; /* 0 to 1 */
    uint8_t value;  /* the data byte that says it; of 14 bits, the coarse one */
} reading;

static void note_selection(bl_control_table *table, uint32_t port,
                           const uint8_t *bytes) BL_NONBLOCKING {
    bl_parameter_selection *selection = &table->selections[port * 16 + (bytes[0] & 0x0F)];
    if (bytes[1] == NRPN_COARSE) {
        selection->coarse = bytes[2];
    } else if (bytes[1] == NRPN_FINE) {
        selection->fine = bytes[2];
    } else if (bytes[1] == RPN_COARSE || bytes[1] == RPN_FINE) {
        *selection = (bl_parameter_selection){0xFF, 0xFF};
    }
}

/* A value in two halves, the coarse one first. One whose fine halves have been seen is not moved by
   the coarse half alone, which would be a step back and forth. */
static bool read_halves(bl_lowered_control *control, uint8_t value, bool is_fine,
                        reading *reading) BL_NONBLOCKING {
    if (!is_fine) {
        control->coarse = value;
        if (control->has_fine) {
            return false;
        }
    }
    control->has_fine = control->has_fine || is_fine;
    float fine = is_fine ? value : control->coarse == 127 ? 127 : 0;
    reading->position = ((float)control->coarse * 128 + fine) / 16383;
    reading->value = control->coarse;
    return true;
}

static bool read_controller(const bl_control_table *table, bl_lowered_control *control,
                            const uint8_t *bytes, reading *reading) BL_NONBLOCKING {
    uint32_t number = control->control.number;
    if (control->control.source == BL_CONTROL_CONTROLLER) {
        *reading = (struct reading){bytes[2] / 127.0f, bytes[2]};
        return bytes[1] == number;
    }
    if (control->control.source == BL_CONTROL_FINE_CONTROLLER) {
        return (bytes[1] == number || bytes[1] == number + 32) &&
               read_halves(control, bytes[2], bytes[1] != number, reading);
    }
    const bl_parameter_selection *selection =
        &table->selections[control->control.port * 16 + (bytes[0] & 0x0F)];
    bool is_meant = selection->coarse == number >> 7 && selection->fine == (number & 0x7F);
    bool is_data = bytes[1] == DATA_COARSE || bytes[1] == DATA_FINE;
    return is_meant && is_data && read_halves(control, bytes[2], bytes[1] == DATA_FINE, reading);
}

/* Does the message move the control, and where to? */
static bool read(const bl_control_table *table, bl_lowered_control *control, const uint8_t *bytes,
                 reading *reading) BL_NONBLOCKING {
    uint32_t number = control->control.number;
    uint8_t status = bytes[0] & 0xF0;
    switch (control->control.source) {
    case BL_CONTROL_PITCH_BEND: {
        /* The middle is the middle: 64 steps more lie below it than above. */
        int32_t bend = ((int32_t)bytes[2] << 7 | bytes[1]) - 8192;
        float share = (float)bend / (bend < 0 ? 8192.0f : 8191.0f);
        *reading = (struct reading){0.5f + 0.5f * share, bytes[2]};
        return status == PITCH_BEND;
    }
    case BL_CONTROL_PRESSURE:
        *reading = (struct reading){bytes[1] / 127.0f, bytes[1]};
        return status == PRESSURE;
    case BL_CONTROL_KEY_PRESSURE:
        *reading = (struct reading){bytes[2] / 127.0f, bytes[2]};
        return status == KEY_PRESSURE && bytes[1] == number;
    case BL_CONTROL_NOTE:
        *reading = (struct reading){status == NOTE_ON ? bytes[2] / 127.0f : 0, bytes[2]};
        return (status == NOTE_ON || status == NOTE_OFF) && bytes[1] == number;
    case BL_CONTROL_PROGRAM:
        *reading = (struct reading){1, 127};
        return status == PROGRAM && bytes[1] == number;
    default:
        return status == CONTROLLER && read_controller(table, control, bytes, reading);
    }
}

static void set(bl_kernel *kernel, bl_node *node, bl_parameter_address address, float value,
                uint32_t ramp_duration, int64_t time) BL_NONBLOCKING {
    if (node->graph_serial != kernel->graph_serial) {
        return;
    }
    if (address == BL_CONTROL_BYPASS) {
        bl_kernel_set_bypass(node, value >= 0.5f);
        atomic_store_explicit(&node->moved_bypass, value >= 0.5f ? BL_BYPASS_ON : BL_BYPASS_OFF,
                              memory_order_relaxed);
        return;
    }
    bl_event event = {.sample_time = time, .type = BL_EVENT_PARAMETER_RAMP};
    event.parameter = (bl_parameter_event){address, value, ramp_duration};
    bl_kernel_schedule(kernel, node, event, true);
}

static void recall(bl_kernel *kernel, uint32_t place, int64_t time) BL_NONBLOCKING {
    const bl_lowered_scene *scene = &kernel->graph->controls.scenes[place];
    uint32_t ramp =
        scene->ramp_duration > kernel->ramp_duration ? scene->ramp_duration : kernel->ramp_duration;
    for (uint32_t index = 0; index < scene->value_count; index += 1) {
        const bl_lowered_value *value = &scene->values[index];
        set(kernel, value->node, value->address, value->value, ramp, time);
    }
    kernel->recalled_scene = place;
    kernel->has_recalled = true;
}

/* What the unit has been told, or is being told in this stretch. */
static float present_value(const bl_kernel *kernel,
                           const bl_lowered_control *control) BL_NONBLOCKING {
    if (control->has_sent && control->sent_time == kernel->sample_time) {
        return control->sent;
    }
    return control->control.address == BL_CONTROL_BYPASS
               ? (float)control->node->bypassed
               : bl_node_value(control->node, control->control.address);
}

/* A parameter that something else has moved, or that the control has never come by, is left alone
   until the control comes to where it stands. */
static bool has_picked_up(const bl_kernel *kernel, bl_lowered_control *control,
                          float position) BL_NONBLOCKING {
    float value = present_value(kernel, control);
    float target = bl_control_position(&control->control, value);
    float before = control->position;
    bool had_moved = control->has_moved;
    control->position = position;
    control->has_moved = true;
    if (control->is_caught && value == control->sent) {
        return true;
    }
    bool is_there = fabsf(position - target) <= same_place;
    bool went_past = had_moved && (before < target) != (position < target);
    control->is_caught = is_there || went_past;
    return control->is_caught;
}

static float turned(const bl_kernel *kernel, const bl_lowered_control *control,
                    uint8_t value) BL_NONBLOCKING {
    int32_t clicks = 0;
    switch (control->control.mode) {
    case BL_CONTROL_TWOS_COMPLEMENT:
        clicks = value < 64 ? value : (int32_t)value - 128;
        break;
    case BL_CONTROL_BINARY_OFFSET:
        clicks = (int32_t)value - 64;
        break;
    default:
        clicks = (value & 0x40) != 0 ? -(int32_t)(value & 0x3F) : value & 0x3F;
        break;
    }
    return bl_control_position(&control->control, present_value(kernel, control)) +
           (float)clicks / 127;
}

static void follow(bl_kernel *kernel, bl_lowered_control *control, const reading *reading,
                   int64_t time) BL_NONBLOCKING {
    const bl_control *facts = &control->control;
    bool was_high = control->is_high && facts->source != BL_CONTROL_PROGRAM;
    bool is_pressed = reading->position >= 0.5f && !was_high;
    float value;
    /* However softly a key is struck, it is struck. */
    if (facts->source == BL_CONTROL_NOTE) {
        is_pressed = reading->position > 0;
    }
    control->is_high = reading->position >= 0.5f;
    switch (facts->mode) {
    case BL_CONTROL_RECALL:
        if (is_pressed) {
            recall(kernel, facts->scene, time);
        }
        return;
    case BL_CONTROL_TOGGLE: {
        if (!is_pressed) {
            return;
        }
        float present = present_value(kernel, control);
        bool is_nearer_to = fabsf(present - facts->to) < fabsf(present - facts->from);
        value = is_nearer_to ? facts->from : facts->to;
        break;
    }
    case BL_CONTROL_ABSOLUTE:
        value = bl_control_value(facts, reading->position);
        if (facts->picks_up && !has_picked_up(kernel, control, reading->position)) {
            return;
        }
        break;
    default:
        value = bl_control_value(facts, turned(kernel, control, reading->value));
        break;
    }
    control->sent = value;
    control->has_sent = true;
    control->sent_time = kernel->sample_time;
    set(kernel, control->node, facts->address, value, kernel->ramp_duration, time);
}

void bl_controls_hear(bl_kernel *kernel, uint32_t port, const bl_event *event) BL_NONBLOCKING {
    bl_control_table *table = &kernel->graph->controls;
    const uint8_t *bytes = event->midi.bytes;
    if (port >= table->port_count || event->type != BL_EVENT_MIDI || bytes[0] >= 0xF0) {
        return;
    }
    if ((bytes[0] & 0xF0) == CONTROLLER) {
        note_selection(table, port, bytes);
    }
    for (uint32_t index = 0; index < table->control_count; index += 1) {
        bl_lowered_control *control = &table->controls[index];
        bool listens = control->control.port == port &&
                       (control->control.channels >> (bytes[0] & 0x0F) & 1) != 0;
        reading reading;
        if (listens && read(table, control, bytes, &reading)) {
            follow(kernel, control, &reading, event->sample_time);
        }
    }
}
