/* Tremolo: modulates the level, of both sides or of lows and highs, together or in turn. */
#include <math.h>

#include "base/beat_lfo.h"
#include "base/effect.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "dsp/lfo.h"
#include "dsp/sine.h"

enum { RATE, DEPTH, SHAPE, SPREAD, SYNC, MODE, LEVEL, PARAMETER_COUNT };
typedef enum tremolo_shape { SHAPE_SINE, SHAPE_TRIANGLE, SHAPE_SQUARE, SHAPE_COUNT } tremolo_shape;

/* The edge time of a square, seconds, so that it does not click. */
#define EDGE_TIME 0.005f
/* The crossover frequency of the harmonic mode, Hz. */
#define SPLIT_FREQUENCY 700.0f

static const char *const shapes[] = {"sine", "triangle", "square", NULL};
static const char *const modes[] = {"Level", "Harmonic", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [RATE] = BL_KNOB("rate", "Rate", HERTZ, LOGARITHMIC, 0.1f, 20, 5, 1),
    [DEPTH] = BL_KNOB("depth", "Depth", PERCENT, LINEAR, 0, 100, 50, 2),
    [SHAPE] = BL_CHOICE("shape", "Shape", shapes, SHAPE_SINE, 3),
    [SPREAD] = BL_KNOB("spread", "Spread", DEGREES, LINEAR, 0, 180, 0, 4),
    [SYNC] = BL_CHOICE("sync", "Sync", bl_lfo_sync_names, 0, 5, BL_DEPENDENTS("rate")),
    /* Harmonic: lows and highs are modulated in turn. */
    [MODE] = BL_CHOICE("mode", "Mode", modes, 0, 6),
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -24, 12, 0, 7),
};

#define PRESET(name, rate, depth, shape, spread, mode, level)                                      \
    BL_PRESET(name, {RATE, rate}, {DEPTH, depth}, {SHAPE, shape}, {SPREAD, spread}, {MODE, mode},  \
              {LEVEL, level})

static const bl_factory_preset presets[] = {
    PRESET("Slow Throb", 2.2f, 45, SHAPE_SINE, 0, 0, 2.5f),
    PRESET("Stutter", 8, 85, SHAPE_SQUARE, 0, 0, 3),
    PRESET("Side to Side", 3, 70, SHAPE_SINE, 180, 0, 3),
    PRESET("Brown Amp", 4.8f, 80, SHAPE_SINE, 0, 1, 3.5f),
    PRESET("Brown Sway", 1.5f, 60, SHAPE_TRIANGLE, 90, 1, 2.5f),
};

typedef struct tremolo_unit {
    bl_unit_base base;
    bl_beat_lfo lfo;
    bl_ramp weights[SHAPE_COUNT]; /* 1 for the present shape, 0 for the others */
    bl_ramp harmonic;             /* 1 in the harmonic mode, else 0 */
    float lows[BL_MAXIMUM_CHANNELS];
    float split; /* coefficient of the low-pass */
} tremolo_unit;

/* The weight of a shape: 1 for the shape that the parameter selects, else 0. */
static float weight_target(const tremolo_unit *tremolo, int shape) BL_NONBLOCKING {
    int chosen = (int)(tremolo->base.parameters[SHAPE].target + 0.5f);
    return chosen == shape ? 1.0f : 0.0f;
}

static void follow_choices(tremolo_unit *tremolo, bool at_once) BL_NONBLOCKING {
    double rate = tremolo->base.sample_rate;
    for (int shape = 0; shape < SHAPE_COUNT; shape += 1) {
        bl_switch(&tremolo->weights[shape], weight_target(tremolo, shape), rate, at_once);
    }
    bl_switch(&tremolo->harmonic, tremolo->base.parameters[MODE].target, rate, at_once);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    tremolo_unit *tremolo = (tremolo_unit *)unit;
    tremolo->split =
        (float)(1 - exp(-2 * 3.14159265358979 * SPLIT_FREQUENCY / tremolo->base.sample_rate));
    follow_choices(tremolo, true);
    tremolo->lfo = (bl_beat_lfo){0};
    memset(tremolo->lows, 0, sizeof tremolo->lows);
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_kit_apply(unit, event);
    follow_choices((tremolo_unit *)unit, io == NULL);
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    bl_turns_follow(&((tremolo_unit *)unit)->lfo.turns, (const bl_unit_base *)unit, io);
}

/* The level of a shape, 0 to 1; 1 at phase 0. `rate` in Hz. */
BL_INLINE float level(tremolo_shape shape, uint32_t phase, float rate) BL_NONBLOCKING {
    if (shape == SHAPE_SINE) {
        return 0.5f + 0.5f * bl_cosine(phase);
    }
    uint32_t distance = (int32_t)phase < 0 ? 0u - phase : phase;
    float falling = (float)(int32_t)(0x40000000u - distance) * 0x1p-30f; /* from 1 to -1 and back */
    if (shape == SHAPE_TRIANGLE) {
        return 0.5f + 0.5f * falling;
    }
    /* A clipped triangle, its corners rounded by a quintic, which has no step in its curvature. */
    float edge = falling * (1.0f / (2.0f * EDGE_TIME * rate));
    edge = edge < 1.0f ? edge : 1.0f;
    edge = edge > -1.0f ? edge : -1.0f;
    float square = edge * edge;
    return 0.5f + edge * (0.9375f - square * (0.625f - 0.1875f * square));
}

