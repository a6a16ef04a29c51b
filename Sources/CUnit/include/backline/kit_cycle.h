/* The less frequent work of a kit unit while it renders. See kit.h. */
#ifndef BACKLINE_KIT_CYCLE_H
#define BACKLINE_KIT_CYCLE_H

#include "kit_life.h"
#include "kit_parameters.h"

/* The reason why the unit cannot render this cycle. [render] */
BL_KIT_FUNCTION bl_status bl_kit_refusal(const bl_unit_base *base, uint32_t frames) BL_NONBLOCKING {
    return base->maximum_frames == 0       ? BL_ERROR_NOT_ALLOCATED
           : frames > base->maximum_frames ? BL_ERROR_TOO_MANY_FRAMES
                                           : BL_ERROR_NO_SUCH_ELEMENT;
}

/* Fetches an input bus that the host has not provided; it has no channels if it is optional and not
   connected. `output` is offered as memory if the bus has none. [render] */
static inline bl_status bl_kit_pull(bl_unit_base *base, const bl_render_host *host, uint32_t flags,
                                    const bl_timestamp *timestamp, uint32_t frames, uint32_t bus,
                                    float *const *output) BL_NONBLOCKING {
    const bl_kit_port *port = &base->ports[bus];
    bl_buffers *input = &base->inputs[bus];
    input->channel_count = port->channel_count;
    input->channels = port->pointers;
    for (uint32_t channel = 0; channel < port->channel_count; channel += 1) {
        port->pointers[channel] = port->memory ? port->memory[channel] : output[channel];
    }
    bl_status status = host->pull_input(host->context, flags, timestamp, frames, bus, input);
    if (status == BL_ERROR_NO_CONNECTION && port->is_optional) {
        input->channel_count = 0;
        input->channels = NULL;
    }
    return status == BL_ERROR_NO_CONNECTION ? BL_OK : status;
}

/* Fetches all input busses. [render] */
BL_KIT_FUNCTION bl_status bl_kit_pull_all(bl_unit_base *base, const bl_render_host *host,
                                          uint32_t flags, const bl_timestamp *timestamp,
                                          uint32_t frames, float *const *output) BL_NONBLOCKING {
    bl_status status = BL_OK;
    for (uint32_t bus = 0; status == BL_OK && bus < base->pulled_bus_count; bus += 1) {
        if (host->inputs != NULL && host->inputs[bus].channels != NULL) {
            base->inputs[bus] = host->inputs[bus];
        } else {
            status = bl_kit_pull(base, host, flags, timestamp, frames, bus, output);
        }
    }
    return status;
}

/* Lets the unit handle an event; seldom called, and so not inlined into render. [render] */
BL_KIT_FUNCTION void bl_kit_handle(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    const bl_kit *kit = base->kit;
    if (bl_event_is_parameter(event)) {
        base->stale = true;
        if (kit->change) {
            kit->change(unit, io, event);
        } else {
            bl_kit_apply(unit, event);
        }
    } else if (event->type == BL_EVENT_MIDI) {
        if (kit->midi && bl_midi_event_is_whole(&event->midi)) {
            io->note_id = event->note_id;
            kit->midi(unit, io, &event->midi);
        }
    } else if (event->type == BL_EVENT_NOTE_EXPRESSION) {
        if (kit->express) {
            kit->express(unit, io, &event->expression);
        }
    } else if (event->type == BL_EVENT_SYSTEM_EXCLUSIVE &&
               (base->descriptor->flags & BL_UNIT_MIDI_OUTPUT) != 0) {
        io->host->send_midi(io->host->context, io->now, 0, event->system_exclusive.length,
                            event->system_exclusive.data);
    }
}

/* Whether an earlier call in this cycle has rendered all output busses; otherwise this call renders
   them. [render] */
BL_KIT_FUNCTION bool bl_kit_has_rendered(bl_unit_base *base, const bl_timestamp *timestamp,
                                         uint32_t frames, uint32_t bus) BL_NONBLOCKING {
    bool has_rendered = base->rendered_time == timestamp->sample_time &&
                        base->rendered_frames == frames && base->rendered_bus < bus;
    base->rendered_time = timestamp->sample_time;
    base->rendered_frames = frames;
    base->rendered_bus = bus;
    return has_rendered;
}

/* Notifies the host if latency or tail has changed, as a property may change them. [render] */
BL_KIT_FUNCTION void bl_kit_follow_times(bl_unit *unit, const bl_render_host *host,
                                         int64_t time) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    const bl_unit_descriptor *descriptor = base->descriptor;
    uint32_t latency = descriptor->latency ? descriptor->latency(unit) : 0;
    double tail_time = descriptor->tail_time ? descriptor->tail_time(unit) : 0;
    if (latency != base->notified_latency || tail_time != base->notified_tail_time) {
        base->notified_latency = latency;
        base->notified_tail_time = tail_time;
        bl_notify_times(host, time);
    }
}

/* Copies one of several output busses out of the unit's own memory; all are rendered in the first
   call of a cycle. [render] */
BL_KIT_FUNCTION bl_status bl_kit_answer(const bl_unit_base *base, uint32_t bus,
                                        bl_buffers *output) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *own = base->outputs[bus].channels[channel];
        if (output->channels[channel] == NULL) {
            output->channels[channel] = own;
        } else {
            memcpy(output->channels[channel], own, base->rendered_frames * sizeof(float));
        }
    }
    return base->rendered_status;
}

#endif
