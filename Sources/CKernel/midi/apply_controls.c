/* Controls: the parameters, bypasses and scenes that a MIDI message moves. */

#include <math.h>

#include "cycle/bypass.h"
#include "cycle/kernel_state.h"

enum { BANK_COARSE = 0, BANK_FINE = 32 };
enum { DATA_COARSE = 6, DATA_FINE = 38, NRPN_FINE = 98, NRPN_COARSE = 99, RPN_FINE, RPN_COARSE };

/* The longest time between two messages of a knob that is being turned; seconds. */
#define MOST_SPACING 0.1
/* And the largest difference of their positions. */
#define MOST_STEP 0.125f

/* A switch that changes again within this time bounces; seconds. */
#define BOUNCE 0.03

/* Positions this close count as equal. */
static const float same_place = 1.0f / 64;

/* A message that moves a control. */
typedef struct reading {
    float position; /* 0 to 1 */
    uint8_t value;  /* its data byte; of 14 bits, the coarse one */
} reading;

static float within(float position) BL_NONBLOCKING {
    return position > 0 ? (position < 1 ? position : 1) : 0;
}

float bl_control_value(const bl_control *control, float position) BL_NONBLOCKING {
    float from = control->from, to = control->to;
    position = within(position);
    /* The ends are exact. */
    if (position <= 0 || position >= 1) {
        return position <= 0 ? from : to;
    }
    switch (control->curve) {
    case BL_CURVE_LOGARITHMIC:
        return from * powf(to / from, position);
    case BL_CURVE_SQUARED:
        /* Fine at the lower end. */
        return to >= from ? from + (to - from) * position * position
                          : to + (from - to) * (1 - position) * (1 - position);
    default:
        return from + (to - from) * position;
    }
}

float bl_control_position(const bl_control *control, float value) BL_NONBLOCKING {
    float from = control->from, to = control->to;
    if (from == to) {
        return 0;
    }
    switch (control->curve) {
    case BL_CURVE_LOGARITHMIC:
        return value > 0 ? within(logf(value / from) / logf(to / from)) : to > from ? 0 : 1;
    case BL_CURVE_SQUARED:
        return to > from ? sqrtf(within((value - from) / (to - from)))
                         : 1 - sqrtf(within((value - to) / (from - to)));
    default:
        return within((value - from) / (to - from));
    }
}

static void note_selection(bl_control_table *table, uint32_t port,
                           const uint8_t *bytes) BL_NONBLOCKING {
    bl_parameter_selection *selection = &table->selections[port * BL_CHANNELS + (bytes[0] & 0x0F)];
    if (bytes[1] == NRPN_COARSE) {
        selection->coarse = bytes[2];
    } else if (bytes[1] == NRPN_FINE) {
        selection->fine = bytes[2];
    } else if (bytes[1] == RPN_COARSE || bytes[1] == RPN_FINE) {
        selection->coarse = BL_NO_SELECTION;
        selection->fine = BL_NO_SELECTION;
    } else if (bytes[1] == BANK_COARSE) {
        selection->bank_coarse = bytes[2];
    } else if (bytes[1] == BANK_FINE) {
        selection->bank_fine = bytes[2];
    }
}

/* A value in two halves, the coarse one first. If a fine half follows, the coarse half alone would
   move the parameter back and forth: it waits, unless two coarse halves follow each other. */
static bool read_halves(bl_lowered_control *control, uint8_t value, bool is_fine,
                        reading *reading) BL_NONBLOCKING {
    if (is_fine && !control->state.has_coarse) {
        return false;
    }
    bool waits = !is_fine && control->state.has_fine;
    control->state.coarse = is_fine ? control->state.coarse : value;
    control->state.has_coarse = true;
    control->state.has_fine = is_fine;
    float fine = is_fine ? value : control->state.coarse == 127 ? 127 : 0;
    reading->position = ((float)control->state.coarse * 128 + fine) / 16383;
    reading->value = control->state.coarse;
    return !waits;
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
        &table->selections[control->control.port * BL_CHANNELS + (bytes[0] & 0x0F)];
    bool is_meant = selection->coarse == number >> 7 && selection->fine == (number & 0x7F);
    bool is_data = bytes[1] == DATA_COARSE || bytes[1] == DATA_FINE;
    return is_meant && is_data && read_halves(control, bytes[2], bytes[1] == DATA_FINE, reading);
}

