/* Phaser: adds a copy whose phase shift grows with frequency: their sum has notches, which
   sweep. */
#include <math.h>

#include "base/beat_lfo.h"
#include "base/effect.h"
#include "dsp/declick.h"
#include "dsp/equal_power.h"
#include "dsp/glide.h"
#include "dsp/lfo.h"
#include "dsp/pair.h"
#include "dsp/svf.h"

enum { RATE, SYNC, STAGES, CENTER, DEPTH, FEEDBACK, SPREAD, MIX, PARAMETER_COUNT };

enum { MOST_STAGES = 12, VIBE = 5 };

/* Glide time of a changed center, seconds. */
#define CENTER_TIME 0.01

static const char *const stage_names[] = {"2", "4", "6", "8", "12", "Vibe", NULL};
static const uint32_t stage_counts[] = {2, 4, 6, 8, 12, 4};
/* The stages' frequency ratios by the Uni-Vibe's capacitors, 15, 220, 0.47 and 4.7 nF, relative to
   their geometric mean. */
static const double vibe_ratios[] = {0.6162, 0.04201, 19.665, 1.9665};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [RATE] = BL_KNOB("rate", "Rate", HERTZ, LOGARITHMIC, 0.01f, 20, 0.4f, 1),
    [SYNC] = BL_CHOICE("sync", "Sync", bl_lfo_sync_names, 0, 8, BL_DEPENDENTS("rate")),
    [STAGES] = BL_CHOICE("stages", "Stages", stage_names, 1, 5),
    [CENTER] = BL_KNOB("center", "Center", HERTZ, LOGARITHMIC, 50, 8000, 800, 4),
    [DEPTH] = BL_KNOB("depth", "Depth", OCTAVES, LINEAR, 0, 4, 1.5f, 2),
    [FEEDBACK] = BL_KNOB("feedback", "Feedback", PERCENT, LINEAR, -95, 95, 0, 3),
    [SPREAD] = BL_KNOB("spread", "Spread", DEGREES, LINEAR, 0, 180, 0, 6),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 50, 7),
};

#define SWEEP(rate, stages, center, depth, feedback, spread)                                       \
    {RATE, rate}, {STAGES, stages}, {CENTER, center}, {DEPTH, depth}, {FEEDBACK, feedback}, {      \
        SPREAD, spread                                                                             \
    }

static const bl_factory_preset presets[] = {
    BL_PRESET("Classic 4", SWEEP(0.5f, 1, 700, 1.6f, 0, 0)),
    BL_PRESET("Script 45", SWEEP(0.8f, 0, 900, 1.4f, 0, 0)),
    BL_PRESET("Resonant 6", SWEEP(0.25f, 2, 900, 1.8f, 55, 45)),
    BL_PRESET("Slow Deep", SWEEP(0.06f, 3, 600, 2.5f, 40, 90)),
    BL_PRESET("Vibe", SWEEP(1.2f, VIBE, 1100, 1.2f, 0, 0)),
    BL_PRESET("Vibe Vibrato", SWEEP(5, VIBE, 1100, 0.9f, 0, 0), {MIX, 100}),
    BL_PRESET("Stereo Keys", SWEEP(0.35f, 1, 900, 1.5f, 25, 180)),
    BL_PRESET("Liquid 12", SWEEP(0.15f, 4, 1200, 2, -40, 90)),
};

typedef struct phaser_unit {
    bl_unit_base base;
    bl_beat_lfo lfo;
    bl_glide center;  /* Hz */
    uint32_t chain;   /* the present index into stage_names */
    bl_ramp sounding; /* 0 when the chain may change, else to 1 */
    bl_double2 states[(BL_MAXIMUM_CHANNELS + 1) / 2][MOST_STAGES]; /* of pairs of channels */
} phaser_unit;

static uint32_t wanted_chain(const phaser_unit *phaser) BL_NONBLOCKING {
    return (uint32_t)(phaser->base.parameters[STAGES].target + 0.5f);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    phaser_unit *phaser = (phaser_unit *)unit;
    phaser->lfo = (bl_beat_lfo){0};
    phaser->center = (bl_glide){.value = (double)phaser->base.parameters[CENTER].target};
    phaser->chain = wanted_chain(phaser);
    bl_ramp_set(&phaser->sounding, 1);
    memset(phaser->states, 0, sizeof phaser->states);
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    bl_turns_follow(&((phaser_unit *)unit)->lfo.turns, (const bl_unit_base *)unit, io);
}

