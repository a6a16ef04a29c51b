/* Bit Crusher: the sound of early samplers and games: fewer levels, fewer frames. */
#include <math.h>
#include <string.h>

#include "base/effect.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "dsp/svf.h"

enum { BITS, RATE, JITTER, DRIVE, SCALE, DITHER, FILTER, MIX, LEVEL, PARAMETER_COUNT };
enum { SCALE_LINEAR, SCALE_MU_LAW };

#define BITS_OFF 24.0f
#define RATE_OFF 48000.0f
/* The µ of the µ-law: ITU-T G.711 has 255. */
#define MU 255.0

static const char *const scales[] = {"Linear", "mu-Law", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    /* The bit depth; its maximum is off, as is the rate's. */
    [BITS] = BL_KNOB("bits", "Bits", GENERIC, LINEAR, 1, BITS_OFF, 8, 1),
    [RATE] = BL_KNOB("rate", "Rate", HERTZ, LOGARITHMIC, 200, RATE_OFF, 12000, 2),
    /* The unevenness of the sampling times: up to half a period early or late. */
    [JITTER] = BL_KNOB("jitter", "Jitter", PERCENT, LINEAR, 0, 100, 0, 5),
    [DRIVE] = BL_KNOB("drive", "Drive", DECIBELS, LINEAR, 0, 36, 0, 4),
    [SCALE] = BL_CHOICE("scale", "Scale", scales, SCALE_LINEAR, 6),
    [DITHER] = BL_OFF_ON("dither", "Dither", 0, 7),
    /* Low-passes before the sampling, against aliases, and after it, to smooth the steps. */
    [FILTER] = BL_OFF_ON("filter", "Anti-Alias Filter", 0, 8),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 3),
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -24, 12, 0, 9),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Twelve-Bit Sampler", {BITS, 12}, {RATE, 26040}, {FILTER, 1}),
    BL_PRESET("Game Console", {BITS, 4}, {RATE, 11025}),
    BL_PRESET("Telephone Exchange", {BITS, 8}, {RATE, 8000}, {SCALE, SCALE_MU_LAW}, {FILTER, 1},
              {LEVEL, 1.2f}),
    BL_PRESET("Worn Converter", {BITS, 10}, {RATE, 18000}, {JITTER, 60}),
    BL_PRESET("Drum Dust", {BITS, 8}, {RATE, 22050}, {MIX, 60}),
    BL_PRESET("Talking Toy", {BITS, 5}, {RATE, 6000}, {FILTER, 1}),
    BL_PRESET("Glass Ceiling", {BITS, BITS_OFF}, {RATE, 4000}, {LEVEL, 2.5f}, {MIX, 50}),
};

/* The low-pass sections: two before the sampling, two after. */
enum { SECTIONS = 4, PAIRS = (BL_MAXIMUM_CHANNELS + 1) / 2 };

typedef struct crusher_unit {
    bl_unit_base base;
    double until; /* periods of the lower rate until the next sample is taken */
    uint32_t jitter_noise, dither_noise[PAIRS];
    bl_double2 held[PAIRS]; /* the last sample taken, for each pair of channels */
    bl_svf_state filters[PAIRS][SECTIONS];
    bool filtered;                  /* the filter was on in the last frame */
    bl_ramp dither, mu_law, filter; /* the switches' weights, 0 to 1 */
} crusher_unit;

static float target(const crusher_unit *crusher, uint32_t parameter) BL_NONBLOCKING {
    return crusher->base.parameters[parameter].target;
}

static void follow_switches(crusher_unit *crusher, bool at_once) BL_NONBLOCKING {
    double rate = crusher->base.sample_rate;
    bl_switch(&crusher->dither, target(crusher, DITHER), rate, at_once);
    bl_switch(&crusher->mu_law, target(crusher, SCALE), rate, at_once);
    bl_switch(&crusher->filter, target(crusher, FILTER), rate, at_once);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    crusher_unit *crusher = (crusher_unit *)unit;
    follow_switches(crusher, true);
    crusher->until = 0;
    crusher->jitter_noise = 0x9E3779B9u;
    for (uint32_t pair = 0; pair < PAIRS; pair += 1) {
        crusher->dither_noise[pair] = (pair + 1) * 0x9E3779B9u;
    }
    memset(crusher->held, 0, sizeof crusher->held);
    crusher->filtered = false;
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_kit_apply(unit, event);
    follow_switches((crusher_unit *)unit, io == NULL);
}

