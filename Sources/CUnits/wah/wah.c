/* Wah: a resonance moved by a pedal, the playing or an oscillator. */
#include <math.h>

#include "base/beat_lfo.h"
#include "base/effect.h"
#include "dsp/declick.h"
#include "dsp/glide.h"
#include "dsp/lfo.h"
#include "dsp/log2.h"
#include "dsp/svf.h"

enum {
    PEDAL,
    HEEL,
    TOE,
    Q,
    TYPE,
    ENVELOPE_AMOUNT,
    SENSITIVITY,
    ATTACK,
    RELEASE,
    LFO_AMOUNT,
    RATE,
    SYNC,
    LEVEL,
    MIX,
    PARAMETER_COUNT
};

/* Glide time of a moved pedal, seconds. */
#define PEDAL_TIME 0.01

static const char *const types[] = {"Band-Pass", "Low-Pass", NULL};
static const bl_parameter_group_info groups[] = {{"envelope", "Envelope"}, {"lfo", "LFO"}};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PEDAL] = BL_KNOB("pedal", "Pedal", PERCENT, LINEAR, 0, 100, 0, 1),
    [HEEL] = BL_KNOB("heel", "Heel", HERTZ, LOGARITHMIC, 100, 2000, 420, 6),
    [TOE] = BL_KNOB("toe", "Toe", HERTZ, LOGARITHMIC, 500, 8000, 2200, 7),
    [Q] = BL_KNOB("q", "Q", GENERIC, LOGARITHMIC, 0.7f, 20, 4, 4),
    [TYPE] = BL_CHOICE("type", "Type", types, 0, 8),
    /* The pedal's movement at full envelope. */
    [ENVELOPE_AMOUNT] =
        BL_KNOB("amount", "Envelope Amount", PERCENT, LINEAR, -100, 100, 0, 2, .group = "envelope",
                BL_DEPENDENTS("envelope.sensitivity", "envelope.attack", "envelope.release")),
    /* The input level of a full envelope. */
    [SENSITIVITY] = BL_KNOB("sensitivity", "Sensitivity", DECIBELS, LINEAR, -60, 0, -18, 3,
                            .group = "envelope"),
    [ATTACK] =
        BL_KNOB("attack", "Attack", MILLISECONDS, LOGARITHMIC, 0.1f, 50, 5, 0, .group = "envelope"),
    [RELEASE] = BL_KNOB("release", "Release", MILLISECONDS, LOGARITHMIC, 10, 2000, 200, 0,
                        .group = "envelope"),
    /* The LFO's range from end to end. */
    [LFO_AMOUNT] = BL_KNOB("amount", "LFO Amount", PERCENT, LINEAR, 0, 100, 0, 5, .group = "lfo",
                           BL_DEPENDENTS("lfo.rate", "lfo.sync")),
    [RATE] = BL_KNOB("rate", "LFO Rate", HERTZ, LOGARITHMIC, 0.05f, 20, 1.5f, 0, .group = "lfo"),
    [SYNC] = BL_CHOICE("sync", "LFO Sync", bl_lfo_sync_names, 0, 0, .group = "lfo",
                       BL_DEPENDENTS("lfo.rate")),
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -24, 24, 10, 9),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 10),
};

#define SWEEP(position, heel, toe, q, level)                                                       \
    {PEDAL, position}, {HEEL, heel}, {TOE, toe}, {Q, q}, { LEVEL, level }
#define ENVELOPE(amount, sensitivity, attack, release)                                             \
    {ENVELOPE_AMOUNT, amount}, {SENSITIVITY, sensitivity}, {ATTACK, attack}, { RELEASE, release }

static const bl_factory_preset presets[] = {
    BL_PRESET("Pedal", SWEEP(40, 420, 2200, 4, 9)),
    BL_PRESET("Bass Pedal", SWEEP(40, 180, 1200, 2.5f, 16), {MIX, 80}),
    BL_PRESET("Funk Auto-Wah", SWEEP(5, 350, 2500, 5, 8.2f), ENVELOPE(90, -18, 4, 150)),
    BL_PRESET("Down Quack", SWEEP(85, 350, 2500, 5, 12.5f), ENVELOPE(-80, -18, 3, 180)),
    BL_PRESET("Envelope Filter", SWEEP(0, 150, 4000, 3, -3.4f), ENVELOPE(100, -14, 10, 250),
              {TYPE, 1}),
    BL_PRESET("Slow LFO", SWEEP(50, 350, 2000, 4, 9), {LFO_AMOUNT, 90}, {RATE, 0.6f}),
    BL_PRESET("Eighths", SWEEP(50, 300, 3000, 4, 8.8f), {LFO_AMOUNT, 100}, {SYNC, 6}),
    BL_PRESET("Cocked", SWEEP(62, 420, 2200, 6, 13.5f), {MIX, 75}),
};

