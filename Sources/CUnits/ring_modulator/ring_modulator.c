/* Ring modulator: multiplies the sound by a slow sine, as for the voices of the Daleks. */
#include "base/effect.h"
#include "dsp/blamp.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "dsp/phase.h"
#include "dsp/sine.h"

enum { FREQUENCY, WAVEFORM, MIX, LEVEL, PARAMETER_COUNT };
enum { WAVEFORM_RECTIFIED, WAVEFORM_SINE };

static const char *const waveforms[] = {"|sin|", "sine", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [FREQUENCY] = BL_KNOB("frequency", "Frequency", HERTZ, LOGARITHMIC, 0.1f, 5000, 22, 1),
    [WAVEFORM] = BL_CHOICE("waveform", "Waveform", waveforms, WAVEFORM_RECTIFIED, 3),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 2),
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -24, 12, 0, 4),
};

#define PRESET(name, frequency, waveform, mix, level)                                              \
    BL_PRESET(name, {FREQUENCY, frequency}, {WAVEFORM, waveform}, {MIX, mix}, {LEVEL, level})

static const bl_factory_preset presets[] = {
    PRESET("Cyborg", 55, WAVEFORM_SINE, 85, 4.5f),
    PRESET("Bell", 720, WAVEFORM_SINE, 60, 4.5f),
    PRESET("Shortwave", 2600, WAVEFORM_SINE, 45, 3),
    PRESET("Growl", 38, WAVEFORM_RECTIFIED, 70, 2),
    PRESET("Glass", 3300, WAVEFORM_RECTIFIED, 80, 2),
};

typedef struct ring_unit {
    bl_unit_base base;
    bl_blamp blamp;
    bl_phase phase;
    double phase_scale;
    bl_ramp rectified; /* weight of |sin| against the sine, 0 to 1 */
} ring_unit;

/* The target of `rectified` for the selected waveform. */
static float rectified_target(const ring_unit *ring) BL_NONBLOCKING {
    return ring->base.parameters[WAVEFORM].target < 0.5f ? 1.0f : 0.0f;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    ring_unit *ring = (ring_unit *)unit;
    ring->phase_scale = bl_phase_scale(ring->base.sample_rate);
    bl_ramp_set(&ring->rectified, rectified_target(ring));
    ring->phase = 0;
}

static bl_status prepare(bl_unit *unit) {
    bl_blamp_fill(&((ring_unit *)unit)->blamp);
    return BL_OK;
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    ring_unit *ring = (ring_unit *)unit;
    bl_kit_apply(unit, event);
    bl_switch(&ring->rectified, rectified_target(ring), ring->base.sample_rate, io == NULL);
}

/* The time since the last kink of |sin|, as a part of the interval between kinks. */
BL_INLINE float since_kink(uint32_t phase) BL_NONBLOCKING {
    return (float)(phase & 0x7FFFFFFFu) * 0x1p-31f;
}

/* Whether a kink is within the reach of a correction. */
BL_INLINE bool is_near_kink(uint32_t phase, float turn) BL_NONBLOCKING {
    float since = since_kink(phase);
    float reach = 2 * BL_BLAMP_REACH * turn;
    return since <= reach || 1 - since <= reach;
}

/* The correction of the kinks of |sin|, two in each turn, that keeps them within the bandwidth of
   the sample rate. `turn`: phase per frame in turns. */
BL_INLINE float correction(const bl_blamp *blamp, uint32_t phase, float turn) BL_NONBLOCKING {
    float since = since_kink(phase);
    float frames = 0.5f / turn;      /* frames between kinks */
    float step = 6.28318531f * turn; /* radians per frame */
    float sum = 0;
    for (float at = since * frames; at < BL_BLAMP_REACH; at += frames) {
        sum += bl_blamp_read(blamp, at, step * step);
    }
    for (float at = (1 - since) * frames; at < BL_BLAMP_REACH; at += frames) {
        sum += bl_blamp_read(blamp, at, step * step);
    }
    return 2 * step * sum;
}

/* Fills in |sin| without aliases. */
BL_INLINE void fill_rectified(const bl_blamp *blamp, const uint32_t *phases, const float *turns,
                              float *values, uint32_t frames) BL_NONBLOCKING {
    uint32_t near = 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        values[frame] = __builtin_fabsf(bl_sine(phases[frame]));
        near |= is_near_kink(phases[frame], turns[frame]);
    }
    for (uint32_t frame = 0; near && frame < frames; frame += 1) {
        if (is_near_kink(phases[frame], turns[frame])) {
            values[frame] += correction(blamp, phases[frame], turns[frame]);
        }
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    ring_unit *ring = (ring_unit *)unit;
    bl_ramp *ramps = ring->base.parameters;
    uint32_t phases[BL_CHUNK_FRAMES];
    float turns[BL_CHUNK_FRAMES], straight[BL_CHUNK_FRAMES];
    float factors[BL_CHUNK_FRAMES], gains[BL_CHUNK_FRAMES];
    for (uint32_t done = 0; done < frames; done += BL_CHUNK_FRAMES) {
        uint32_t count = bl_fewer(frames - done, BL_CHUNK_FRAMES);
        bl_ramp rectified = ring->rectified;
        bl_ramp mix = ramps[MIX];
        bl_ramp frequency = ramps[FREQUENCY];
        float period = (float)(1 / ring->base.sample_rate);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            turns[frame] = bl_ramp_value(&frequency, frame) * period;
        }
        bl_phase_fill(&ring->phase, &ramps[FREQUENCY], ring->phase_scale, phases, count);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            factors[frame] = bl_sine(phases[frame]);
        }
        if (bl_ramp_is_moving(&rectified) || rectified.target > 0) {
            fill_rectified(&ring->blamp, phases, turns, straight, count);
            for (uint32_t frame = 0; frame < count; frame += 1) {
                factors[frame] +=
                    bl_ramp_value(&rectified, frame) * (straight[frame] - factors[frame]);
            }
        }
        bl_decibels_fill(&ramps[LEVEL], gains, count);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            factors[frame] = 1.0f + (bl_ramp_value(&mix, frame) * 0.01f) * (factors[frame] - 1.0f);
            factors[frame] *= gains[frame];
        }
        bl_ramp_advance(&ring->rectified, count);
        bl_ramp_advance(&ramps[MIX], count);
        bl_ramp_advance(&ramps[LEVEL], count);
        for (uint32_t channel = 0; channel < ring->base.output_channel_count; channel += 1) {
            bl_multiply_channel(io->input[channel] + first_frame + done,
                                io->output[channel] + first_frame + done, count, factors);
        }
    }
}

BL_KIT(ring_unit, .process = process, .change = change, .prepare = prepare, .reset = reset)

const bl_unit_descriptor bl_ring_modulator = {
    BL_EFFECT('r', 'i', 'n', 'g'),
    .name = "Ring Modulator",
    BL_TAGS("Modulation", "Voice"),
    .summary =
        "Multiplies the sound by a sine or by its magnitude: a Dalek at 22 Hz, bells higher up",
    BL_FACTORY_PRESETS,
};
