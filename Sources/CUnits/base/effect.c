#include "base/effect.h"

#include "dsp/decibels.h"
#include "dsp/declick.h"

void bl_change_declicked(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    bl_ramp *ramp = bl_kit_ramp(base, event->parameter.address);
    uint32_t index = BL_PARAMETER_INDEX(event->parameter.address);
    if (io != NULL && ramp != NULL && base->descriptor->parameters[index].unit == BL_UNIT_BOOLEAN) {
        bl_declick(ramp, event->parameter.value, base->sample_rate);
    } else {
        bl_kit_apply(unit, event);
    }
}

BL_VECTOR_CLONES void bl_multiply_by_fader(float *const *input, float *const *output,
                                           uint32_t channels, uint32_t first_frame, uint32_t frames,
                                           bl_ramp *decibels) BL_NONBLOCKING {
    float factors[BL_CHUNK_FRAMES];
    for (uint32_t done = 0, count; done < frames; done += count) {
        count = bl_fewer(frames - done, BL_CHUNK_FRAMES);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            factors[frame] = bl_fader_gain(bl_ramp_value(decibels, frame));
        }
        bl_ramp_advance(decibels, count);
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            bl_multiply_channel(input[channel] + first_frame + done,
                                output[channel] + first_frame + done, count, factors);
        }
    }
}