typedef struct wah_unit {
    bl_unit_base base;
    bl_beat_lfo lfo;
    bl_glide pedal; /* percent */
    double envelope;
    bl_ramp low_pass;                                   /* weight of the type Low-Pass, 0 to 1 */
    bl_svf_state states[(BL_MAXIMUM_CHANNELS + 1) / 2]; /* one per pair of channels */
} wah_unit;

static void reset(bl_unit *unit) BL_NONBLOCKING {
    wah_unit *wah = (wah_unit *)unit;
    wah->lfo = (bl_beat_lfo){0};
    wah->envelope = 0;
    wah->pedal = (bl_glide){.value = (double)wah->base.parameters[PEDAL].target};
    bl_ramp_set(&wah->low_pass, wah->base.parameters[TYPE].target);
    memset(wah->states, 0, sizeof wah->states);
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    wah_unit *wah = (wah_unit *)unit;
    bl_kit_apply(unit, event);
    bl_switch(&wah->low_pass, wah->base.parameters[TYPE].target, wah->base.sample_rate, io == NULL);
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    bl_turns_follow(&((wah_unit *)unit)->lfo.turns, (const bl_unit_base *)unit, io);
}

BL_INLINE bool is_zero(const bl_ramp *ramp) BL_NONBLOCKING {
    return !bl_ramp_is_moving(ramp) && ramp->target == 0;
}

/* Fills in the envelope's pace per frame, for a time constant in milliseconds. */
BL_INLINE void fill_steps(const wah_unit *wah, uint32_t index, float *steps,
                          uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *time = &wah->base.parameters[index];
    float per_frame = -1.44269504f / (float)(0.001 * wah->base.sample_rate);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        steps[frame] = 1.0f - bl_exp2(per_frame / bl_ramp_value(time, frame));
    }
}

/* Follows the peaks of the loudest channel, 1 at the sensitivity's level; `envelopes` must be 0
   before. */
BL_INLINE void follow(wah_unit *wah, float *const *input, uint32_t first_frame, float *envelopes,
                      uint32_t frames) BL_NONBLOCKING {
    float attacks[BL_CHUNK_FRAMES], releases[BL_CHUNK_FRAMES];
    fill_steps(wah, ATTACK, attacks, frames);
    fill_steps(wah, RELEASE, releases, frames);
    for (uint32_t channel = 0; channel < wah->base.output_channel_count; channel += 1) {
        const float *samples = input[channel] + first_frame;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float size = samples[frame] < 0 ? -samples[frame] : samples[frame];
            envelopes[frame] = size > envelopes[frame] ? size : envelopes[frame];
        }
    }
    double envelope = wah->envelope;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double away = (double)envelopes[frame] - envelope;
        envelope += away * (double)(away > 0 ? attacks[frame] : releases[frame]);
        envelopes[frame] = (float)envelope;
    }
    wah->envelope = envelope;
    const bl_ramp *sensitivity = &wah->base.parameters[SENSITIVITY];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float scaled = envelopes[frame] * bl_decibels_to_gain(-bl_ramp_value(sensitivity, frame));
        envelopes[frame] = scaled < 1 ? scaled : 1;
    }
}

/* Computes the filters of `frames` frames. The pedal's law: equal parts of its way are equal
   octaves. */
BL_INLINE void tune(wah_unit *wah, const float *envelopes, const uint32_t *phases,
                    bl_svf_coefficients *coefficients, uint32_t frames) BL_NONBLOCKING {
    bl_ramp *ramps = wah->base.parameters;
    double rate = 1 / (PEDAL_TIME * wah->base.sample_rate);
    float period = (float)(1 / wah->base.sample_rate);
    float pedals[BL_CHUNK_FRAMES];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double pedal = (double)bl_ramp_value(&ramps[PEDAL], frame);
        pedals[frame] = (float)bl_glide_step(&wah->pedal, pedal, rate, INFINITY);
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float place = pedals[frame] +
                      bl_ramp_value(&ramps[ENVELOPE_AMOUNT], frame) * envelopes[frame] +
                      bl_ramp_value(&ramps[LFO_AMOUNT], frame) * 0.5f * bl_sine(phases[frame]);
        place = place > 0 ? place : 0;
        place = place < 100 ? place * 0.01f : 1;
        float heel = bl_log2(bl_ramp_value(&ramps[HEEL], frame));
        float toe = bl_log2(bl_ramp_value(&ramps[TOE], frame));
        float cutoff = bl_exp2(heel + place * (toe - heel));
        float resonance = 6.0205999f * bl_log2(1.41421356f * bl_ramp_value(&ramps[Q], frame));
        bl_svf_tune(&coefficients[frame], cutoff * period, resonance);
    }
}

/* Fills in the filters of `frames` frames, in which no ramp ends. Returns whether nothing moves:
   then the first is that of all frames. */
