/* De-esser: attenuates the top of a voice where it hisses. The band above a crossover is compared
   with the whole, so that hissing is found in loud and in soft singing alike. */
#include <string.h>

#include "base/effect.h"
#include "dsp/crossover.h"
#include "dsp/envelope.h"
#include "dsp/log2.h"

enum {
    FREQUENCY,
    THRESHOLD,
    RANGE,
    ATTACK,
    RELEASE,
    LISTEN,
    GAIN_REDUCTION, /* written by the unit */
    PARAMETER_COUNT
};

/* The time constant of the mean squares, ms; and a power added to the whole's, so that silence does
   not count as hissing: -80 dB. */
#define WINDOW 5.0f
#define SILENCE 1e-8f

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [FREQUENCY] = BL_KNOB("frequency", "Frequency", HERTZ, LOGARITHMIC, 2000, 12000, 4000, 1),
    [THRESHOLD] = BL_KNOB("threshold", "Threshold", DECIBELS, LINEAR, -30, 0, -12, 2),
    [RANGE] = BL_KNOB("range", "Range", DECIBELS, LINEAR, 0, 24, 8, 3),
    [ATTACK] = BL_KNOB("attack", "Attack", MILLISECONDS, LOGARITHMIC, 0.1f, 20, 1, 0),
    [RELEASE] = BL_KNOB("release", "Release", MILLISECONDS, LOGARITHMIC, 5, 500, 40, 0),
    [LISTEN] = BL_SWITCH("listen", "Listen", 0, 0),
    [GAIN_REDUCTION] = BL_READING("gain_reduction", "Gain Reduction", DECIBELS, 0, 24, 4),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Female Voice", {FREQUENCY, 5000}),
    BL_PRESET("Male Voice", {FREQUENCY, 3500}),
    BL_PRESET("Gentle", {THRESHOLD, -9}, {RANGE, 4}, {ATTACK, 2}, {RELEASE, 60}),
    BL_PRESET("Heavy", {THRESHOLD, -18}, {RANGE, 14}),
    BL_PRESET("Bright Microphone", {FREQUENCY, 6000}, {THRESHOLD, -10}, {RANGE, 10}),
    BL_PRESET("Cymbal Spill", {FREQUENCY, 7000}, {THRESHOLD, -15}, {RANGE, 10}, {ATTACK, 0.5f},
              {RELEASE, 120}),
};

typedef struct de_esser_unit {
    bl_unit_base base;
    bl_crossover crossovers[(BL_MAXIMUM_CHANNELS + 1) / 2]; /* one per pair of channels */
    double whole, top;                                      /* mean squares of all channels */
    bl_envelope envelope;                                   /* envelope of the gain reduction, dB */
    float rate;                                             /* frames per millisecond */
} de_esser_unit;

typedef float chunk[BL_CHUNK_FRAMES];

static void reset(bl_unit *unit) BL_NONBLOCKING {
    de_esser_unit *de_esser = (de_esser_unit *)unit;
    memset(de_esser->crossovers, 0, sizeof de_esser->crossovers);
    de_esser->whole = 0;
    de_esser->top = 0;
    de_esser->envelope = (bl_envelope){0};
    bl_ramp_set(&de_esser->base.parameters[GAIN_REDUCTION], 0);
    de_esser->rate = (float)(de_esser->base.sample_rate * 0.001);
}

/* Splits all channels, the low band into `output` and the high one into `tops`, and sums the
   squares of the input and of the high band. */