static bool is_in_bank(const bl_control_table *table, const bl_control *control,
                       uint8_t channel) BL_NONBLOCKING {
    const bl_parameter_selection *selection =
        &table->selections[control->port * BL_CHANNELS + channel];
    return (control->bank_coarse == BL_ANY_BANK ||
            control->bank_coarse == selection->bank_coarse) &&
           (control->bank_fine == BL_ANY_BANK || control->bank_fine == selection->bank_fine);
}

/* Whether the message moves the control; reads the new position. */
static bool read(const bl_control_table *table, bl_lowered_control *control, const uint8_t *bytes,
                 reading *reading) BL_NONBLOCKING {
    uint32_t number = control->control.number;
    uint8_t status = bytes[0] & 0xF0;
    switch (control->control.source) {
    case BL_CONTROL_PITCH_BEND: {
        /* The middle is 0.5, although there is one step more below it than above. */
        int32_t bend = ((int32_t)bytes[2] << 7 | bytes[1]) - 8192;
        float share = (float)bend / (bend < 0 ? 8192.0f : 8191.0f);
        *reading = (struct reading){0.5f + 0.5f * share, bytes[2]};
        return status == BL_PITCH_BEND;
    }
    case BL_CONTROL_PRESSURE:
        *reading = (struct reading){bytes[1] / 127.0f, bytes[1]};
        return status == BL_CHANNEL_PRESSURE;
    case BL_CONTROL_KEY_PRESSURE:
        *reading = (struct reading){bytes[2] / 127.0f, bytes[2]};
        return status == BL_NOTE_PRESSURE && bytes[1] == number;
    case BL_CONTROL_NOTE:
        *reading = (struct reading){status == BL_NOTE_ON ? bytes[2] / 127.0f : 0, bytes[2]};
        return (status == BL_NOTE_ON || status == BL_NOTE_OFF) && bytes[1] == number;
    case BL_CONTROL_PROGRAM:
        *reading = (struct reading){1, 127};
        return status == BL_PROGRAM && bytes[1] == number &&
               is_in_bank(table, &control->control, bytes[0] & 0x0F);
    default:
        return status == BL_CONTROLLER && read_controller(table, control, bytes, reading);
    }
}

float bl_kernel_set_value(bl_kernel *kernel, bl_node *node, bl_parameter_event move, int64_t time,
                          bool is_reported) BL_NONBLOCKING {
    if (move.address == BL_CONTROL_BYPASS) {
        bool bypassed = move.value >= 0.5f;
        if (is_reported) {
            bl_parameter_event change = {BL_CONTROL_BYPASS, bypassed, 0, false};
            bl_kernel_report_move(kernel, node, change, time);
        }
        bl_kernel_set_bypass(kernel, node, bypassed, (uint32_t)(time - kernel->sample_time));
        return bypassed;
    }
    bl_event event = {.sample_time = time, .type = BL_EVENT_PARAMETER_RAMP, .parameter = move};
    uint32_t place = bl_node_value_index(node, move.address);
    if (place == node->value_count || !bl_node_fit(node, &event)) {
        return move.value;
    }
    node->goals[place] = bl_node_is_momentary(node, move.address) ? 0 : event.parameter.value;
    node->goal_times[place] = kernel->sample_time;
    bl_kernel_schedule(kernel, node, event, true, is_reported);
    return event.parameter.value;
}

static void recall(bl_kernel *kernel, uint32_t place, int64_t time) BL_NONBLOCKING {
    const bl_lowered_scene *scene = &kernel->graph->controls.scenes[place];
    uint32_t least = kernel->ramp_duration;
    uint32_t ramp = scene->ramp_duration > least ? scene->ramp_duration : least;
    bl_kernel_note_work(kernel, scene->value_count);
    for (uint32_t index = 0; index < scene->value_count; index += 1) {
        const bl_lowered_value *value = &scene->values[index];
        bl_parameter_event move = {value->address, value->value, ramp, false};
        bl_kernel_set_value(kernel, value->node, move, time, true);
    }
}

