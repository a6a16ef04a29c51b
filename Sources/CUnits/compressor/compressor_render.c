/* The compressor's sound. A feed-forward compressor whose detector works in decibels, with a soft
 * knee and a smooth, decoupled peak detector: Giannoulis, Massberg and Reiss, "Digital Dynamic
 * Range Compressor Design", J. Audio Eng. Soc. 60 (6), 2012; equations 4, 17 and 23. */
#include "compressor/compressor.h"
#include "dsp/decibels.h"
#include "dsp/log2.h"

/* dB in an octave of level: 20 log10(2). */
#define DECIBELS_PER_OCTAVE 6.02059991328f
/* Quieter than anything that a threshold asks for, and still a normal number. */
#define FLOOR 1e-10f

/* The level of the loudest channel, so that the stereo image stands. dB */
BL_INLINE void fill_levels(const compressor_unit *compressor, uint32_t first, float *levels,
                           uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        levels[frame] = FLOOR;
    }
    for (uint32_t channel = 0; channel < compressor->key_count; channel += 1) {
        const float *key = compressor->keys[channel] + first;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float magnitude = __builtin_fabsf(key[frame]);
            levels[frame] = magnitude > levels[frame] ? magnitude : levels[frame];
        }
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        levels[frame] = bl_log2(levels[frame]) * DECIBELS_PER_OCTAVE;
    }
}

/* From levels to the reduction that the static curve asks for: nothing below the knee, (1 - 1/R)
   of what is above the threshold beyond it, a parabola between. dB */
BL_INLINE void fill_reductions(const bl_ramp *ramps, float *levels,
                               uint32_t frames) BL_NONBLOCKING {
    bl_ramp threshold = ramps[PARAMETER_THRESHOLD];
    bl_ramp ratio = ramps[PARAMETER_RATIO];
    bl_ramp knee = ramps[PARAMETER_KNEE];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float width = bl_ramp_value(&knee, frame);
        float over = levels[frame] - bl_ramp_value(&threshold, frame);
        float inside = over + 0.5f * width;
        inside = inside > 0.0f ? inside : 0.0f;
        inside = inside < width ? inside : width;
        float beyond = over - 0.5f * width;
        beyond = beyond > 0.0f ? beyond : 0.0f;
        float bent = inside * inside / (2.0f * width + 1e-9f);
        levels[frame] = (1.0f - 1.0f / bl_ramp_value(&ratio, frame)) * (bent + beyond);
    }
}

/* exp(-1 / (time · rate)) for times in ms. */
BL_INLINE void fill_coefficients(const bl_ramp *time, float scale, float *coefficients,
                                 uint32_t frames) BL_NONBLOCKING {
    bl_ramp ramp = *time;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        coefficients[frame] = bl_exp2(scale / bl_ramp_value(&ramp, frame));
    }
}

/* Attack and release: rises at the attack's pace, falls at the release's, without a step at the
   turn. */
BL_INLINE void detect(compressor_unit *compressor, const float *attacks, const float *releases,
                      float *reductions, uint32_t frames) BL_NONBLOCKING {
    float released = compressor->released;
    float reduction = compressor->reduction;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float asked = reductions[frame];
        float falling = releases[frame] * released + (1.0f - releases[frame]) * asked;
        released = asked > falling ? asked : falling;
        reduction = attacks[frame] * reduction + (1.0f - attacks[frame]) * released;
        reductions[frame] = reduction;
    }
    compressor->released = released;
    compressor->reduction = reduction;
}

/* Turns reductions (dB) into factors for the input, with make-up gain and mix. */
BL_INLINE void fill_factors(const bl_ramp *ramps, float *reductions,
                            uint32_t frames) BL_NONBLOCKING {
    bl_ramp make_up = ramps[PARAMETER_MAKE_UP];
    bl_ramp mix = ramps[PARAMETER_MIX];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float gain = bl_decibels_to_gain(bl_ramp_value(&make_up, frame) - reductions[frame]);
        reductions[frame] = 1.0f + 0.01f * bl_ramp_value(&mix, frame) * (gain - 1.0f);
    }
}

BL_VECTOR_CLONES
void compressor_process(bl_unit *unit, float *const *input, float *const *output,
                        uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    compressor_unit *compressor = (compressor_unit *)unit;
    bl_ramp *ramps = compressor->base.parameters;
    float factors[BL_CHUNK_FRAMES];
    float attacks[BL_CHUNK_FRAMES];
    float releases[BL_CHUNK_FRAMES];
    for (uint32_t done = 0; done < frames; done += BL_CHUNK_FRAMES) {
        uint32_t count = frames - done < BL_CHUNK_FRAMES ? frames - done : BL_CHUNK_FRAMES;
        uint32_t first = first_frame + done;
        fill_levels(compressor, first, factors, count);
        fill_reductions(ramps, factors, count);
        fill_coefficients(&ramps[PARAMETER_ATTACK], compressor->time_scale, attacks, count);
        fill_coefficients(&ramps[PARAMETER_RELEASE], compressor->time_scale, releases, count);
        detect(compressor, attacks, releases, factors, count);
        fill_factors(ramps, factors, count);
        for (uint32_t channel = 0; channel < compressor->base.output_channel_count; channel += 1) {
            bl_multiply_channel(input[channel] + first, output[channel] + first, count, factors);
        }
        for (uint32_t index = 0; index < PARAMETER_COUNT; index += 1) {
            bl_ramp_advance(&ramps[index], count);
        }
    }
}
