/* Controls: the parameters, bypasses and scenes that a MIDI message moves. */
#include <math.h>

#include "event_source.h"

/* The longest time between two messages of a knob that is being turned; seconds. */
#define MOST_SPACING 0.1
/* The largest difference between the positions of two such messages. */
#define MOST_STEP 0.125f

/* Seconds. A switch that changes again within this time bounces. */
#define BOUNCE 0.03

/* The distance below which positions count as equal. */
static const float same_place = 1.0f / 64;

static void recall(bl_event_source *source, uint32_t place, int64_t time) BL_NONBLOCKING {
    const bl_lowered_scene *scene = &source->plan->controls.scenes[place];
    uint32_t least = source->ramp_duration;
    uint32_t ramp = scene->ramp_duration > least ? scene->ramp_duration : least;
    bl_event_source_spend_work(source, scene->value_count);
    for (uint32_t index = 0; index < scene->value_count; index += 1) {
        const bl_lowered_value *value = &scene->values[index];
        bl_parameter_event move = {value->address, value->value, ramp, false};
        bl_event_source_set(source, value->receiver, move, time, true);
    }
}

/* The target's value, including changes scheduled in this stretch; for a bypass, only those up to
   now. */
static float present_value(const bl_event_source *source,
                           const bl_lowered_control *control) BL_NONBLOCKING {
    const bl_receiver *receiver = control->receiver;
    uint32_t place = bl_receiver_value_index(receiver, control->control.address);
    bool is_scheduled =
        place < receiver->value_count && receiver->goals_in[place] == source->stretch;
    return is_scheduled ? receiver->goals[place]
                        : bl_receiver_present(receiver, control->control.address);
}

/* Whether nothing else has moved the parameter since the control did. */
static bool owns_value(const bl_event_source *source,
                       const bl_lowered_control *control) BL_NONBLOCKING {
    return control->state.has_moved && present_value(source, control) == control->state.sent;
}

/* Whether the control has reached the parameter's value since something else moved it. */
static bool has_picked_up(const bl_event_source *source, bl_lowered_control *control,
                          float position) BL_NONBLOCKING {
    bool had_moved = control->state.has_moved;
    bool was_caught = control->state.is_caught && owns_value(source, control);
    float before = control->state.position;
    float target = bl_control_position(&control->control, present_value(source, control));
    control->state.position = position;
    control->state.has_moved = true;
    bool is_reached = fabsf(position - target) <= same_place;
    bool went_past = had_moved && (before < target) != (position < target);
    control->state.is_caught = was_caught || is_reached || went_past;
    return control->state.is_caught;
}

/* The position of an encoder after its clicks, which accumulate even while a parameter of whole
   values does not change. */
static float turned(const bl_event_source *source, const bl_lowered_control *control,
                    uint8_t value) BL_NONBLOCKING {
    int32_t clicks = 0;
    switch (control->control.mode) {
    case BL_CONTROL_TWOS_COMPLEMENT: clicks = value < 64 ? value : (int32_t)value - 128; break;
    case BL_CONTROL_BINARY_OFFSET: clicks = (int32_t)value - 64; break;
    default: clicks = (value & 0x40) != 0 ? -(int32_t)(value & 0x3F) : value & 0x3F; break;
    }
    float start = owns_value(source, control)
                      ? control->state.position
                      : bl_control_position(&control->control, present_value(source, control));
    return fmaxf(0, fminf(1, start + (float)clicks / 127));
}

/* Whether the message repeats the position of a switch, one that sends nothing when released. */
static bool says_again(const bl_lowered_control *control, float position) BL_NONBLOCKING {
    switch (control->control.source) {
    case BL_CONTROL_PROGRAM:
    case BL_CONTROL_NOTE: return true;
    case BL_CONTROL_CONTROLLER:
    case BL_CONTROL_FINE_CONTROLLER:
    case BL_CONTROL_NRPN: return position == control->state.heard;
    default: return false;
    }
}

/* Whether the message presses the control: it passes the middle, where a wheel rests, or is high
   again; any velocity presses a key. Bounces of a worn switch press nothing. */
static bool is_pressed(const bl_event_source *source, bl_lowered_control *control, float position,
                       int64_t time) BL_NONBLOCKING {
    bl_control_state *state = &control->state;
    bool is_high = position > (control->control.source == BL_CONTROL_NOTE ? 0 : 0.5f);
    bool is_new = is_high != state->is_high || says_again(control, position);
    bool is_steady = time >= state->bounces_until;
    if (is_new) {
        state->bounces_until = time + (int64_t)(source->sample_rate * BOUNCE);
    }
    state->is_high = is_high;
    state->heard = position;
    return is_new && is_steady && (is_high || control->control.latches);
}

/* Frames of a ramp to the control's new value: while a knob is turned, about until its next
   message, so that MIDI's 127 steps sound as one movement. A jump has a ramp length of its own. */