/* The target's value, including changes scheduled in this stretch; of a bypass, at a time in it. */
static float present_value(const bl_kernel *kernel, const bl_lowered_control *control,
                           int64_t time) BL_NONBLOCKING {
    const bl_node *node = control->node;
    if (control->control.address == BL_CONTROL_BYPASS) {
        return bl_is_bypassed_at(node, (uint32_t)(time - kernel->sample_time));
    }
    uint32_t place = bl_node_value_index(node, control->control.address);
    bool is_scheduled = place < node->value_count && node->goal_times[place] == kernel->sample_time;
    return is_scheduled ? node->goals[place] : bl_node_value(node, control->control.address);
}

/* Whether nothing else has moved the parameter since the control did. */
static bool owns_value(const bl_kernel *kernel, const bl_lowered_control *control,
                       int64_t time) BL_NONBLOCKING {
    return control->state.has_moved && present_value(kernel, control, time) == control->state.sent;
}

/* Whether the control has reached the parameter's value since something else moved it. */
static bool has_picked_up(const bl_kernel *kernel, bl_lowered_control *control, float position,
                          int64_t time) BL_NONBLOCKING {
    bool had_moved = control->state.has_moved;
    bool was_caught = control->state.is_caught && owns_value(kernel, control, time);
    float before = control->state.position;
    float target = bl_control_position(&control->control, present_value(kernel, control, time));
    control->state.position = position;
    control->state.has_moved = true;
    bool is_there = fabsf(position - target) <= same_place;
    bool went_past = had_moved && (before < target) != (position < target);
    control->state.is_caught = was_caught || is_there || went_past;
    return control->state.is_caught;
}

/* The position of an encoder after its clicks, which also count while a parameter of whole values
   does not change. */
static float turned(const bl_kernel *kernel, const bl_lowered_control *control, uint8_t value,
                    int64_t time) BL_NONBLOCKING {
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
    float start =
        owns_value(kernel, control, time)
            ? control->state.position
            : bl_control_position(&control->control, present_value(kernel, control, time));
    return within(start + (float)clicks / 127);
}

/* Whether the message is of a switch that says again how it stands: it sends nothing at its
 * release. */
static bool says_again(const bl_lowered_control *control, float position) BL_NONBLOCKING {
    switch (control->control.source) {
    case BL_CONTROL_PROGRAM:
    case BL_CONTROL_NOTE:
        return true;
    case BL_CONTROL_CONTROLLER:
    case BL_CONTROL_FINE_CONTROLLER:
    case BL_CONTROL_NRPN:
        return position == control->state.heard;
    default:
        return false;
    }
}

/* Whether the message presses the control: it passes the middle, where a wheel rests, or is high
   again; any velocity presses a key. What a worn switch sends while it bounces presses nothing. */
static bool is_pressed(const bl_kernel *kernel, bl_lowered_control *control, float position,
                       int64_t time) BL_NONBLOCKING {
    bl_control_state *state = &control->state;
    bool is_high = position > (control->control.source == BL_CONTROL_NOTE ? 0 : 0.5f);
    bool is_new = is_high != state->is_high || says_again(control, position);
    bool is_steady = time >= state->settles_at;
    if (is_new) {
        state->settles_at = time + (int64_t)(kernel->sample_rate * BOUNCE);
    }
    state->is_high = is_high;
    state->heard = position;
    return is_new && is_steady && (is_high || control->control.latches);
}

/* The length of a ramp to the control's new value: while a knob is turned, about until its next
   message, so that MIDI's 127 steps sound as one movement. A jump takes a while of its own.
   Frames */
static uint32_t travel_time(const bl_kernel *kernel, bl_lowered_control *control, float value,
                            int64_t time) BL_NONBLOCKING {
    int64_t passed = time - control->state.moved_at;
    control->state.moved_at = time;
    float step = fabsf(bl_control_position(&control->control, value) -
                       bl_control_position(&control->control, control->state.sent));
    bl_control_source source = control->control.source;
    bool is_turned = (source == BL_CONTROL_CONTROLLER || source == BL_CONTROL_PRESSURE ||
                      source == BL_CONTROL_KEY_PRESSURE) &&
                     control->control.mode == BL_CONTROL_ABSOLUTE && control->state.has_moved &&
                     step < MOST_STEP;
    if (!is_turned || passed > (int64_t)(kernel->sample_rate * MOST_SPACING)) {
        control->state.spacing = 0;
    } else {
        uint32_t spacing = (uint32_t)passed;
        control->state.spacing =
            spacing > control->state.spacing
                ? spacing
                : control->state.spacing - (control->state.spacing - spacing) / 4;
    }
    uint32_t least = kernel->ramp_duration;
    return control->state.spacing > least ? control->state.spacing : least;
}

