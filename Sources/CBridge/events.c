/* Passes events and host controls to a plug-in, and sends its MIDI. */
#include "instance.h"
#include "range.h"

static void add_midi(bl_instance *self, uint32_t cable, uint32_t frame, const uint8_t *bytes,
                     uint32_t length) BL_NONBLOCKING {
    for (uint32_t index = 0; index < self->event_input_count; index += 1) {
        bl_event_port *events = &self->event_inputs[index];
        if (events->port->has_midi && events->port->cable == cable) {
            bl_event_port_add(events, frame, self->urids->midi_event, bytes, length);
        }
    }
}

static void press(bl_instance *self, uint32_t index) BL_NONBLOCKING {
    const bl_plug_in_parameter *parameter = &self->plug_in->parameters[index];
    self->controls[parameter->port] = bl_range_to_port(parameter, 1, self->sample_rate);
    self->is_pressed[index] = true;
    self->has_pressed = true;
}

static void apply_parameter(bl_instance *self, const bl_event *event,
                            uint32_t frame) BL_NONBLOCKING {
    bl_parameter_address address = event->parameter.address;
    if (address >= self->plug_in->descriptor.parameter_count) {
        return;
    }
    uint32_t index = (uint32_t)address;
    const bl_plug_in_parameter *parameter = &self->plug_in->parameters[index];
    if (parameter->is_momentary) {
        if (event->parameter.value >= 0.5f) {
            press(self, index);
        }
    } else if (parameter->is_input) {
        bl_ramp_apply(&self->ramps[index], event);
        if (bl_ramp_is_moving(&self->ramps[index])) {
            self->ramp_count += 1;
        } else {
            bl_instance_set(self, index, event->parameter.value);
        }
    }
    if (parameter->key != 0 && parameter->is_input) {
        self->is_set[index] = true;
        bl_patch_set(self, index, frame);
    }
}

void bl_instance_apply_event(bl_instance *self, const bl_event *event,
                             uint32_t frame) BL_NONBLOCKING {
    if (bl_event_is_parameter(event)) {
        apply_parameter(self, event, frame);
    } else if (event->type == BL_EVENT_MIDI) {
        if (bl_midi_event_is_whole(&event->midi)) {
            add_midi(self, event->midi.cable, frame, event->midi.bytes, event->midi.length);
        }
    } else if (event->type == BL_EVENT_SYSTEM_EXCLUSIVE) {
        const bl_system_exclusive_event *exclusive = &event->system_exclusive;
        if (bl_midi_is_whole_message(exclusive->data, exclusive->length)) {
            add_midi(self, exclusive->cable, frame, exclusive->data, exclusive->length);
        }
    }
}

void bl_instance_move_ramps(bl_instance *self, uint32_t frames) BL_NONBLOCKING {
    self->ramp_count = 0;
    for (uint32_t index = 0; index < self->plug_in->descriptor.parameter_count; index += 1) {
        bl_ramp *ramp = &self->ramps[index];
        if (bl_ramp_is_moving(ramp)) {
            bl_ramp_advance(ramp, frames);
            bl_instance_set(self, index, bl_ramp_value(ramp, 0));
            self->ramp_count += bl_ramp_is_moving(ramp);
        }
    }
}

/* Sets the ports that follow the host. */
static void set_host_controls(bl_instance *self, uint32_t flags,
                              const bl_render_host *host) BL_NONBLOCKING {
    const bl_transport_state *transport = host->transport_state;
    for (uint32_t port = 0; port < self->plug_in->port_count; port += 1) {
        switch (self->plug_in->ports[port].role) {
        case BL_ROLE_ENABLED: self->controls[port] = (flags & BL_RENDER_BYPASSED) == 0; break;
        case BL_ROLE_FREE_WHEELING:
            self->controls[port] = (flags & (BL_RENDER_OFFLINE | BL_RENDER_MAY_WAIT)) != 0;
            break;
        case BL_ROLE_TEMPO:
            if (host->musical_context != NULL) {
                self->controls[port] = (float)host->musical_context->tempo;
            }
            break;
        case BL_ROLE_SPEED:
            self->controls[port] =
                transport != NULL && (transport->flags & BL_TRANSPORT_MOVING) != 0;
            break;
        default: break;
        }
    }
}

static bool is_told(const bl_instance *self, const bl_musical_context *music,
                    const bl_transport_state *transport) BL_NONBLOCKING {
    bool moves = transport != NULL && (transport->flags & BL_TRANSPORT_MOVING) != 0;
    bool jumped = transport != NULL && (transport->flags & BL_TRANSPORT_CHANGED) != 0;
    return self->knows_position && !jumped && self->told_moving == moves &&
           (music == NULL || (self->told_tempo == music->tempo &&
                              self->told_metre == music->time_signature_numerator &&
                              self->told_unit == music->time_signature_denominator));
}

void bl_instance_write_time(bl_instance *self, uint32_t flags, uint32_t frame,
                            const bl_render_host *host) BL_NONBLOCKING {
    const bl_musical_context *music = host->musical_context;
    const bl_transport_state *transport = host->transport_state;
    if (self->plug_in->follows_host) {
        set_host_controls(self, flags, host);
    }
    if (!self->has_position || (music == NULL && transport == NULL) ||
        is_told(self, music, transport)) {
        return;
    }
    self->knows_position = true;
    self->told_moving = transport != NULL && (transport->flags & BL_TRANSPORT_MOVING) != 0;
    if (music != NULL) {
        self->told_tempo = music->tempo;
        self->told_metre = music->time_signature_numerator;
        self->told_unit = music->time_signature_denominator;
    }
    uint8_t bytes[256];
    uint32_t size = bl_write_position(bytes, self->urids, music, transport);
    for (uint32_t index = 0; index < self->event_input_count; index += 1) {
        if (self->event_inputs[index].port->has_position) {
            bl_event_port_add(&self->event_inputs[index], frame, self->urids->atom_object, bytes,
                              size);
        }
    }
}

/* Returns the output whose next message is the earliest; NULL if none has one before `end`. */
static bl_event_port *earliest(bl_instance *self, uint32_t end) BL_NONBLOCKING {
    bl_event_port *found = NULL;
    for (uint32_t index = 0; index < self->event_output_count; index += 1) {
        bl_event_port events = self->event_outputs[index];
        const uint8_t *bytes = NULL;
        uint32_t frame = 0, size = 0;
        if (events.port->has_midi &&
            bl_event_port_pop(&events, self->urids, end, &frame, &bytes, &size)) {
            found = &self->event_outputs[index];
            end = frame;
        }
    }
    return found;
}

void bl_instance_send_midi(bl_instance *self, int64_t start, uint32_t end,
                           const bl_render_host *host) BL_NONBLOCKING {
    /* A cycle has room for no more messages. */
    for (uint32_t count = 0; count < 1024; count += 1) {
        bl_event_port *events = earliest(self, end);
        const uint8_t *bytes = NULL;
        uint32_t frame = 0, size = 0;
        if (events == NULL || !bl_event_port_pop(events, self->urids, end, &frame, &bytes, &size)) {
            return;
        }
        host->send_midi(host->context, start + frame, (uint8_t)events->port->cable, size, bytes);
    }
}