BL_INLINE void split(de_esser_unit *de_esser, float *const *input, float *const *output,
                     uint32_t first, chunk *tops, float *whole, float *top,
                     uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *frequency = &de_esser->base.parameters[FREQUENCY];
    uint32_t channels = de_esser->base.output_channel_count;
    bool moves = bl_ramp_is_moving(frequency);
    float period = (float)(1 / de_esser->base.sample_rate);
    bl_svf_coefficients coefficients[BL_CHUNK_FRAMES];
    for (uint32_t frame = 0; frame < (moves ? frames : 1); frame += 1) {
        bl_svf_tune(&coefficients[frame], bl_ramp_value(frequency, frame) * period, 0);
    }
    for (uint32_t channel = 0; channel < channels; channel += 2) {
        /* An odd last channel is paired with silence. */
        bool paired = channel + 1 < channels;
        uint32_t other = paired ? channel + 1 : channel;
        const float *from[2] = {input[channel] + first, input[other] + first};
        float *low[2] = {output[channel] + first, output[other] + first};
        bl_crossover crossover = de_esser->crossovers[channel / 2];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            bl_double2 sample = {(double)from[0][frame], paired ? (double)from[1][frame] : 0};
            bl_svf_outputs bands =
                bl_crossover_tick(&crossover, &coefficients[moves ? frame : 0], sample);
            bl_double2 square = sample * sample;
            bl_double2 top_square = bands.high * bands.high;
            whole[frame] += (float)(square[0] + square[1]);
            top[frame] += (float)(top_square[0] + top_square[1]);
            low[paired][frame] = (float)bands.low[paired];
            low[0][frame] = (float)bands.low[0];
            tops[channel][frame] = (float)bands.high[0];
            tops[channel + 1][frame] = (float)bands.high[1];
        }
        de_esser->crossovers[channel / 2] = crossover;
    }
}

/* Converts squares to gain factors for the high band. */
BL_INLINE void fill_factors(de_esser_unit *de_esser, const float *whole, const float *top,
                            float *factors, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *ramps = de_esser->base.parameters;
    bl_envelope_paces paces = {.hold = 0};
    bl_envelope_fill_paces(&ramps[ATTACK], de_esser->rate, paces.attack, frames);
    bl_envelope_fill_paces(&ramps[RELEASE], de_esser->rate, paces.release, frames);
    double pace = (double)bl_envelope_pace(WINDOW * de_esser->rate);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        de_esser->whole += pace * ((double)whole[frame] - de_esser->whole);
        de_esser->top += pace * ((double)top[frame] - de_esser->top);
        factors[frame] = (float)(de_esser->top / (de_esser->whole + (double)SILENCE));
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float part = factors[frame] > 1e-20f ? factors[frame] : 1e-20f;
        float level = 3.01029995664f * bl_log2(part); /* 10 log10(part) */
        float over = level - bl_ramp_value(&ramps[THRESHOLD], frame);
        float range = bl_ramp_value(&ramps[RANGE], frame);
        over = over > 0.0f ? over : 0.0f;
        factors[frame] = over < range ? over : range;
    }
    bl_envelope_follow(&de_esser->envelope, &paces, factors, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        factors[frame] = bl_decibels_to_gain(-factors[frame]);
    }
}

BL_VECTOR_CLONES
static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    de_esser_unit *de_esser = (de_esser_unit *)unit;
    bl_ramp *ramps = de_esser->base.parameters;
    chunk tops[BL_MAXIMUM_CHANNELS + 1];
    chunk factors;
    for (uint32_t done = 0, count; done < frames; done += count) {
        chunk whole = {0}, top = {0};
        uint32_t first = first_frame + done;
        count =
            bl_frames_before_ends(ramps, PARAMETER_COUNT, bl_fewer(frames - done, BL_CHUNK_FRAMES));
        split(de_esser, io->input, io->output, first, tops, whole, top, count);
        fill_factors(de_esser, whole, top, factors, count);
        for (uint32_t channel = 0; channel < de_esser->base.output_channel_count; channel += 1) {
            float *to = io->output[channel] + first;
            for (uint32_t frame = 0; frame < count; frame += 1) {
                float high = tops[channel][frame];
                float both = to[frame] + factors[frame] * high;
                to[frame] = both + bl_ramp_value(&ramps[LISTEN], frame) * (high - both);
            }
        }
        bl_ramps_advance(ramps, PARAMETER_COUNT, count);
        bl_ramp_set(&ramps[GAIN_REDUCTION], (float)de_esser->envelope.value);
    }
}

BL_KIT(de_esser_unit, .process = process, .change = bl_change_declicked, .reset = reset)

const bl_unit_descriptor bl_de_esser = {
    BL_EFFECT('d', 'e', 'e', 's'),
    .name = "De-esser",
    BL_TAGS("Dynamics", "Voice", "Mixing"),
    .summary = "Turns the top of a voice down where it hisses",
    BL_FACTORY_PRESETS,
};
