/* Gain: makes the sound louder or softer. */
#include "base/built_in.h"
#include "base/effect.h"
#include "dsp/decibels.h"

enum { PARAMETER_GAIN, PARAMETER_COUNT };

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PARAMETER_GAIN] = {"gain", NULL, "Gain", BL_UNIT_DECIBELS, BL_FADER_MINIMUM, 24, 0,
                        BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
};

typedef struct gain_unit {
    bl_unit_base base;
    float factor;      /* while the parameter stands still */
    bool factor_known; /* false after each change */
} gain_unit;

BL_CREATE(gain_unit)

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_unit_base_set_parameter(unit, address, value);
    ((gain_unit *)unit)->factor_known = false;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    gain_unit *gain = (gain_unit *)unit;
    bl_unit_base_finish_ramps(&gain->base);
    gain->factor_known = false;
}

static void apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    gain_unit *gain = (gain_unit *)unit;
    bl_unit_base_apply(&gain->base, event);
    gain->factor_known = false;
}

static BL_VECTOR_CLONES void process_moving(gain_unit *gain, float *const *input,
                                            float *const *output, uint32_t first_frame,
                                            uint32_t frames) BL_NONBLOCKING {
    bl_ramp *ramp = &gain->base.parameters[PARAMETER_GAIN];
    float factors[BL_CHUNK_FRAMES];
    for (uint32_t done = 0; done < frames; done += BL_CHUNK_FRAMES) {
        uint32_t count = frames - done < BL_CHUNK_FRAMES ? frames - done : BL_CHUNK_FRAMES;
        for (uint32_t frame = 0; frame < count; frame += 1) {
            factors[frame] = bl_fader_gain(bl_ramp_value(ramp, frame));
        }
        bl_ramp_advance(ramp, count);
        for (uint32_t channel = 0; channel < gain->base.output_channel_count; channel += 1) {
            bl_multiply_channel(input[channel] + first_frame + done,
                                output[channel] + first_frame + done, count, factors);
        }
    }
    gain->factor_known = false;
}

/* Compiled for the processor, as process_moving is: the same bits, also where a compiler does not
   inline. */
static BL_VECTOR_CLONES void learn_factor(gain_unit *gain) BL_NONBLOCKING {
    gain->factor = bl_fader_gain(gain->base.parameters[PARAMETER_GAIN].target);
    gain->factor_known = true;
}

BL_INLINE void process(bl_unit *unit, float *const *input, float *const *output,
                       uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    gain_unit *gain = (gain_unit *)unit;
    const bl_ramp *ramp = &gain->base.parameters[PARAMETER_GAIN];
    if (bl_ramp_is_moving(ramp)) {
        process_moving(gain, input, output, first_frame, frames);
        return;
    }
    if (!gain->factor_known) {
        learn_factor(gain);
    }
    float factor = gain->factor;
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < gain->base.output_channel_count; channel += 1) {
        const float *from = input[channel] + first_frame;
        float *to = output[channel] + first_frame;
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = from[frame] * factor;
        }
    }
}

BL_VECTOR_CLONES BL_EFFECT_RENDER(apply, process)

    static const char *const tags[] = {"Level", "Utility", NULL};

const bl_unit_descriptor bl_gain = {
    BL_BUILT_IN(BL_TYPE_EFFECT, 'g', 'a', 'i', 'n'),
    .name = "Gain",
    .summary = "Makes the sound louder or softer; silent at the bottom of its range",
    BL_EFFECT_BUSSES,
    BL_UNIT_BASE_LIFE,
    .set_parameter = set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .allocate_render_resources = bl_unit_base_allocate_and_reset,
};
