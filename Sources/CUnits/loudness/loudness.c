/* Loudness meter: measures the sound that passes through it, and leaves it as it is. */
#include "loudness/loudness.h"

#include <string.h>

#include "base/built_in.h"

enum {
    PARAMETER_MOMENTARY, /* the unit's own, like all before PARAMETER_TARGET */
    PARAMETER_SHORT_TERM,
    PARAMETER_INTEGRATED,
    PARAMETER_RANGE,
    PARAMETER_TRUE_PEAK,
    PARAMETER_PEAK_TO_LOUDNESS,
    PARAMETER_DISTANCE,
    PARAMETER_CORRELATION,
    PARAMETER_TARGET,
    PARAMETER_RESET,
    PARAMETER_COUNT
};

enum { PAIRS = (BL_MAXIMUM_CHANNELS + 1) / 2 };

#define LOUDNESS(IDENTIFIER, NAME, UNIT, MINIMUM, MAXIMUM, RANK)                                   \
    {                                                                                              \
        IDENTIFIER, NULL, NAME, BL_UNIT_CUSTOM, MINIMUM, MAXIMUM, MINIMUM, BL_CURVE_LINEAR,        \
            BL_PARAMETER_READABLE, .unit_name = UNIT, .overview_rank = RANK                        \
    }

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PARAMETER_MOMENTARY] = LOUDNESS("momentary", "Momentary", "LUFS", QUIETEST, 40, 1),
    [PARAMETER_SHORT_TERM] = LOUDNESS("short_term", "Short-term", "LUFS", QUIETEST, 40, 2),
    [PARAMETER_INTEGRATED] = LOUDNESS("integrated", "Integrated", "LUFS", QUIETEST, 40, 3),
    [PARAMETER_RANGE] = LOUDNESS("range", "Range", "LU", 0, 100, 4),
    [PARAMETER_TRUE_PEAK] = LOUDNESS("true_peak", "True Peak", "dBTP", QUIETEST, 40, 5),
    [PARAMETER_PEAK_TO_LOUDNESS] = LOUDNESS("plr", "Peak to Loudness", "LU", 0, 140, 6),
    [PARAMETER_DISTANCE] = {"distance", NULL, "Above Target", BL_UNIT_CUSTOM, -100, 100, 0,
                            BL_CURVE_LINEAR, BL_PARAMETER_READABLE, .unit_name = "LU",
                            .overview_rank = 7},
    [PARAMETER_CORRELATION] = {"correlation", NULL, "Correlation", BL_UNIT_GENERIC, -1, 1, 0,
                               BL_CURVE_LINEAR, BL_PARAMETER_READABLE, .overview_rank = 8},
    [PARAMETER_TARGET] = {"target", NULL, "Target", BL_UNIT_CUSTOM, -36, -8, -23, BL_CURVE_LINEAR,
                          BL_PARAMETER_STEPPED_FLAGS, .unit_name = "LUFS"},
    [PARAMETER_RESET] = {"reset", NULL, "Reset", BL_UNIT_BOOLEAN, 0, 1, 0, BL_CURVE_LINEAR,
                         BL_PARAMETER_BUTTON_FLAGS},
};

typedef struct loudness_unit {
    bl_unit_base base;
    k_weighting weighting;
    k_memory memories[PAIRS][2];
    bl_double2 sums[PAIRS];    /* of the weighted squares in this hop */
    uint32_t left, hop_frames; /* frames in this hop, and in a hop */
    loudness_history history;
    bl_true_peak peaks[BL_MAXIMUM_CHANNELS];
    float true_peak;            /* magnitude */
    bl_correlation correlation; /* of the first two channels */
    double correlation_pace;
} loudness_unit;

BL_CREATE(loudness_unit)

/* dBTP */
static double true_peak_level(const loudness_unit *loudness) BL_NONBLOCKING {
    return 20 * (double)log10f(loudness->true_peak > 1e-5f ? loudness->true_peak : 1e-5f);
}

static float parameter_value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const loudness_unit *loudness = (const loudness_unit *)unit;
    double integrated = loudness->history.integrated_loudness;
    bool is_measured = integrated > QUIETEST;
    switch (address) {
    case PARAMETER_MOMENTARY:
        return (float)loudness->history.momentary_loudness;
    case PARAMETER_SHORT_TERM:
        return (float)loudness->history.short_term_loudness;
    case PARAMETER_INTEGRATED:
        return (float)integrated;
    case PARAMETER_RANGE:
        return (float)loudness->history.range;
    case PARAMETER_TRUE_PEAK:
        return (float)true_peak_level(loudness);
    case PARAMETER_PEAK_TO_LOUDNESS:
        return is_measured ? (float)(true_peak_level(loudness) - integrated) : 0;
    case PARAMETER_DISTANCE:
        return is_measured ? (float)integrated - loudness->base.parameters[PARAMETER_TARGET].target
                           : 0;
    case PARAMETER_CORRELATION:
        return bl_correlation_value(&loudness->correlation);
    default:
        return bl_unit_base_parameter_value(unit, address);
    }
}

