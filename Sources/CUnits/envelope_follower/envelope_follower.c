/* Envelope follower: the level of a sound, as a modulation output. */
#include <math.h>

#include "base/built_in.h"
#include "base/control_effect.h"
#include "dsp/decibels.h"
#include "dsp/envelope.h"
#include "dsp/sliding_maximum.h"

enum { SENSITIVITY, ATTACK, RELEASE, DETECTOR, PARAMETER_COUNT };

/* Hold time of a peak, seconds, so that a tone's own wave does not modulate its envelope: half a
   period of 50 Hz. */
#define HOLD_TIME 0.01
/* Time constants of the mean square, milliseconds, which is smoothed twice: a tone of 41 Hz, the
   lowest of a bass, is within 4 % of its level. */
#define MEAN_TIME 7.0f
/* Time in which the mean square's root falls by 60 dB, seconds. */
#define MEAN_TAIL 0.12

static const char *const detectors[] = {"Peak", "RMS", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    /* The input level for an output of 1. */
    [SENSITIVITY] = BL_KNOB("sensitivity", "Sensitivity", DECIBELS, LINEAR, -60, 0, 0, 1),
    [ATTACK] = BL_KNOB("attack", "Attack", MILLISECONDS, LOGARITHMIC, 0.1f, 500, 5, 2),
    [RELEASE] = BL_KNOB("release", "Release", MILLISECONDS, LOGARITHMIC, 1, 5000, 200, 3),
    [DETECTOR] = BL_CHOICE("detector", "Detector", detectors, 0, 4),
};

#define PRESET(name, sensitivity, attack, release, detector)                                       \
    BL_PRESET(name, {SENSITIVITY, sensitivity}, {ATTACK, attack}, {RELEASE, release},              \
              {DETECTOR, detector})

static const bl_factory_preset presets[] = {
    PRESET("Guitar", -18, 4, 180, 0),  PRESET("Funk", -18, 1, 90, 0),
    PRESET("Voice", -20, 20, 300, 1),  PRESET("Drums", -6, 0.5f, 60, 0),
    PRESET("Swell", -24, 400, 800, 1), PRESET("Whole Song", -14, 300, 3000, 1),
};

typedef struct follower_unit {
    bl_unit_base base;
    float *maxima; /* memory of the sliding maximum */
    uint32_t maximum_levels;
    uint32_t hold;     /* frames */
    uint32_t now;      /* frames since the reset */
    double squares[2]; /* mean of all channels' squares, smoothed once and twice */
    bl_envelope envelope;
} follower_unit;

static void reset(bl_unit *unit) BL_NONBLOCKING {
    follower_unit *follower = (follower_unit *)unit;
    memset(follower->maxima, 0,
           bl_sliding_maximum_floats(follower->maximum_levels) * sizeof(float));
    follower->now = 0;
    memset(follower->squares, 0, sizeof follower->squares);
    follower->envelope = (bl_envelope){0};
}

static bl_status prepare(bl_unit *unit) {
    follower_unit *follower = (follower_unit *)unit;
    follower->hold = (uint32_t)(HOLD_TIME * follower->base.sample_rate) + 1;
    follower->maximum_levels = bl_sliding_maximum_levels(follower->hold);
    follower->maxima =
        bl_kit_memory(unit, bl_sliding_maximum_floats(follower->maximum_levels), sizeof(float));
    return bl_kit_memory_status(unit);
}

/* Detects the peak of the loudest channel, or the root of the mean square of all. Both are
   followed, so that each is right when it is selected. */
BL_INLINE void detect(follower_unit *follower, float *const *input, uint32_t first, float *levels,
                      uint32_t frames) BL_NONBLOCKING {
    const bl_unit_base *base = &follower->base;
    uint32_t channels = base->input_channel_count;
    float peaks[BL_CHUNK_FRAMES] = {0};
    double squares[BL_CHUNK_FRAMES] = {0};
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        const float *samples = input[channel] + first;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float size = __builtin_fabsf(samples[frame]);
            peaks[frame] = size > peaks[frame] ? size : peaks[frame];
            squares[frame] += (double)size * (double)size;
        }
    }
    bl_sliding_maximum(follower->maxima, follower->maximum_levels, follower->now, follower->hold,
                       peaks, frames);
    follower->now += frames;
    double once = follower->squares[0], twice = follower->squares[1];
    double pace = (double)bl_envelope_pace(MEAN_TIME * 0.001f * (float)base->sample_rate);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        once += pace * (squares[frame] / channels - once);
        twice += pace * (once - twice);
        squares[frame] = twice;
    }
    follower->squares[0] = once;
    follower->squares[1] = twice;
    bool is_peak = base->parameters[DETECTOR].target < 0.5f;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        levels[frame] = is_peak ? peaks[frame] : sqrtf((float)squares[frame]);
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    follower_unit *follower = (follower_unit *)unit;
    bl_ramp *ramps = follower->base.parameters;
    float rate = (float)(follower->base.sample_rate * 0.001);
    bl_envelope_paces paces = {.is_automatic = false};
    for (uint32_t done = 0, count = 0; done < frames; done += count) {
        count = bl_fewer(frames - done, BL_CHUNK_FRAMES);
        float *levels = io->output[0] + first_frame + done;
        detect(follower, io->input, first_frame + done, levels, count);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            float sensitivity = bl_ramp_value(&ramps[SENSITIVITY], frame);
            float level = levels[frame] * bl_decibels_to_gain(-sensitivity);
            levels[frame] = level < 1 ? level : 1;
        }
        bl_envelope_fill_paces(&ramps[ATTACK], rate, paces.attack, count);
        bl_envelope_fill_paces(&ramps[RELEASE], rate, paces.release, count);
        bl_envelope_follow(&follower->envelope, &paces, levels, count);
        bl_ramps_advance(ramps, PARAMETER_COUNT, count);
    }
}

BL_KIT(follower_unit, .process = process, .prepare = prepare, .reset = reset)

/* The release to -60 dB, once the peak's hold has ended or the mean has fallen. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_ramp *ramps = ((const bl_unit_base *)unit)->parameters;
    bool is_peak = ramps[DETECTOR].target < 0.5f;
    return (is_peak ? HOLD_TIME : MEAN_TAIL) + 6.907755 * 0.001 * (double)ramps[RELEASE].target;
}

const bl_unit_descriptor bl_envelope_follower = {
    BL_CONTROL_EFFECT('e', 'n', 'v', 'f'),
    .name = "Envelope Follower",
    BL_TAGS("Modulation", "Control", "Dynamics"),
    .summary = "The level of a sound, to move parameters of other units by it",
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