static uint32_t travel_time(const bl_event_source *source, bl_lowered_control *control, float value,
                            int64_t time) BL_NONBLOCKING {
    bl_control_state *state = &control->state;
    int64_t passed = time - state->moved_at;
    state->moved_at = time;
    float step = fabsf(bl_control_position(&control->control, value) -
                       bl_control_position(&control->control, state->sent));
    bl_control_source kind = control->control.source;
    bool is_turned = (kind == BL_CONTROL_CONTROLLER || kind == BL_CONTROL_PRESSURE ||
                      kind == BL_CONTROL_KEY_PRESSURE) &&
                     control->control.mode == BL_CONTROL_ABSOLUTE && state->has_moved &&
                     step < MOST_STEP && passed <= (int64_t)(source->sample_rate * MOST_SPACING);
    uint32_t spacing = is_turned ? (uint32_t)passed : 0, last = is_turned ? state->spacing : 0;
    state->spacing = spacing > last ? spacing : last - (last - spacing) / 4;
    uint32_t least = source->ramp_duration;
    return state->spacing > least ? state->spacing : least;
}

static void move(bl_event_source *source, bl_lowered_control *control,
                 const bl_control_reading *reading, bool pressed, int64_t time) BL_NONBLOCKING {
    const bl_control *description = &control->control;
    float value;
    if (description->mode == BL_CONTROL_TOGGLE) {
        if (!pressed) {
            return;
        }
        float present = present_value(source, control);
        bool is_nearer_to = fabsf(present - description->to) < fabsf(present - description->from);
        value = is_nearer_to ? description->from : description->to;
    } else if (description->mode == BL_CONTROL_ABSOLUTE) {
        if (description->picks_up && !has_picked_up(source, control, reading->position)) {
            return;
        }
        value = bl_control_value(description, reading->position);
    } else {
        control->state.position = turned(source, control, reading->value);
        value = bl_control_value(description, control->state.position);
    }
    uint32_t travel = travel_time(source, control, value, time);
    control->state.has_moved = true;
    /* The ramps of one movement join in a line. */
    bool is_line = control->state.spacing > 0;
    bl_parameter_event change = {description->address, value, travel, is_line};
    control->state.sent = bl_event_source_set(source, control->receiver, change, time, true);
}

/* The last control of mode BL_CONTROL_CALL for a message, or UINT32_MAX. */
static uint32_t find_called(bl_control_table *table, uint32_t port,
                            const uint8_t *bytes) BL_NONBLOCKING {
    uint32_t called = UINT32_MAX;
    for (uint32_t index = 0; index < table->control_count; index += 1) {
        bl_lowered_control *control = &table->controls[index];
        bl_control_reading reading;
        if (control->control.mode == BL_CONTROL_CALL &&
            bl_control_read(table, control, port, bytes, &reading)) {
            called = index;
        }
    }
    return called;
}

bool bl_controls_apply(bl_event_source *source, uint32_t port,
                       const bl_event *event) BL_NONBLOCKING {
    bl_control_table *table = &source->plan->controls;
    const uint8_t *bytes = event->midi.bytes;
    if (port >= table->port_count || event->type != BL_EVENT_MIDI ||
        bytes[0] >= BL_SYSTEM_EXCLUSIVE) {
        return false;
    }
    if ((bytes[0] & 0xF0) == BL_CONTROLLER) {
        bl_control_select(table, port, bytes);
    }
    uint32_t called =
        (bytes[0] & 0xF0) == BL_PROGRAM ? find_called(table, port, bytes) : UINT32_MAX;
    if (called != UINT32_MAX) {
        source->observer.pressed(source->observer.context, called, event->sample_time);
        return true;
    }
    /* One message recalls one scene, that of its last control. */
    uint32_t recalling = UINT32_MAX;
    for (uint32_t index = 0; index < table->control_count; index += 1) {
        bl_lowered_control *control = &table->controls[index];
        bl_control_mode mode = control->control.mode;
        bl_control_reading reading;
        if (!bl_control_read(table, control, port, bytes, &reading)) {
            continue;
        }
        bool pressed = is_pressed(source, control, reading.position, event->sample_time);
        if (mode < BL_CONTROL_RECALL) {
            move(source, control, &reading, pressed, event->sample_time);
        } else if (pressed && mode == BL_CONTROL_RECALL) {
            recalling = index;
        } else if (pressed) {
            if (mode == BL_CONTROL_PANIC) {
                bl_midi_end_received(source, NULL, (bl_midi_end){event->sample_time, true});
            }
            source->observer.pressed(source->observer.context, index, event->sample_time);
        }
    }
    if (recalling != UINT32_MAX) {
        recall(source, table->controls[recalling].control.scene, event->sample_time);
        source->observer.pressed(source->observer.context, recalling, event->sample_time);
    }
    return false;
}