static void move(bl_kernel *kernel, bl_lowered_control *control, const reading *reading,
                 bool pressed, int64_t time) BL_NONBLOCKING {
    const bl_control *description = &control->control;
    if (control->node->graph_serial != kernel->graph_serial) {
        return;
    }
    float value;
    if (description->mode == BL_CONTROL_TOGGLE) {
        float present = present_value(kernel, control, time);
        if (!pressed) {
            return;
        }
        bool is_nearer_to = fabsf(present - description->to) < fabsf(present - description->from);
        value = is_nearer_to ? description->from : description->to;
    } else if (description->mode == BL_CONTROL_ABSOLUTE) {
        if (description->picks_up && !has_picked_up(kernel, control, reading->position, time)) {
            return;
        }
        value = bl_control_value(description, reading->position);
    } else {
        control->state.position = turned(kernel, control, reading->value, time);
        value = bl_control_value(description, control->state.position);
    }
    uint32_t travel = travel_time(kernel, control, value, time);
    control->state.has_moved = true;
    /* The steps of one movement join in a line. */
    bool is_line = control->state.spacing > 0;
    bl_parameter_event change = {description->address, value, travel, is_line};
    control->state.sent = bl_kernel_set_value(kernel, control->node, change, time, true);
}

static bool listens(const bl_lowered_control *control, uint32_t port,
                    const uint8_t *bytes) BL_NONBLOCKING {
    return control->control.port == port &&
           (control->control.channels >> (bytes[0] & 0x0F) & 1) != 0;
}

/* The last control of mode BL_CONTROL_CALL for a message, or UINT32_MAX. */
static uint32_t find_called(bl_control_table *table, uint32_t port,
                            const uint8_t *bytes) BL_NONBLOCKING {
    uint32_t called = UINT32_MAX;
    for (uint32_t index = 0; index < table->control_count; index += 1) {
        bl_lowered_control *control = &table->controls[index];
        reading reading;
        if (control->control.mode == BL_CONTROL_CALL && listens(control, port, bytes) &&
            read(table, control, bytes, &reading)) {
            called = index;
        }
    }
    return called;
}

bool bl_controls_apply(bl_kernel *kernel, uint32_t port, const bl_event *event) BL_NONBLOCKING {
    bl_control_table *table = &kernel->graph->controls;
    const uint8_t *bytes = event->midi.bytes;
    if (port >= table->port_count || event->type != BL_EVENT_MIDI ||
        bytes[0] >= BL_SYSTEM_EXCLUSIVE) {
        return false;
    }
    if ((bytes[0] & 0xF0) == BL_CONTROLLER) {
        note_selection(table, port, bytes);
    }
    uint32_t called =
        (bytes[0] & 0xF0) == BL_PROGRAM ? find_called(table, port, bytes) : UINT32_MAX;
    if (called != UINT32_MAX) {
        bl_kernel_report_press(kernel, called, event->sample_time);
        return true;
    }
    /* One message recalls one scene, the last of its controls. */
    uint32_t recalling = UINT32_MAX;
    for (uint32_t index = 0; index < table->control_count; index += 1) {
        bl_lowered_control *control = &table->controls[index];
        bl_control_mode mode = control->control.mode;
        reading reading;
        if (!listens(control, port, bytes) || !read(table, control, bytes, &reading)) {
            continue;
        }
        bool pressed = is_pressed(kernel, control, reading.position, event->sample_time);
        if (mode < BL_CONTROL_RECALL) {
            move(kernel, control, &reading, pressed, event->sample_time);
        } else if (pressed && mode == BL_CONTROL_RECALL) {
            recalling = index;
        } else if (pressed) {
            if (mode == BL_CONTROL_PANIC) {
                bl_midi_panic(kernel->graph, event->sample_time);
            }
            bl_kernel_report_press(kernel, index, event->sample_time);
        }
    }
    if (recalling != UINT32_MAX) {
        recall(kernel, table->controls[recalling].control.scene, event->sample_time);
        bl_kernel_report_press(kernel, recalling, event->sample_time);
    }
    return false;
}
