/* Values that all channels share in a stretch of frames in which nothing starts or ends. */
#pragma once

#include "delay/delay_head.h"
#include "dsp/decibels.h"
#include "dsp/equal_power.h"
#include "dsp/log2.h"

/* Attack and release of the ducking's envelope, seconds. */
#define BL_DELAY_DUCK_ATTACK 0.005
#define BL_DELAY_DUCK_RELEASE 0.25

typedef struct bl_delay_values {
    uint32_t first_frame; /* offset in the cycle */
    uint32_t frames;
    bl_delay_places places;
    bool crosses, freezes, diffuses, reverses;
    float feedback[BL_DELAY_STRETCH]; /* factors */
    float dry[BL_DELAY_STRETCH];      /* level of the input in the output */
    float wet[BL_DELAY_STRETCH];      /* level of the echoes */
    float crossing[BL_DELAY_STRETCH]; /* share of ping-pong */
    float frozen[BL_DELAY_STRETCH];   /* share of the unchanged, frozen loop */
    float incoming[BL_DELAY_STRETCH]; /* share of the position that fades in */
} bl_delay_values;

/* Attenuates the echoes while the input is loud: not up to -50 dBFS, by all of `duck` from -20 dBFS
   on, and linearly between. */
BL_INLINE void bl_delay_duck(bl_delay_unit *delay, float *const *input,
                             bl_delay_values *now) BL_NONBLOCKING {
    const bl_ramp *depth = &delay->base.parameters[DUCK];
    if (!bl_ramp_is_moving(depth) && depth->target <= 0) {
        return;
    }
    float attack = (float)(1 / (BL_DELAY_DUCK_ATTACK * delay->base.sample_rate));
    float release = (float)(1 / (BL_DELAY_DUCK_RELEASE * delay->base.sample_rate));
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float peak = 1e-10f;
        for (uint32_t channel = 0; channel < delay->base.output_channel_count; channel += 1) {
            float sample = input[channel][now->first_frame + frame];
            peak = sample > peak ? sample : -sample > peak ? -sample : peak;
        }
        float away = peak - delay->loudness;
        delay->loudness += (away > 0 ? attack : release) * away;
        float decibels = 6.0205999f * bl_log2(delay->loudness + 1e-10f);
        float share = (decibels + 50) * (1.0f / 30);
        share = share > 0 ? share : 0;
        share = share < 1 ? share : 1;
        now->wet[frame] *= bl_decibels_to_gain(-bl_ramp_value(depth, frame) * share);
    }
}

/* Fills in the values of the stretch. Between two positions the loop crossfades linearly, as it
   must not gain; its output at equal power. */
BL_INLINE void bl_delay_prepare(bl_delay_unit *delay, float *const *input,
                                bl_delay_values *now) BL_NONBLOCKING {
    const bl_ramp *parameters = delay->base.parameters;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->feedback[frame] = bl_ramp_value(&parameters[FEEDBACK], frame) * 0.01f;
        bl_shares mix = bl_equal_power(bl_ramp_value(&parameters[MIX], frame));
        float level = bl_decibels_to_gain(bl_ramp_value(&parameters[LEVEL], frame));
        now->wet[frame] = level * mix.wet;
        now->dry[frame] = level * mix.dry;
        now->crossing[frame] = bl_ramp_value(&parameters[PING_PONG], frame);
    }
    now->crosses = bl_delay_uses(delay, PING_PONG);
    now->freezes = bl_delay_uses(delay, FREEZE);
    for (uint32_t frame = 0; now->freezes && frame < now->frames; frame += 1) {
        now->frozen[frame] = bl_ramp_value(&parameters[FREEZE], frame);
    }
    now->diffuses = bl_delay_uses(delay, DIFFUSION);
    now->reverses = bl_delay_uses(delay, REVERSE);
    for (uint32_t frame = 0; delay->fade.left > 0 && frame < now->frames; frame += 1) {
        float incoming = bl_crossfade_done(&delay->fade, frame);
        now->incoming[frame] = incoming;
        float power = 1 - 2 * incoming * (1 - incoming);
        now->wet[frame] /= __builtin_elementwise_sqrt(power);
    }
    bl_delay_duck(delay, input, now);
}
