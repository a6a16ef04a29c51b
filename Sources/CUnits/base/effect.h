/* The render function that effects share: one input bus, one output bus, as many channels out as
   in. It pulls, cuts the cycle at its events, and leaves the sound to `process`. */
#ifndef BACKLINE_EFFECT_H
#define BACKLINE_EFFECT_H

#include "base/unit_base.h"
#include "dsp/chunk.h"
#include "dsp/note_length.h"

/* The busses of such an effect, for its descriptor; stereo unless the host sets other widths. */
#define BL_EFFECT_BUSSES                                                                           \
    .flags = BL_UNIT_CAN_PROCESS_IN_PLACE, .input_busses = bl_effect_input, .input_bus_count = 1,  \
    .output_busses = bl_effect_output, .output_bus_count = 1

static const bl_bus_info bl_effect_input[] = {{"input", 2, 0}};
static const bl_bus_info bl_effect_output[] = {{"output", 2, 0}};

/* Applies an event. [render] */
typedef void (*bl_effect_apply)(bl_unit *unit, const bl_event *event) BL_NONBLOCKING;

/* Renders `frames` frames from `first_frame` on, without an event inside; `input` may equal
   `output`, channel by channel (base.output_channel_count × frames). [render] */
typedef void (*bl_effect_process)(bl_unit *unit, float *const *input, float *const *output,
                                  uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;

/* Whether the unit can render this cycle. [render] */
BL_INLINE bl_status bl_render_check(const bl_unit_base *base, uint32_t frames,
                                    uint32_t bus) BL_NONBLOCKING {
    if (frames <= base->maximum_frames && bus == 0) {
        return BL_OK;
    }
    if (bus != 0) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    return base->maximum_frames == 0 ? BL_ERROR_NOT_ALLOCATED : BL_ERROR_TOO_MANY_FRAMES;
}

/* Multiplies a channel by `factors`, one a frame; `from` may equal `to`. [render] */
BL_INLINE void bl_multiply_channel(const float *from, float *to, uint32_t frames,
                                   const float *factors) BL_NONBLOCKING {
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        to[frame] = from[frame] * factors[frame];
    }
}

/* Cuts a cycle at its events: applies them, and processes the frames between. [render] */
BL_INLINE void bl_effect_segments(bl_unit *unit, const bl_buffers *input, const bl_buffers *output,
                                  const bl_timestamp *timestamp, uint32_t frames,
                                  const bl_event *events, bl_effect_apply apply,
                                  bl_effect_process process) BL_NONBLOCKING {
    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            apply(unit, event);
        }
        process(unit, input->channels, output->channels, segment.first_frame, segment.frame_count);
    }
}

/* Renders one cycle; the other arguments are the descriptor's render's. Where `process` is
   BL_INLINE and the render function itself has the BL_VECTOR_CLONES, a cheap unit is spared a call.
   [render] */
BL_INLINE bl_status bl_effect_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                                     uint32_t frames, uint32_t bus, bl_buffers *output,
                                     const bl_event *events, const bl_render_host *host,
                                     bl_effect_apply apply,
                                     bl_effect_process process) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    bl_status status = bl_render_check(base, frames, bus);
    if (status != BL_OK) {
        return status;
    }
    if (host->musical_context != NULL) {
        base->quarter = bl_quarter_seconds(host->musical_context);
    }
    bl_unit_base_provide_output(base, output);
    float *pointers[BL_MAXIMUM_CHANNELS];
    bl_buffers input;
    status = bl_unit_base_pull(base, host, flags, timestamp, frames, 0, output, pointers, &input);
    if (status != BL_OK && status != BL_ERROR_NO_CONNECTION) {
        return status;
    }
    bl_effect_segments(unit, &input, output, timestamp, frames, events, apply, process);
    return BL_OK;
}

/* Defines an effect's `render`. */
#define BL_EFFECT_RENDER(APPLY, PROCESS)                                                           \
    static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,          \
                            uint32_t frames, uint32_t bus, bl_buffers *output,                     \
                            const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {   \
        return bl_effect_render(unit, flags, timestamp, frames, bus, output, events, host, APPLY,  \
                                PROCESS);                                                          \
    }

#endif
