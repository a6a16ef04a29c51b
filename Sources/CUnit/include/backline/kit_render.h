/* The render function of a kit unit: the layer between the contract of unit.h and the kit's
   functions. See kit.h. */
#ifndef BACKLINE_KIT_RENDER_H
#define BACKLINE_KIT_RENDER_H

#include "kit_functions.h"

/* Whether the host's table of inputs provides all busses. [render] */
BL_INLINE bool bl_kit_are_ready(const bl_unit_base *base,
                                const bl_render_host *host) BL_NONBLOCKING {
    bool are_ready = base->has_all_inputs && (base->pulled_bus_count == 0 || host->inputs != NULL);
    for (uint32_t bus = 0; are_ready && bus < base->pulled_bus_count; bus += 1) {
        are_ready = host->inputs[bus].channels != NULL;
    }
    return are_ready;
}

/* Updates the duration of a quarter note, seconds, if the host has a plausible tempo. [render] */
BL_INLINE void bl_kit_follow_tempo(bl_unit_base *base,
                                   const bl_musical_context *music) BL_NONBLOCKING {
    double quarter = 60 / music->tempo * music->time_signature_denominator / 4;
    base->quarter = quarter > 1e-3 && quarter < 1e3 ? quarter : base->quarter;
}

/* Starts a cycle: output memory, input, time. False: the call is complete, with io->status. The
   arguments after the unit are those of the descriptor's `render`. [render] */
BL_INLINE bool bl_kit_begin(bl_io *io, const bl_kit *kit, bl_unit *unit, uint32_t flags,
                            const bl_timestamp *timestamp, uint32_t frames, uint32_t bus,
                            bl_buffers *output, const bl_render_host *host) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    if (frames > base->maximum_frames || bus >= base->answered_bus_count) {
        io->status = bl_kit_refusal(base, frames);
        return false;
    }
    if (base->answered_bus_count > 1) {
        if (bl_kit_has_rendered(base, timestamp, frames, bus)) {
            io->status = bl_kit_answer(base, bus, output);
            return false;
        }
        output = base->outputs;
    }
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        if (output->channels[channel] == NULL) {
            output->channels[channel] = base->outputs[0].channels[channel];
        }
    }
    bl_io begun = {host->inputs,
                   output,
                   NULL,
                   output->channels,
                   host,
                   flags,
                   frames,
                   timestamp->sample_time,
                   timestamp->sample_time,
                   BL_OK,
                   0};
    *io = begun;
    if (!bl_kit_are_ready(base, host)) {
        io->status = bl_kit_pull_all(base, host, flags, timestamp, frames, output->channels);
        if (io->status != BL_OK) {
            base->rendered_status = io->status;
            return false;
        }
        io->inputs = base->inputs;
    }
    io->input = base->pulled_bus_count > 0 ? io->inputs[0].channels : NULL;
    if (host->musical_context != NULL) {
        bl_kit_follow_tempo(base, host->musical_context);
    }
    if (kit->cycle) {
        kit->cycle(unit, io);
    }
    return true;
}

/* Handles the events that are due, then finds the frames until the next; false when none are left.
   [render] */
BL_INLINE bool bl_kit_next(bl_unit *unit, bl_io *io, bl_segment *segment) BL_NONBLOCKING {
    if (!bl_segment_next(segment)) {
        return false;
    }
    io->now = io->time + segment->first_frame;
    for (const bl_event *event = segment->events; event != segment->events_end;
         event = event->next) {
        bl_kit_handle(unit, io, event);
    }
    return true;
}

/* Ends the cycle, and returns the output bus that was asked for. Takes no bl_io, so that the
   cycle's stays in registers. [render] */
BL_INLINE bl_status bl_kit_end(bl_unit *unit, bl_status status, uint32_t bus, bl_buffers *output,
                               const bl_render_host *host, int64_t time) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    if (base->has_properties) {
        bl_kit_follow_times(unit, host, time);
    }
    if (base->answered_bus_count > 1) {
        base->rendered_status = status;
        return bl_kit_answer(base, bus, output);
    }
    return status;
}

#endif
