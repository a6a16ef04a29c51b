/* Loudness meter: measures the sound, and passes it unchanged. */
#include "loudness/loudness.h"

#include <string.h>

#include "base/built_in.h"
#include "loudness/loudness_measure.h"

enum {
    MOMENTARY, /* a meter, like all before TARGET */
    SHORT_TERM,
    INTEGRATED,
    RANGE,
    TRUE_PEAK,
    PEAK_TO_LOUDNESS,
    DISTANCE,
    CORRELATION,
    TARGET,
    RESET,
    PARAMETER_COUNT
};

#define LOUDNESS(ID, NAME, UNIT, MINIMUM, MAXIMUM, RANK)                                           \
    BL_PARAMETER_ROW(ID, NAME, CUSTOM, LINEAR, MINIMUM, MAXIMUM, MINIMUM, BL_PARAMETER_READABLE,   \
                     RANK, .unit_name = UNIT)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [MOMENTARY] = LOUDNESS("momentary", "Momentary", "LUFS", QUIETEST, 40, 1),
    [SHORT_TERM] = LOUDNESS("short_term", "Short-term", "LUFS", QUIETEST, 40, 2),
    [INTEGRATED] = LOUDNESS("integrated", "Integrated", "LUFS", QUIETEST, 40, 3),
    [RANGE] = LOUDNESS("range", "Range", "LU", 0, 100, 4),
    [TRUE_PEAK] = LOUDNESS("true_peak", "True Peak", "dBTP", QUIETEST, 40, 5),
    [PEAK_TO_LOUDNESS] = LOUDNESS("plr", "Peak to Loudness", "LU", 0, 140, 6),
    [DISTANCE] = BL_READING("distance", "Above Target", CUSTOM, -100, 100, 7, .unit_name = "LU"),
    [CORRELATION] = BL_READING("correlation", "Correlation", GENERIC, -1, 1, 8),
    [TARGET] = BL_SETTING("target", "Target", CUSTOM, LINEAR, -36, -8, -23, 0, .unit_name = "LUFS"),
    [RESET] = BL_BUTTON("reset", "Reset", 0),
};

typedef struct loudness_unit {
    bl_unit_base base;
    loudness_measure measure;
    bl_correlation correlation; /* correlation of the first two channels */
    double correlation_pace;
} loudness_unit;

static float value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const loudness_unit *loudness = (const loudness_unit *)unit;
    double integrated = loudness->measure.history.integrated_loudness;
    bool is_measured = integrated > QUIETEST;
    switch (address) {
    case MOMENTARY: return (float)loudness->measure.history.momentary_loudness;
    case SHORT_TERM: return (float)loudness->measure.history.short_term_loudness;
    case INTEGRATED: return (float)integrated;
    case RANGE: return (float)loudness->measure.history.range;
    case TRUE_PEAK: return (float)loudness_measure_true_peak(&loudness->measure);
    case PEAK_TO_LOUDNESS:
        return is_measured ? (float)(loudness_measure_true_peak(&loudness->measure) - integrated)
                           : 0;
    case DISTANCE:
        return is_measured ? (float)integrated - loudness->base.parameters[TARGET].target : 0;
    case CORRELATION: return bl_correlation_value(&loudness->correlation);
    default: return bl_kit_value(unit, address);
    }
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    loudness_unit *loudness = (loudness_unit *)unit;
    loudness->correlation = (bl_correlation){0};
    loudness_measure_reset(&loudness->measure);
}

static bl_status prepare(bl_unit *unit) {
    loudness_unit *loudness = (loudness_unit *)unit;
    double rate = loudness->base.sample_rate;
    loudness_measure_prepare(&loudness->measure, rate, loudness->base.output_channel_count);
    loudness->correlation_pace = bl_correlation_pace(rate);
    return BL_OK;
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    (void)io;
    if (bl_kit_is_press(event, RESET)) {
        loudness_measure_restart(&((loudness_unit *)unit)->measure);
    }
    bl_kit_apply(unit, event);
}

/* Measures the correlation of the first two channels. */
BL_INLINE void correlate(loudness_unit *loudness, const float *left, const float *right,
                         uint32_t frames) BL_NONBLOCKING {
    bl_correlation correlation = loudness->correlation;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 sample = {(double)left[frame], (double)right[frame]};
        bl_correlation_hear(&correlation, loudness->correlation_pace, sample);
    }
    loudness->correlation = correlation;
}

BL_VECTOR_CLONES
static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    loudness_unit *loudness = (loudness_unit *)unit;
    uint32_t channels = loudness->base.output_channel_count;
    loudness_measure_read(&loudness->measure, io->input, first_frame, frames);
    correlate(loudness, io->input[0] + first_frame, io->input[channels > 1] + first_frame, frames);
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        memmove(io->output[channel] + first_frame, io->input[channel] + first_frame,
                frames * sizeof(float));
    }
}

BL_KIT(loudness_unit, .process = process, .change = change, .prepare = prepare, .reset = reset,
       .value = value)

const bl_unit_descriptor bl_loudness_meter = {
    BL_EFFECT('l', 'u', 'f', 's'),
    .name = "Loudness Meter",
    BL_TAGS("Utility", "Mastering", "Dynamics"),
    .summary = "Measures loudness and true peak of the sound that passes through it",
};