/* Changes the number of stages: the copy fades out, changes, and fades in. */
BL_INLINE void follow_chain(phaser_unit *phaser) BL_NONBLOCKING {
    if (bl_ramp_is_moving(&phaser->sounding)) {
        return;
    }
    bool changes = wanted_chain(phaser) != phaser->chain;
    if (changes && phaser->sounding.target == 0) {
        phaser->chain = wanted_chain(phaser);
        memset(phaser->states, 0, sizeof phaser->states);
        changes = false;
    }
    bl_declick(&phaser->sounding, changes ? 0 : 1, phaser->base.sample_rate);
}

/* A stretch of frames, with the values that all channels share. */
typedef struct stretch {
    uint32_t frames;
    bl_double2 tuning[BL_CHUNK_FRAMES]; /* g = tan(π f / rate) of even and odd channels */
    double feedback[BL_CHUNK_FRAMES];
    float dry[BL_CHUNK_FRAMES], wet[BL_CHUNK_FRAMES];
} stretch;

/* The tuning of even channels, or of odd ones, which are `spread` ahead. */
BL_INLINE void tune(const phaser_unit *phaser, const uint32_t *phases, const float *centers,
                    bool is_odd, float *tuning, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *ramps = phaser->base.parameters;
    float period = (float)(1 / phaser->base.sample_rate);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float degrees = is_odd ? bl_ramp_value(&ramps[SPREAD], frame) : 0;
        float wave = bl_sine(bl_lfo_ahead(phases[frame], degrees));
        float octaves = bl_ramp_value(&ramps[DEPTH], frame) * wave;
        float turns = centers[frame] * bl_exp2(octaves) * period;
        turns = turns < BL_SVF_MAXIMUM_CUTOFF ? turns : BL_SVF_MAXIMUM_CUTOFF;
        tuning[frame] =
            bl_sine_of_quarter_turns(2 * turns) / bl_sine_of_quarter_turns(1 - 2 * turns);
    }
}

/* Fills in the stretch, from `first` of the cycle on. */
BL_INLINE void prepare(phaser_unit *phaser, uint32_t first, stretch *now) BL_NONBLOCKING {
    bl_ramp *ramps = phaser->base.parameters;
    uint32_t phases[BL_CHUNK_FRAMES];
    bl_beat_lfo_fill(&phaser->lfo, &ramps[RATE], &ramps[SYNC], phaser->base.sample_rate, first,
                     phases, now->frames);
    float centers[BL_CHUNK_FRAMES];
    double rate = 1 / (CENTER_TIME * phaser->base.sample_rate);
    bool glides = bl_ramp_is_moving(&ramps[CENTER]) ||
                  !bl_glide_rests(&phaser->center, (double)ramps[CENTER].target);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        if (glides) {
            double target = (double)bl_ramp_value(&ramps[CENTER], frame);
            bl_glide_step(&phaser->center, target, rate, INFINITY);
        }
        centers[frame] = (float)phaser->center.value;
    }
    float tuning[2][BL_CHUNK_FRAMES];
    const bl_ramp *spread = &ramps[SPREAD];
    bool spreads = bl_ramp_is_moving(spread) || spread->target > 0;
    tune(phaser, phases, centers, false, tuning[0], now->frames);
    if (spreads) {
        tune(phaser, phases, centers, true, tuning[1], now->frames);
    }
    const float *other = spreads ? tuning[1] : tuning[0];
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->tuning[frame] = (bl_double2){(double)tuning[0][frame], (double)other[frame]};
    }
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        bl_shares shares = bl_equal_power(bl_ramp_value(&ramps[MIX], frame));
        now->dry[frame] = shares.dry;
        now->wet[frame] = shares.wet * bl_ramp_value(&phaser->sounding, frame);
        now->feedback[frame] = (double)bl_ramp_value(&ramps[FEEDBACK], frame) * 0.01;
    }
    for (uint32_t index = SYNC; index < PARAMETER_COUNT; index += 1) {
        bl_ramp_advance(&ramps[index], now->frames);
    }
    bl_ramp_advance(&phaser->sounding, now->frames);
}

/* Filters one frame of a pair of channels with the chain. Each stage is (s - w) / (s + w), by the
   trapezoidal rule y = a x + (1 - a) state (Zavalishin, "The Art of VA Filter Design", 2012). The
   feedback has no delay: the chain's response to an input u is gain · u + rest, so u = x + feedback
   · (gain · u + rest) is solved for u. */
