/* Gain: changes the level of the sound. */
#include "base/effect.h"
#include "dsp/decibels.h"

static const bl_parameter_info parameters[] = {
    BL_KNOB("gain", "Gain", DECIBELS, LINEAR, BL_FADER_MINIMUM, 24, 0, 1),
};

typedef struct gain_unit {
    bl_unit_base base;
    float factor; /* used while the parameter rests */
} gain_unit;

BL_INLINE void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                       uint32_t frames) BL_NONBLOCKING {
    gain_unit *gain = (gain_unit *)unit;
    uint32_t channels = gain->base.output_channel_count;
    bl_ramp *decibels = gain->base.parameters;
    if (bl_ramp_is_moving(decibels)) {
        bl_multiply_by_fader(io->input, io->output, channels, first_frame, frames, decibels);
        return;
    }
    if (gain->base.stale) {
        gain->factor = bl_fader_gain(decibels->target);
        gain->base.stale = false;
    }
    bl_multiply(io, channels, first_frame, frames, gain->factor);
}

BL_VECTOR_KIT(gain_unit, .process = process)

const bl_unit_descriptor bl_gain = {
    BL_EFFECT('g', 'a', 'i', 'n'),
    .name = "Gain",
    BL_TAGS("Level", "Utility"),
    .summary = "Makes the sound louder or softer; silent at the bottom of its range",
};
