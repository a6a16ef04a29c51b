/* How a unit that has a kit renders: what stands between the contract of unit.h and the kit's
   functions. See kit.h. */
#ifndef BACKLINE_KIT_RENDER_H
#define BACKLINE_KIT_RENDER_H

#include "kit_functions.h"

/* Whether the host's own table of inputs has all busses. [render] */
BL_INLINE bool bl_kit_are_ready(const bl_unit_base *base,
                                const bl_render_host *host) BL_NONBLOCKING {
    bool are_ready = base->has_all_inputs && (base->pulled_bus_count == 0 || host->inputs != NULL);
    for (uint32_t bus = 0; are_ready && bus < base->pulled_bus_count; bus += 1) {
        are_ready = host->inputs[bus].channels != NULL;
    }
    return are_ready;
}

/* The seconds of a quarter note, where the host has a plausible tempo. [render] */
BL_INLINE void bl_kit_follow_tempo(bl_unit_base *base,
                                   const bl_musical_context *music) BL_NONBLOCKING {
    double quarter = 60 / music->tempo * music->time_signature_denominator / 4;
    base->quarter = quarter > 1e-3 && quarter < 1e3 ? quarter : base->quarter;
}

/* Cuts a cycle at its events; answers the status. The cycle is a copy, so that one without events
   stays in registers. [render] */
BL_INLINE bl_status bl_kit_cut(const bl_kit *kit, bl_unit *unit, bl_io io,
                               const bl_timestamp *timestamp,
                               const bl_event *events) BL_NONBLOCKING {
    bl_segment segment = bl_segment_begin(timestamp, io.frames, events);
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
    return io.status;
}

/* The rest of `render`; the arguments after the unit are those of the descriptor's. [render] */
BL_INLINE bl_status bl_kit_render(const bl_kit *kit, bl_unit *unit, uint32_t flags,
                                  const bl_timestamp *timestamp, uint32_t frames, uint32_t bus,
                                  bl_buffers *output, const bl_event *events,
                                  const bl_render_host *host) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    bl_buffers *answer = output;
    if (frames > base->maximum_frames || bus >= base->answered_bus_count) {
        return bl_kit_refusal(base, frames);
    }
    if (base->answered_bus_count > 1) {
        if (bl_kit_has_rendered(base, timestamp, frames, bus)) {
            return bl_kit_answer(base, bus, answer);
        }
        output = base->outputs;
    }
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        if (output->channels[channel] == NULL) {
            output->channels[channel] = base->outputs[0].channels[channel];
        }
    }
    bl_io io = {host->inputs,
                output,
                NULL,
                output->channels,
                host,
                flags,
                frames,
                timestamp->sample_time,
                timestamp->sample_time,
                BL_OK};
    if (!bl_kit_are_ready(base, host)) {
        bl_status status = bl_kit_pull_all(base, host, flags, timestamp, frames, output->channels);
        if (status != BL_OK) {
            base->rendered_status = status;
            return status;
        }
        io.inputs = base->inputs;
    }
    io.input = base->pulled_bus_count > 0 ? io.inputs[0].channels : NULL;
    if (host->musical_context != NULL) {
        bl_kit_follow_tempo(base, host->musical_context);
    }
    if (kit->cycle) {
        kit->cycle(unit, &io);
    }
    if (events != NULL) {
        io.status = bl_kit_cut(kit, unit, io, timestamp, events);
    } else if (kit->process) {
        kit->process(unit, &io, 0, frames);
    }
    if (base->answered_bus_count > 1) {
        base->rendered_status = io.status;
        return bl_kit_answer(base, bus, answer);
    }
    return io.status;
}

#endif