BL_INLINE bl_double2 tick(bl_double2 *states, uint32_t stages, const bl_double2 *a, double feedback,
                          bl_double2 x) BL_NONBLOCKING {
    if (feedback != 0) {
        bl_double2 gain = {1, 1}, rest = {0, 0};
        for (uint32_t stage = 0; stage < stages; stage += 1) {
            gain *= a[stage];
            rest = a[stage] * rest + (1 - a[stage]) * states[stage];
        }
        x = (x + feedback * rest) / (1 - feedback * gain);
    }
    for (uint32_t stage = 0; stage < stages; stage += 1) {
        bl_double2 y = a[stage] * x + (1 - a[stage]) * states[stage];
        states[stage] += (1 + a[stage]) * (x - states[stage]);
        x = y;
    }
    return x;
}

/* Processes a stretch of a pair of channels, in place: `stages` is a constant of each call, so that
   the states stay in registers. */
BL_INLINE void run(bl_double2 *kept, uint32_t stages, bool vibe, const stretch *now,
                   bl_double2 *samples) BL_NONBLOCKING {
    bl_double2 states[MOST_STAGES];
    for (uint32_t stage = 0; stage < stages; stage += 1) {
        states[stage] = kept[stage];
    }
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        bl_double2 a[MOST_STAGES];
        for (uint32_t stage = 0; stage < stages; stage += 1) {
            bl_double2 g = vibe ? now->tuning[frame] * vibe_ratios[stage] : now->tuning[frame];
            a[stage] = stage == 0 || vibe ? (g - 1) / (g + 1) : a[0];
        }
        samples[frame] = tick(states, stages, a, now->feedback[frame], samples[frame]);
    }
    for (uint32_t stage = 0; stage < stages; stage += 1) {
        kept[stage] = states[stage];
    }
}

BL_INLINE void run_chain(bl_double2 *states, uint32_t chain, const stretch *now,
                         bl_double2 *samples) BL_NONBLOCKING {
    switch (chain) {
    case 0: run(states, 2, false, now, samples); break;
    case 1: run(states, 4, false, now, samples); break;
    case 2: run(states, 6, false, now, samples); break;
    case 3: run(states, 8, false, now, samples); break;
    case 4: run(states, 12, false, now, samples); break;
    default: run(states, 4, true, now, samples); break;
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    phaser_unit *phaser = (phaser_unit *)unit;
    uint32_t channels = phaser->base.output_channel_count;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        follow_chain(phaser);
        now.frames = bl_fewer(frames - done, BL_CHUNK_FRAMES);
        now.frames = bl_frames_before_end(&phaser->sounding, now.frames);
        prepare(phaser, first_frame + done, &now);
        for (uint32_t channel = 0; channel < channels; channel += 2) {
            bl_double2 samples[BL_CHUNK_FRAMES];
            bl_pair_read(io->input, channels, channel, first_frame + done, samples, now.frames);
            run_chain(phaser->states[channel / 2], phaser->chain, &now, samples);
            for (uint32_t side = 0; side < bl_fewer(2, channels - channel); side += 1) {
                const float *from = io->input[channel + side] + first_frame + done;
                float *to = io->output[channel + side] + first_frame + done;
                for (uint32_t frame = 0; frame < now.frames; frame += 1) {
                    to[frame] =
                        now.dry[frame] * from[frame] + now.wet[frame] * (float)samples[frame][side];
                }
            }
        }
    }
}

BL_KIT(phaser_unit, .process = process, .cycle = cycle, .reset = reset)

/* The slowest stage's time to -60 dB, longer with feedback by the loop's gain. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_ramp *ramps = ((const bl_unit_base *)unit)->parameters;
    double lowest = (double)ramps[CENTER].target * exp2(-(double)ramps[DEPTH].target);
    bool vibe = wanted_chain((const phaser_unit *)unit) == VIBE;
    uint32_t stages = stage_counts[wanted_chain((const phaser_unit *)unit)];
    double feedback = fabs((double)ramps[FEEDBACK].target) * 0.01;
    return stages * 6.9 / (6.283 * lowest * (vibe ? vibe_ratios[1] : 1) * (1 - feedback));
}

const bl_unit_descriptor bl_phaser = {
    BL_EFFECT('p', 'h', 'a', 's'),
    .name = "Phaser",
    BL_TAGS("Modulation", "Guitar"),
    .summary = "Sweeps a few notches through the sound, as rings on water; also as a Uni-Vibe",
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