/* Begins to measure anew; the filters go on. */
static void restart(loudness_unit *loudness) BL_NONBLOCKING {
    loudness_history_clear(&loudness->history);
    memset(loudness->sums, 0, sizeof loudness->sums);
    loudness->left = loudness->hop_frames;
    loudness->true_peak = 0;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    loudness_unit *loudness = (loudness_unit *)unit;
    bl_unit_base_finish_ramps(&loudness->base);
    memset(loudness->memories, 0, sizeof loudness->memories);
    memset(loudness->peaks, 0, sizeof loudness->peaks);
    loudness->correlation = (bl_correlation){0};
    restart(loudness);
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    loudness_unit *loudness = (loudness_unit *)unit;
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status == BL_OK) {
        loudness->weighting = k_weighting_at(configuration->sample_rate);
        loudness->correlation_pace = bl_correlation_pace(configuration->sample_rate);
        loudness->hop_frames = (uint32_t)(configuration->sample_rate / 10 + 0.5);
        reset(unit);
    }
    return status;
}

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    if (address != PARAMETER_RESET) {
        bl_unit_base_set_parameter(unit, address, value);
    }
}

/* Each event that switches reset on is a press. */
static void apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    bool is_parameter = event->type == BL_EVENT_PARAMETER || event->type == BL_EVENT_PARAMETER_RAMP;
    if (!is_parameter || event->parameter.address != PARAMETER_RESET) {
        bl_unit_base_apply((bl_unit_base *)unit, event);
    } else if (event->parameter.value >= 0.5f) {
        restart((loudness_unit *)unit);
    }
}

/* The channel's weight: speakers 60° to 120° off the middle, the last two of four, five, six and
   eight channels in the order of WAVE files, count 1.5 dB more, low-frequency effects not at all.
 */
static double weight(uint32_t channel, uint32_t channels) BL_NONBLOCKING {
    bool has_sides = (channels >= 4 && channels <= 6) || channels == 8;
    bool has_effects = channels == 6 || channels == 8;
    return has_effects && channel == 3 ? 0 : has_sides && channel + 2 >= channels ? 1.41 : 1;
}

/* Ends a hop. */
static void finish_hop(loudness_unit *loudness) BL_NONBLOCKING {
    uint32_t channels = loudness->base.output_channel_count;
    double energy = 0;
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        energy += weight(channel, channels) * loudness->sums[channel / 2][channel % 2];
    }
    memset(loudness->sums, 0, sizeof loudness->sums);
    loudness->left = loudness->hop_frames;
    loudness_history_add(&loudness->history, energy / loudness->hop_frames);
}

/* Sums up the weighted squares of a pair of channels. */
BL_INLINE void sum_pair(loudness_unit *loudness, uint32_t pair, const float *left,
                        const float *right, uint32_t frames) BL_NONBLOCKING {
    k_weighting weighting = loudness->weighting;
    k_memory shelf = loudness->memories[pair][0];
    k_memory high_pass = loudness->memories[pair][1];
    bl_double2 sum = loudness->sums[pair];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 sample = {(double)left[frame], (double)right[frame]};
        sample = k_stage_tick(&weighting.shelf, &shelf, sample);
        sample = k_stage_tick(&weighting.high_pass, &high_pass, sample);
        sum += sample * sample;
    }
    loudness->memories[pair][0] = shelf;
    loudness->memories[pair][1] = high_pass;
    loudness->sums[pair] = sum;
}

/* Of the first pair of channels. */
BL_INLINE void correlate(loudness_unit *loudness, const float *left, const float *right,
                         uint32_t frames) BL_NONBLOCKING {
    bl_correlation correlation = loudness->correlation;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 sample = {(double)left[frame], (double)right[frame]};
        bl_correlation_hear(&correlation, loudness->correlation_pace, sample);
    }
    loudness->correlation = correlation;
}

BL_INLINE void read_peak(loudness_unit *loudness, uint32_t channel, const float *input,
                         uint32_t frames) BL_NONBLOCKING {
    float levels[BL_CHUNK_FRAMES];
    bl_true_peak_read(&loudness->peaks[channel], input, levels, frames);
    float most = loudness->true_peak;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        most = levels[frame] > most ? levels[frame] : most;
    }
    loudness->true_peak = most;
}

BL_VECTOR_CLONES
static void process(bl_unit *unit, float *const *input, float *const *output, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    loudness_unit *loudness = (loudness_unit *)unit;
    uint32_t channels = loudness->base.output_channel_count;
    for (uint32_t done = 0, count; done < frames; done += count) {
        uint32_t first = first_frame + done;
        count = bl_fewer(bl_fewer(frames - done, BL_CHUNK_FRAMES), loudness->left);
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            const float *from = input[channel] + first;
            if (channel % 2 == 0) {
                /* An odd last channel goes through as both of its pair. */
                uint32_t other = channel + 1 < channels ? channel + 1 : channel;
                sum_pair(loudness, channel / 2, from, input[other] + first, count);
                if (channel == 0) {
                    correlate(loudness, from, input[other] + first, count);
                }
            }
            read_peak(loudness, channel, from, count);
            memmove(output[channel] + first, from, count * sizeof(float));
        }
        loudness->left -= count;
        if (loudness->left == 0) {
            finish_hop(loudness);
        }
    }
}

BL_EFFECT_RENDER(apply, process)

static const char *const tags[] = {"Utility", "Mastering", "Dynamics", NULL};

const bl_unit_descriptor bl_loudness_meter = {
    BL_BUILT_IN(BL_TYPE_EFFECT, 'l', 'u', 'f', 's'),
    .name = "Loudness Meter",
    .summary = "Measures loudness and true peak of the sound that passes through it",
    BL_EFFECT_BUSSES,
    BL_UNIT_BASE_LIFE,
    .set_parameter = set_parameter,
    .parameter_value = parameter_value,
    .allocate_render_resources = allocate,
};
