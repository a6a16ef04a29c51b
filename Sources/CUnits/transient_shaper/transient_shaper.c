/* Transient shaper: amplifies or attenuates the attacks of notes, and their sustain, whatever their
 * level.
 *
 * The level is the highest sample of the last 12.5 ms. Where it rises, a slow follower lags below
 * it; where it falls, a slow follower stays above it. Both are ratios of two levels, so they do not
 * depend on the loudness: the gain is a part of the knob's that grows with the ratio in dB and is
 * complete at FULL. (The difference of two envelopes, as in the "Transient Designer" of Ruben
 * Tilgner, SPL, 1998.)
 */
#include "base/effect.h"
#include "dsp/box_smoother.h"
#include "dsp/decibels.h"
#include "dsp/envelope.h"
#include "dsp/log2.h"
#include "dsp/sliding_maximum.h"

enum { ATTACK, SUSTAIN, ATTACK_TIME, SUSTAIN_TIME, OUTPUT, PARAMETER_COUNT };

/* The window of the highest sample, seconds: half a period of 40 Hz. */
#define WINDOW 0.0125
/* The ratio of the level to its follower at which a knob acts fully, dB. */
#define FULL 12.0f
/* The level of silence: -160 dB; and an offset that makes its logarithm positive. */
#define SILENCE 1e-8f
#define OFFSET 32.0f
/* dB per octave. */
#define OCTAVE 6.02059991328f

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [ATTACK] = BL_KNOB("attack", "Attack", DECIBELS, LINEAR, -15, 15, 0, 1),
    [SUSTAIN] = BL_KNOB("sustain", "Sustain", DECIBELS, LINEAR, -15, 15, 0, 2),
    /* The time constants of the followers. */
    [ATTACK_TIME] = BL_KNOB("attack_time", "Attack Time", MILLISECONDS, LOGARITHMIC, 2, 200, 20, 3),
    [SUSTAIN_TIME] =
        BL_KNOB("sustain_time", "Sustain Time", MILLISECONDS, LOGARITHMIC, 50, 2000, 300, 4),
    [OUTPUT] = BL_KNOB("output", "Output", DECIBELS, LINEAR, -24, 24, 0, 5),
};

#define PRESET(NAME, attack, sustain, output, ...)                                                 \
    BL_PRESET(NAME, {ATTACK, attack}, {SUSTAIN, sustain}, {OUTPUT, output}, __VA_ARGS__)

static const bl_factory_preset presets[] = {
    PRESET("Snap", 6, 0, -1, {ATTACK_TIME, 15}),
    PRESET("Tight Kit", 3, -8, 0, {SUSTAIN_TIME, 300}),
    PRESET("Bigger Room", 0, 8, -2, {SUSTAIN_TIME, 400}),
    PRESET("Dead Room", 0, -12, 1, {SUSTAIN_TIME, 500}),
    PRESET("Kick Click", 8, -4, 0, {ATTACK_TIME, 8}),
    PRESET("Soft Hands", -8, 2, 1, {ATTACK_TIME, 40}),
    PRESET("Piano Felt", -6, 4, 0, {ATTACK_TIME, 60}),
    PRESET("Picked Guitar", 5, 3, -2, {ATTACK_TIME, 30}),
};

typedef struct transient_shaper_unit {
    bl_unit_base base;
    uint32_t now;    /* frames since the reset */
    uint32_t window; /* frames */
    uint32_t levels; /* levels of `maxima` */
    uint32_t history_size;
    float *maxima;
    uint64_t *history; /* history_size sums */
    bl_box_smoother smoother;
    double slow_rise, slow_fall; /* the followers, from SILENCE on */
    float rate;                  /* frames per millisecond */
} transient_shaper_unit;

static void reset(bl_unit *unit) BL_NONBLOCKING {
    transient_shaper_unit *shaper = (transient_shaper_unit *)unit;
    uint32_t floats = bl_sliding_maximum_floats(shaper->levels);
    for (uint32_t place = 0; place < floats; place += 1) {
        shaper->maxima[place] = 0;
    }
    for (uint32_t place = 0; place < shaper->history_size; place += 1) {
        shaper->history[place] = 0;
    }
    shaper->smoother = (bl_box_smoother){0};
    shaper->now = 0;
    shaper->slow_rise = shaper->slow_fall = (double)SILENCE;
}

static bl_status prepare(bl_unit *unit) {
    transient_shaper_unit *shaper = (transient_shaper_unit *)unit;
    double rate = shaper->base.sample_rate;
    shaper->rate = (float)(rate * 0.001);
    shaper->window = (uint32_t)(WINDOW * rate + 0.5);
    shaper->levels = bl_sliding_maximum_levels(shaper->window);
    shaper->history_size = bl_history_size(shaper->window + 1, BL_CHUNK_FRAMES);
    shaper->history = bl_kit_memory(unit, shaper->history_size, sizeof(uint64_t));
    shaper->maxima = bl_kit_memory(unit, bl_sliding_maximum_floats(shaper->levels), sizeof(float));
    return bl_kit_memory_status(unit);
}