/* Adds a shape's level times its weight, for each frame. */
BL_INLINE void add_levels(const tremolo_unit *tremolo, tremolo_shape shape, const uint32_t *phases,
                          const float *rates, float *levels, uint32_t frames) BL_NONBLOCKING {
    bl_ramp weight = tremolo->weights[shape];
    if (!bl_ramp_is_moving(&weight) && weight.target == 0) {
        return;
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        levels[frame] += bl_ramp_value(&weight, frame) * level(shape, phases[frame], rates[frame]);
    }
}

/* Fills in the factors of the frames at these phases. */
BL_INLINE void fill_factors(const tremolo_unit *tremolo, const uint32_t *phases, const float *rates,
                            float *factors, uint32_t frames) BL_NONBLOCKING {
    float levels[BL_CHUNK_FRAMES] = {0};
    add_levels(tremolo, SHAPE_SINE, phases, rates, levels, frames);
    add_levels(tremolo, SHAPE_TRIANGLE, phases, rates, levels, frames);
    add_levels(tremolo, SHAPE_SQUARE, phases, rates, levels, frames);
    bl_ramp depth = tremolo->base.parameters[DEPTH];
    bl_ramp level = tremolo->base.parameters[LEVEL];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        factors[frame] = 1.0f + (bl_ramp_value(&depth, frame) * 0.01f) * (levels[frame] - 1.0f);
        factors[frame] *= bl_decibels_to_gain(bl_ramp_value(&level, frame));
    }
}

/* Processes one channel in the harmonic mode: the lows by `factors`, the highs by `opposite`. */
BL_INLINE void multiply_split(tremolo_unit *tremolo, uint32_t channel, const float *from, float *to,
                              const float *factors, const float *opposite,
                              uint32_t frames) BL_NONBLOCKING {
    float low = tremolo->lows[channel];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float share = bl_ramp_value(&tremolo->harmonic, frame);
        float high = factors[frame] + share * (opposite[frame] - factors[frame]);
        low += tremolo->split * (from[frame] - low);
        to[frame] = high * from[frame] + (factors[frame] - high) * low;
    }
    tremolo->lows[channel] = low;
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    tremolo_unit *tremolo = (tremolo_unit *)unit;
    bl_ramp *ramps = tremolo->base.parameters;
    uint32_t phases[BL_CHUNK_FRAMES];
    float rates[BL_CHUNK_FRAMES];
    float factors[2][BL_CHUNK_FRAMES], opposite[2][BL_CHUNK_FRAMES]; /* of even and odd channels */
    for (uint32_t done = 0, count = 0; done < frames; done += count) {
        count = bl_frames_before_end(&tremolo->harmonic, bl_fewer(frames - done, BL_CHUNK_FRAMES));
        uint32_t sync = (uint32_t)ramps[SYNC].target;
        for (uint32_t frame = 0; frame < count; frame += 1) {
            float rate = bl_ramp_value(&ramps[RATE], frame);
            rates[frame] = bl_lfo_rate(rate, sync, tremolo->base.quarter);
        }
        bl_beat_lfo_fill(&tremolo->lfo, &ramps[RATE], &ramps[SYNC], tremolo->base.sample_rate,
                         first_frame + done, phases, count);
        bl_ramp spread = ramps[SPREAD];
        bool apart = bl_ramp_is_moving(&spread) || spread.target > 0;
        bool splits = bl_ramp_is_moving(&tremolo->harmonic) || tremolo->harmonic.target > 0;
        for (uint32_t side = 0; side < (apart ? 2 : 1); side += 1) {
            uint32_t turned[2][BL_CHUNK_FRAMES];
            for (uint32_t frame = 0; frame < count; frame += 1) {
                float degrees = side == 0 ? 0 : bl_ramp_value(&spread, frame);
                turned[0][frame] = bl_lfo_ahead(phases[frame], degrees);
                turned[1][frame] = turned[0][frame] + 0x80000000u;
            }
            fill_factors(tremolo, turned[0], rates, factors[side], count);
            if (splits) {
                fill_factors(tremolo, turned[1], rates, opposite[side], count);
            }
        }
        for (uint32_t channel = 0; channel < tremolo->base.output_channel_count; channel += 1) {
            uint32_t side = apart ? channel % 2 : 0;
            const float *from = io->input[channel] + first_frame + done;
            float *to = io->output[channel] + first_frame + done;
            if (splits) {
                multiply_split(tremolo, channel, from, to, factors[side], opposite[side], count);
            } else {
                tremolo->lows[channel] = 0;
                bl_multiply_channel(from, to, count, factors[side]);
            }
        }
        for (int shape = 0; shape < SHAPE_COUNT; shape += 1) {
            bl_ramp_advance(&tremolo->weights[shape], count);
        }
        bl_ramp_advance(&tremolo->harmonic, count);
        bl_ramp_advance(&ramps[DEPTH], count);
        bl_ramp_advance(&ramps[SPREAD], count);
        bl_ramp_advance(&ramps[LEVEL], count);
    }
}

BL_KIT(tremolo_unit, .process = process, .change = change, .cycle = cycle, .reset = reset)

const bl_unit_descriptor bl_tremolo = {
    BL_EFFECT('t', 'm', 'l', 'o'),
    .name = "Tremolo",
    BL_TAGS("Modulation", "Guitar"),
    .summary = "Moves the level up and down, sides or lows and highs together or in turn",
    BL_FACTORY_PRESETS,
};