/* A random number from -0.5 to 0.5: George Marsaglia's xorshift, 2003. */
BL_INLINE double random_half(uint32_t *noise) BL_NONBLOCKING {
    uint32_t random = *noise;
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    *noise = random;
    return (double)(int32_t)random * 0x1p-32;
}

/* The nearest of 2^bits levels from -1 to just below 1, `levels` of them to each side of 0. */
BL_INLINE double quantise(double sample, double levels) BL_NONBLOCKING {
    return fmax(-levels, fmin(levels - 1, rint(sample * levels))) / levels;
}

/* Quantises on a scale with ever finer levels towards 0. */
BL_INLINE double quantise_mu_law(double sample, double levels) BL_NONBLOCKING {
    double compressed = copysign(log1p(MU * fabs(sample)) / log1p(MU), sample);
    double level = quantise(compressed, levels);
    return copysign(expm1(fabs(level) * log1p(MU)) / MU, level);
}

/* The settings for one frame, all channels. */
typedef struct crusher_frame {
    double step;   /* periods of the lower rate per frame; from 1 on: every frame is taken */
    double jitter; /* in half periods */
    double levels; /* levels to each side of 0; 0: no quantising */
    double drive, dither, mu_law, mix, level, filter;
    bl_svf_coefficients low_pass[2];
} crusher_frame;

/* The value that the crusher holds of `sample` from this frame on. */
BL_INLINE double crush(const crusher_frame *now, uint32_t *noise, double sample) BL_NONBLOCKING {
    if (now->levels == 0) {
        return sample;
    }
    if (now->dither > 0) { /* triangular density, 1 level to each side */
        sample += now->dither * (random_half(noise) + random_half(noise)) / now->levels;
    }
    double linear = now->mu_law < 1 ? quantise(sample, now->levels) : 0;
    return now->mu_law > 0 ? linear + now->mu_law * (quantise_mu_law(sample, now->levels) - linear)
                           : linear;
}

BL_INLINE void find_samples_to_hold(crusher_unit *crusher, const crusher_frame *now, bool *takes,
                                    uint32_t frames) BL_NONBLOCKING {
    double until = now->step < 1 ? crusher->until : 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        takes[frame] = until <= 0;
        if (takes[frame] && now->step < 1) {
            until += 1 + now->jitter * random_half(&crusher->jitter_noise);
        }
        until -= now->step < 1 ? now->step : 0;
    }
    crusher->until = until;
}

/* The resonances of a fourth-order Butterworth low-pass: its two sections have a Q of 1 / (2
   cos(π/8)) and of 1 / (2 cos(3π/8)), given here in dB above √½. */
static const float resonances[2] = {-2.32260f, 5.33256f};

BL_INLINE bl_double2 smooth(bl_svf_state *states, const bl_svf_coefficients *coefficients,
                            bl_double2 in, double amount) BL_NONBLOCKING {
    bl_double2 first = bl_svf_tick(&states[0], &coefficients[0], in).low;
    bl_double2 out = bl_svf_tick(&states[1], &coefficients[1], first).low;
    return in + amount * (out - in);
}

BL_INLINE crusher_frame frame_at(const crusher_unit *crusher, uint32_t frame) BL_NONBLOCKING {
    const bl_ramp *ramps = crusher->base.parameters;
    float bits = bl_ramp_value(&ramps[BITS], frame);
    float rate = bl_ramp_value(&ramps[RATE], frame);
    crusher_frame now = {
        .step = rate < RATE_OFF ? (double)rate / crusher->base.sample_rate : 1,
        .jitter = (double)bl_ramp_value(&ramps[JITTER], frame) * 0.01,
        .levels = bits < BITS_OFF ? exp2((double)bits - 1) : 0,
        .drive = (double)bl_decibels_to_gain(bl_ramp_value(&ramps[DRIVE], frame)),
        .dither = (double)bl_ramp_value(&crusher->dither, frame),
        .mu_law = (double)bl_ramp_value(&crusher->mu_law, frame),
        .mix = (double)bl_ramp_value(&ramps[MIX], frame) * 0.01,
        .level = (double)bl_decibels_to_gain(bl_ramp_value(&ramps[LEVEL], frame)),
        .filter = rate < RATE_OFF ? (double)bl_ramp_value(&crusher->filter, frame) : 0,
    };
    if (now.filter > 0) {
        float cutoff = 0.42f * rate / (float)crusher->base.sample_rate;
        bl_svf_tune(&now.low_pass[0], cutoff, resonances[0]);
        bl_svf_tune(&now.low_pass[1], cutoff, resonances[1]);
    }
    return now;
}