BL_INLINE bool prepare(wah_unit *wah, float *const *input, uint32_t first_frame,
                       bl_svf_coefficients *coefficients, uint32_t frames) BL_NONBLOCKING {
    bl_ramp *ramps = wah->base.parameters;
    bool follows = !is_zero(&ramps[ENVELOPE_AMOUNT]);
    bool stands = !follows && is_zero(&ramps[LFO_AMOUNT]) && !bl_ramp_is_moving(&ramps[HEEL]) &&
                  !bl_ramp_is_moving(&ramps[TOE]) && !bl_ramp_is_moving(&ramps[Q]) &&
                  !bl_ramp_is_moving(&ramps[PEDAL]) &&
                  bl_glide_rests(&wah->pedal, (double)ramps[PEDAL].target);
    float envelopes[BL_CHUNK_FRAMES] = {0};
    uint32_t phases[BL_CHUNK_FRAMES];
    bl_beat_lfo_fill(&wah->lfo, &ramps[RATE], &ramps[SYNC], wah->base.sample_rate, first_frame,
                     phases, frames);
    if (follows) {
        follow(wah, input, first_frame, envelopes, frames);
    }
    tune(wah, envelopes, phases, coefficients, stands ? 1 : frames);
    return stands;
}

/* Filters a pair of channels. */
BL_INLINE void run(bl_svf_state *kept, const bl_svf_coefficients *coefficients, bool stands,
                   const float *low, const float *dry, const float *wet, const float *const from[2],
                   float *const to[2], uint32_t frames) BL_NONBLOCKING {
    bl_svf_state state = *kept;
    bl_svf_coefficients now = coefficients[0];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        now = stands ? now : coefficients[frame];
        bl_double2 sample = {(double)from[0][frame], (double)from[1][frame]};
        bl_svf_outputs outputs = bl_svf_tick(&state, &now, sample);
        bl_double2 band = sample - outputs.low - outputs.high;
        bl_double2 sound = band + (double)low[frame] * (outputs.low - band);
        bl_double2 mixed = (double)dry[frame] * sample + (double)wet[frame] * sound;
        to[0][frame] = (float)mixed[0];
        to[1][frame] = (float)mixed[1];
    }
    *kept = state;
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    wah_unit *wah = (wah_unit *)unit;
    bl_ramp *ramps = wah->base.parameters;
    uint32_t channels = wah->base.output_channel_count;
    bl_svf_coefficients coefficients[BL_CHUNK_FRAMES];
    float wet[BL_CHUNK_FRAMES], dry[BL_CHUNK_FRAMES], low[BL_CHUNK_FRAMES];
    for (uint32_t done = 0, count = 0; done < frames; done += count) {
        count =
            bl_frames_before_ends(ramps, PARAMETER_COUNT, bl_fewer(frames - done, BL_CHUNK_FRAMES));
        bool stands = prepare(wah, io->input, first_frame + done, coefficients, count);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            float mix = bl_ramp_value(&ramps[MIX], frame) * 0.01f;
            wet[frame] = mix * bl_decibels_to_gain(bl_ramp_value(&ramps[LEVEL], frame));
            dry[frame] = 1 - mix;
            low[frame] = bl_ramp_value(&wah->low_pass, frame);
        }
        for (uint32_t channel = 0; channel < channels; channel += 2) {
            /* An odd last channel is both of its pair. */
            uint32_t other = channel + 1 < channels ? channel + 1 : channel;
            const float *from[2] = {io->input[channel] + first_frame + done,
                                    io->input[other] + first_frame + done};
            float *to[2] = {io->output[channel] + first_frame + done,
                            io->output[other] + first_frame + done};
            run(&wah->states[channel / 2], coefficients, stands, low, dry, wet, from, to, count);
        }
        for (uint32_t index = 0; index < PARAMETER_COUNT; index += 1) {
            if (index != RATE) { /* bl_beat_lfo_fill advances this one */
                bl_ramp_advance(&ramps[index], count);
            }
        }
        bl_ramp_advance(&wah->low_pass, count);
    }
}

BL_KIT(wah_unit, .process = process, .change = change, .cycle = cycle, .reset = reset)

/* The resonance's decay to -60 dB at the lowest pitch, exp(-π f t / Q) = 1/1000. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_ramp *ramps = ((const bl_unit_base *)unit)->parameters;
    double heel = (double)ramps[HEEL].target, toe = (double)ramps[TOE].target;
    return 6.907755 * (double)ramps[Q].target / (3.14159265 * (heel < toe ? heel : toe));
}

const bl_unit_descriptor bl_wah = {
    BL_EFFECT('w', 'a', 'h', 'h'),
    .name = "Wah",
    BL_TAGS("Modulation", "Guitar"),
    .summary = "A resonance that a pedal, your playing or an oscillator moves",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