/* Fills in the level of the loudest channel, as a logarithm to base two. It rises with the signal,
   and falls smoothly: its mean over the window. */
BL_INLINE void fill_levels(transient_shaper_unit *shaper, float *const *input, uint32_t first,
                           float *levels, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        levels[frame] = SILENCE;
    }
    for (uint32_t channel = 0; channel < shaper->base.output_channel_count; channel += 1) {
        const float *from = input[channel] + first;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float size = from[frame] < 0 ? -from[frame] : from[frame];
            levels[frame] = size > levels[frame] ? size : levels[frame];
        }
    }
    float means[BL_CHUNK_FRAMES];
    bl_sliding_maximum(shaper->maxima, shaper->levels, shaper->now, shaper->window, levels, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        levels[frame] = bl_log2(levels[frame]) + OFFSET;
    }
    bl_box_write(&shaper->smoother, shaper->history, shaper->history_size, shaper->now, levels,
                 frames);
    bl_box_read(shaper->history, shaper->history_size, shaper->now, shaper->window, 1, means,
                frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float level = levels[frame] > means[frame] ? levels[frame] : means[frame];
        levels[frame] = level - OFFSET;
    }
}

/* The part of a knob's gain for a ratio of so many octaves. */
BL_INLINE float part_of(float octaves) BL_NONBLOCKING {
    float part = octaves * (OCTAVE / FULL);
    part = part < 1.0f ? part : 1.0f;
    return part > 0.0f ? part : 0.0f;
}

/* Converts levels to factors. */
BL_INLINE void fill_factors(transient_shaper_unit *shaper, float *levels,
                            uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *ramps = shaper->base.parameters;
    float rise[BL_CHUNK_FRAMES], fall[BL_CHUNK_FRAMES], sizes[BL_CHUNK_FRAMES];
    bl_envelope_fill_paces(&ramps[ATTACK_TIME], shaper->rate, rise, frames);
    bl_envelope_fill_paces(&ramps[SUSTAIN_TIME], shaper->rate, fall, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sizes[frame] = bl_exp2(levels[frame]);
    }
    double slow_rise = shaper->slow_rise, slow_fall = shaper->slow_fall;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double size = (double)sizes[frame];
        slow_rise += (size - slow_rise) * (size > slow_rise ? (double)rise[frame] : 1.0);
        slow_fall += (size - slow_fall) * (size < slow_fall ? (double)fall[frame] : 1.0);
        rise[frame] = (float)slow_rise;
        fall[frame] = (float)slow_fall;
    }
    shaper->slow_rise = slow_rise;
    shaper->slow_fall = slow_fall;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float attack = part_of(levels[frame] - bl_log2(rise[frame]));
        float sustain = part_of(bl_log2(fall[frame]) - levels[frame]);
        levels[frame] = bl_decibels_to_gain(attack * bl_ramp_value(&ramps[ATTACK], frame) +
                                            sustain * bl_ramp_value(&ramps[SUSTAIN], frame) +
                                            bl_ramp_value(&ramps[OUTPUT], frame));
    }
}

BL_VECTOR_CLONES
static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    transient_shaper_unit *shaper = (transient_shaper_unit *)unit;
    float factors[BL_CHUNK_FRAMES];
    for (uint32_t end = first_frame + frames, count; first_frame < end; first_frame += count) {
        count = bl_fewer(end - first_frame, BL_CHUNK_FRAMES);
        fill_levels(shaper, io->input, first_frame, factors, count);
        fill_factors(shaper, factors, count);
        for (uint32_t channel = 0; channel < shaper->base.output_channel_count; channel += 1) {
            bl_multiply_channel(io->input[channel] + first_frame, io->output[channel] + first_frame,
                                count, factors);
        }
        bl_ramps_advance(shaper->base.parameters, PARAMETER_COUNT, count);
        shaper->now += count;
    }
}

BL_KIT(transient_shaper_unit, .process = process, .change = bl_change_declicked, .prepare = prepare,
       .reset = reset)

const bl_unit_descriptor bl_transient_shaper = {
    BL_EFFECT('t', 'r', 'a', 'n'),
    .name = "Transient Shaper",
    BL_TAGS("Dynamics", "Drums", "Guitar"),
    .summary = "Makes the beginnings of notes, and what rings on, louder or softer",
    BL_FACTORY_PRESETS,
};