/* Processes frames of a pair of channels, in place. */
BL_INLINE void crush_pair(crusher_unit *crusher, const crusher_frame *now, uint32_t pair,
                          const bool *takes, bl_double2 *samples, uint32_t frames) BL_NONBLOCKING {
    bl_svf_state *states = crusher->filters[pair];
    uint32_t *noise = &crusher->dither_noise[pair];
    bl_double2 held = crusher->held[pair];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 dry = samples[frame];
        bl_double2 wet = dry * now->drive;
        if (now->filter > 0) {
            wet = smooth(&states[0], now->low_pass, wet, now->filter);
        }
        if (takes[frame]) {
            held = (bl_double2){crush(now, noise, wet[0]), crush(now, noise, wet[1])};
        }
        wet = held;
        if (now->filter > 0) {
            wet = smooth(&states[2], now->low_pass, wet, now->filter);
        }
        samples[frame] = (dry + now->mix * (wet - dry)) * now->level;
    }
    crusher->held[pair] = held;
}

BL_INLINE bool moves(const crusher_unit *crusher) BL_NONBLOCKING {
    bool any = bl_ramp_is_moving(&crusher->dither) || bl_ramp_is_moving(&crusher->mu_law) ||
               bl_ramp_is_moving(&crusher->filter);
    for (uint32_t index = 0; index < PARAMETER_COUNT; index += 1) {
        any = any || bl_ramp_is_moving(&crusher->base.parameters[index]);
    }
    return any;
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    crusher_unit *crusher = (crusher_unit *)unit;
    uint32_t channels = crusher->base.output_channel_count;
    bool moving = moves(crusher);
    for (uint32_t done = 0, count; done < frames; done += count) {
        bool takes[BL_CHUNK_FRAMES];
        bl_double2 samples[BL_CHUNK_FRAMES];
        count = moving ? 1 : bl_fewer(frames - done, BL_CHUNK_FRAMES);
        crusher_frame now = frame_at(crusher, done);
        if (now.filter > 0 && !crusher->filtered) {
            memset(crusher->filters, 0, sizeof crusher->filters);
        }
        crusher->filtered = now.filter > 0;
        find_samples_to_hold(crusher, &now, takes, count);
        for (uint32_t channel = 0; channel < channels; channel += 2) {
            bl_pair_read(io->input, channels, channel, first_frame + done, samples, count);
            crush_pair(crusher, &now, channel / 2, takes, samples, count);
            bl_pair_write(io->output, channels, channel, first_frame + done, samples, count);
        }
    }
    bl_ramps_advance(crusher->base.parameters, PARAMETER_COUNT, frames);
    bl_ramp_advance(&crusher->dither, frames);
    bl_ramp_advance(&crusher->mu_law, frames);
    bl_ramp_advance(&crusher->filter, frames);
}

BL_KIT(crusher_unit, .process = process, .change = change, .reset = reset)

/* The duration of the last held frame, and the filters' time to -60 dB. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const crusher_unit *crusher = (const crusher_unit *)unit;
    double rate = (double)target(crusher, RATE);
    bool filters = target(crusher, FILTER) >= 0.5f;
    return rate < (double)RATE_OFF ? (filters ? 12 : 2) / rate : 0;
}

const bl_unit_descriptor bl_bit_crusher = {
    BL_EFFECT('c', 'r', 's', 'h'),
    .name = "Bit Crusher",
    BL_TAGS("Tone", "Drums", "Distortion"),
    .summary = "Plays the sound with fewer bits and at a lower sample rate, as early samplers did",
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
