/* How a unit that has a kit renders: what stands between the contract of unit.h and the kit's
   functions. See kit.h. */
#ifndef BACKLINE_KIT_RENDER_H
#define BACKLINE_KIT_RENDER_H

#include "kit_life.h"

/* Why the unit cannot render this. [render] */
BL_KIT_CALLED bl_status bl_kit_refusal(const bl_unit_base *base, uint32_t frames) BL_NONBLOCKING {
    return base->maximum_frames == 0       ? BL_ERROR_NOT_ALLOCATED
           : frames > base->maximum_frames ? BL_ERROR_TOO_MANY_FRAMES
                                           : BL_ERROR_NO_SUCH_ELEMENT;
}

/* Fetches an input bus that is not ready, without channels where an optional one is not connected.
   [render] */
BL_KIT_CALLED bl_status bl_kit_pull(bl_unit_base *base, bl_io *io, const bl_timestamp *timestamp,
                                    uint32_t bus) BL_NONBLOCKING {
    const bl_kit_port *port = &base->ports[bus];
    float *const *memory = port->memory ? port->memory : io->outputs[0].channels;
    bl_buffers *input = &base->inputs[bus];
    input->channel_count = port->channel_count;
    input->channels = port->pointers;
    for (uint32_t channel = 0; channel < port->channel_count; channel += 1) {
        port->pointers[channel] = memory[channel];
    }
    bl_status status =
        io->host->pull_input(io->host->context, io->flags, timestamp, io->frames, bus, input);
    if (status == BL_ERROR_NO_CONNECTION && port->is_optional) {
        input->channel_count = 0;
        input->channels = NULL;
    }
    return status == BL_ERROR_NO_CONNECTION ? BL_OK : status;
}

/* Lets the unit handle an event; seldom called, and so out of render's way. [render] */
BL_KIT_CALLED void bl_kit_handle(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
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
            kit->midi(unit, io, &event->midi);
        }
    } else if ((base->descriptor->flags & BL_UNIT_MIDI_OUTPUT) != 0) {
        io->host->send_midi(io->host->context, io->now, 0, event->system_exclusive.length,
                            event->system_exclusive.data);
    }
}

/* Answers one of several output busses out of the unit's own memory, where all are rendered in the
   first call of a cycle. [render] */
BL_KIT_CALLED bl_status bl_kit_answer(const bl_unit_base *base, uint32_t bus,
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

/* The seconds of a quarter note, where the host has a plausible tempo. [render] */
BL_INLINE void bl_kit_follow_tempo(bl_unit_base *base,
                                   const bl_musical_context *music) BL_NONBLOCKING {
    double quarter = 60 / music->tempo * music->time_signature_denominator / 4;
    base->quarter = quarter > 1e-3 && quarter < 1e3 ? quarter : base->quarter;
}

/* The rest of `render`; the arguments after the unit are those of the descriptor's. [render] */
BL_INLINE bl_status bl_kit_render(const bl_kit *kit, bl_unit *unit, uint32_t flags,
                                  const bl_timestamp *timestamp, uint32_t frames, uint32_t bus,
                                  bl_buffers *output, const bl_event *events,
                                  const bl_render_host *host) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    bool is_one_of_several = base->output_bus_count > 1;
    if (frames > base->maximum_frames || (bus > 0 && bus >= base->output_bus_count)) {
        return bl_kit_refusal(base, frames);
    }
    if (is_one_of_several && base->rendered_time == timestamp->sample_time &&
        base->rendered_frames == frames && base->rendered_bus < bus) {
        return bl_kit_answer(base, bus, output);
    }
    bl_io io = {base->inputs,
                is_one_of_several ? base->outputs : output,
                NULL,
                NULL,
                host,
                flags,
                frames,
                timestamp->sample_time,
                0,
                BL_OK};
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; !is_one_of_several && channel < output->channel_count;
         channel += 1) {
        if (output->channels[channel] == NULL) {
            output->channels[channel] = base->outputs[0].channels[channel];
        }
    }
    for (uint32_t index = 0; index < base->pulled_bus_count; index += 1) {
        if (host->inputs != NULL && host->inputs[index].channels != NULL) {
            base->inputs[index] = host->inputs[index];
        } else {
            io.status = bl_kit_pull(base, &io, timestamp, index);
            if (io.status != BL_OK) {
                return io.status;
            }
        }
    }
    io.input = base->pulled_bus_count > 0 ? base->inputs[0].channels : NULL;
    io.output = io.outputs[0].channels;
    if (host->musical_context != NULL) {
        bl_kit_follow_tempo(base, host->musical_context);
    }
    if (kit->cycle) {
        kit->cycle(unit, &io);
    }
    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        io.now = io.time + segment.first_frame;
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            bl_kit_handle(unit, &io, event);
        }
        if (kit->process) {
            kit->process(unit, &io, segment.first_frame, segment.frame_count);
        }
    }
    if (is_one_of_several) {
        base->rendered_time = timestamp->sample_time;
        base->rendered_frames = frames;
        base->rendered_bus = bus;
        base->rendered_status = io.status;
        return bl_kit_answer(base, bus, output);
    }
    return io.status;
}

#endif
