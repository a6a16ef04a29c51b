/* Pitch Shifter: up to four voices at other pitches, in a scale if set, bent by a pedal. */
#include "pitch_shifter/pitch_shifter.h"

#include <math.h>
#include <string.h>

#include "base/built_in.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "dsp/scale.h"

/* Time in which an interval and a delay change, seconds. */
#define SEMITONE_TIME 0.01
#define DELAY_TIME 0.05

/* The bands: long windows separate the notes of a low close chord, shorter ones the strokes of a
   roll. */
static const bl_vocoder_band low_band = {6144, 0, BL_SHIFTER_CROSSING};
static const bl_vocoder_band high_band = {4096, BL_SHIFTER_CROSSING, INFINITY};

static const char *const qualities[] = {"Live", "High", NULL};
static const char *const scales[] = {BL_SCALE_NAMES, NULL};
static const char *const roots[] = {BL_ROOT_NAMES, NULL};

#define VOICE(NUMBER, SEMITONES)                                                                   \
    [BL_SHIFTER_PLACE(                                                                             \
        NUMBER - 1,                                                                                \
        BL_SHIFTER_SEMITONES)] = {"semitones",                                                     \
                                  "voice_" #NUMBER,                                                \
                                  "Semitones",                                                     \
                                  BL_UNIT_SEMITONES,                                               \
                                  -24,                                                             \
                                  24,                                                              \
                                  SEMITONES,                                                       \
                                  BL_CURVE_LINEAR,                                                 \
                                  BL_PARAMETER_DEFAULT_FLAGS,                                      \
                                  .overview_rank = 3 + NUMBER},                                    \
        [BL_SHIFTER_PLACE(NUMBER - 1, BL_SHIFTER_CENTS)] =                                         \
            {"cents",         "voice_" #NUMBER,          "Cents", BL_UNIT_CENTS, -100, 100, 0,     \
             BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS},                                         \
        [BL_SHIFTER_PLACE(NUMBER - 1, BL_SHIFTER_LEVEL)] = {"level",                               \
                                                            "voice_" #NUMBER,                      \
                                                            "Level",                               \
                                                            BL_UNIT_DECIBELS,                      \
                                                            BL_FADER_MINIMUM,                      \
                                                            12,                                    \
                                                            0,                                     \
                                                            BL_CURVE_LINEAR,                       \
                                                            BL_PARAMETER_DEFAULT_FLAGS},           \
        [BL_SHIFTER_PLACE(NUMBER - 1, BL_SHIFTER_PAN)] =                                           \
            {"pan",           "voice_" #NUMBER,          "Pan", BL_UNIT_PAN, -1, 1, 0,             \
             BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS},                                         \
        [BL_SHIFTER_PLACE(NUMBER - 1, BL_SHIFTER_DELAY)] = {"delay",                               \
                                                            "voice_" #NUMBER,                      \
                                                            "Delay",                               \
                                                            BL_UNIT_MILLISECONDS,                  \
                                                            0,                                     \
                                                            BL_SHIFTER_LONGEST_DELAY,              \
                                                            0,                                     \
                                                            BL_CURVE_LINEAR,                       \
                                                            BL_PARAMETER_DEFAULT_FLAGS}

static const bl_parameter_info parameters[BL_SHIFTER_PARAMETERS] = {
    [BL_SHIFTER_QUALITY] = {"quality", NULL, "Quality", BL_UNIT_INDEXED, BL_SHIFTER_LIVE,
                            BL_SHIFTER_HIGH, BL_SHIFTER_LIVE, BL_CURVE_LINEAR,
                            BL_PARAMETER_STEPPED_FLAGS, .value_strings = qualities,
                            .overview_rank = 8},
    [BL_SHIFTER_VOICE_COUNT] = {"voices", NULL, "Voices", BL_UNIT_GENERIC, 1, BL_SHIFTER_VOICES, 1,
                                BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 2},
    /* With a scale other than chromatic, semitones are steps of the scale, from the note that is
       played. */
    [BL_SHIFTER_SCALE] = {"scale", NULL, "Scale", BL_UNIT_INDEXED, 0, BL_SCALE_COUNT - 1,
                          BL_SCALE_CHROMATIC, BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS,
                          .value_strings = scales, .overview_rank = 9},
    [BL_SHIFTER_ROOT] = {"root", NULL, "Root", BL_UNIT_INDEXED, 0, 11, 0, BL_CURVE_LINEAR,
                         BL_PARAMETER_STEPPED_FLAGS, .value_strings = roots, .overview_rank = 10},
    [BL_SHIFTER_PEDAL] = {"pedal", NULL, "Pedal", BL_UNIT_PERCENT, 0, 100, 0, BL_CURVE_LINEAR,
                          BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 3},
    /* The interval that a pressed pedal adds to every voice. */
    [BL_SHIFTER_BEND] = {"bend", NULL, "Bend", BL_UNIT_SEMITONES, -24, 24, 0, BL_CURVE_LINEAR,
                         BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 11},
    [BL_SHIFTER_DRY] = {"dry", NULL, "Dry", BL_UNIT_DECIBELS, BL_FADER_MINIMUM, 12, 0,
                        BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    /* The formants of the voices: those of the input, shifted, or moving with the pitch. */
    [BL_SHIFTER_KEEP_FORMANTS] = {"keep_formants", NULL, "Keep Formants", BL_UNIT_BOOLEAN, 0, 1, 0,
                                  BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 12},
    [BL_SHIFTER_FORMANT_SHIFT] = {"formant_shift", NULL, "Formant Shift", BL_UNIT_SEMITONES, -12,
                                  12, 0, BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS,
                                  .overview_rank = 13},
    VOICE(1, 12),
    VOICE(2, 7),
    VOICE(3, -12),
    VOICE(4, -5),
};

static const bl_parameter_group_info groups[] = {
    {"voice_1", "Voice 1"}, {"voice_2", "Voice 2"}, {"voice_3", "Voice 3"}, {"voice_4", "Voice 4"}};

#define OF(VOICE, PARAMETER, VALUE)                                                                \
    { BL_SHIFTER_PLACE(VOICE - 1, BL_SHIFTER_##PARAMETER), VALUE }

static const bl_factory_preset presets[] = {
    BL_PRESET("Whammy Up", {BL_SHIFTER_DRY, BL_FADER_MINIMUM}, OF(1, SEMITONES, 0),
              {BL_SHIFTER_BEND, 12}),
    BL_PRESET("Dive Bomb", {BL_SHIFTER_DRY, BL_FADER_MINIMUM}, OF(1, SEMITONES, 0),
              {BL_SHIFTER_BEND, -24}),
    BL_PRESET("Drop Tuning", {BL_SHIFTER_DRY, BL_FADER_MINIMUM}, OF(1, SEMITONES, -2)),
    BL_PRESET("Thirds in C", {BL_SHIFTER_DRY, -2}, {BL_SHIFTER_SCALE, BL_SCALE_MAJOR},
              OF(1, SEMITONES, 4), OF(1, LEVEL, -3)),
    BL_PRESET("Twin Leads in A Minor", {BL_SHIFTER_DRY, -3},
              {BL_SHIFTER_SCALE, BL_SCALE_NATURAL_MINOR}, {BL_SHIFTER_ROOT, 9},
              {BL_SHIFTER_VOICE_COUNT, 2}, OF(1, SEMITONES, 3), OF(1, LEVEL, -5), OF(1, PAN, -0.6f),
              OF(2, SEMITONES, 7), OF(2, LEVEL, -7), OF(2, PAN, 0.6f)),
    BL_PRESET("Micro Pitch", {BL_SHIFTER_DRY, -3.5f}, {BL_SHIFTER_VOICE_COUNT, 2},
              OF(1, SEMITONES, 0), OF(1, CENTS, 9), OF(1, PAN, -1), OF(1, DELAY, 12),
              OF(1, LEVEL, -5.5f), OF(2, SEMITONES, 0), OF(2, CENTS, -9), OF(2, PAN, 1),
              OF(2, DELAY, 20), OF(2, LEVEL, -5.5f)),
    BL_PRESET("Fifths and Octaves", {BL_SHIFTER_DRY, -3}, {BL_SHIFTER_VOICE_COUNT, 3},
              OF(1, LEVEL, -8), OF(2, LEVEL, -6), OF(3, LEVEL, -6)),
    BL_PRESET("Vocal Thirds in C", {BL_SHIFTER_DRY, -2}, {BL_SHIFTER_SCALE, BL_SCALE_MAJOR},
              {BL_SHIFTER_KEEP_FORMANTS, 1}, OF(1, SEMITONES, 4), OF(1, LEVEL, -5)),
    BL_PRESET("Lower Voice", {BL_SHIFTER_DRY, BL_FADER_MINIMUM}, {BL_SHIFTER_KEEP_FORMANTS, 1},
              {BL_SHIFTER_FORMANT_SHIFT, -2}, OF(1, SEMITONES, -4)),
    BL_PRESET("Studio Choir", {BL_SHIFTER_QUALITY, BL_SHIFTER_HIGH}, {BL_SHIFTER_DRY, -4},
              {BL_SHIFTER_KEEP_FORMANTS, 1}, {BL_SHIFTER_VOICE_COUNT, 4}, OF(1, SEMITONES, 4),
              OF(1, PAN, -0.7f), OF(1, LEVEL, -9), OF(2, PAN, 0.7f), OF(2, DELAY, 18),
              OF(2, LEVEL, -9), OF(3, PAN, -0.3f), OF(3, DELAY, 9), OF(3, LEVEL, -8),
              OF(4, PAN, 0.3f), OF(4, DELAY, 27), OF(4, LEVEL, -8)),
};

static float target(const bl_shifter_unit *shifter, uint32_t index) BL_NONBLOCKING {
    return shifter->base.parameters[index].target;
}

/* The target weight of a voice: 1 if it plays. */
static float weight(const bl_shifter_unit *shifter, uint32_t voice) BL_NONBLOCKING {
    return (float)voice + 0.5f < target(shifter, BL_SHIFTER_VOICE_COUNT) ? 1.0f : 0.0f;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_shifter_unit *shifter = (bl_shifter_unit *)unit;
    bl_vocoder_reset(&shifter->low);
    bl_vocoder_reset(&shifter->high);
    bl_pitch_tracker_reset(&shifter->tracker, shifter->base.sample_rate);
    bl_splice_reset(&shifter->past, shifter->base.sample_rate);
    for (uint32_t channel = 0; channel < 2; channel += 1) {
        memset(shifter->dry[channel], 0, shifter->low.ring * sizeof(float));
    }
    for (uint32_t index = 0; index < BL_SHIFTER_VOICES; index += 1) {
        bl_shifter_voice *voice = &shifter->voices[index];
        memset(voice->ring, 0, shifter->delay_frames * sizeof(float));
        voice->since = 0;
        voice->splicer = (bl_splicer){0};
        voice->grains = (bl_grains){0};
        bl_ramp_set(&voice->weight, weight(shifter, index));
    }
    shifter->clock = 0;
    shifter->note = 0;
    shifter->marks = (bl_grain_marks){0};
    bl_shifter_set_mode(shifter);
    bl_ramp_set(&shifter->presence, 1);
    bl_ramp_set(&shifter->tone, 0);
    bl_shifter_jump_to_targets(shifter);
}

static void finish(bl_unit *unit) {
    bl_shifter_unit *shifter = (bl_shifter_unit *)unit;
    bl_vocoder_destroy(&shifter->low);
    bl_vocoder_destroy(&shifter->high);
    shifter->factor_steps = 0;
}

static bl_status prepare(bl_unit *unit) {
    bl_shifter_unit *shifter = (bl_shifter_unit *)unit;
    double rate = shifter->base.sample_rate;
    bool has_low = bl_vocoder_create(&shifter->low, rate, &low_band);
    bool has_high = bl_vocoder_create(&shifter->high, rate, &high_band);
    if (!has_low || !has_high) {
        finish(unit);
        return BL_ERROR_OUT_OF_MEMORY;
    }
    uint32_t later = bl_vocoder_share(&shifter->low, &shifter->high);
    shifter->factor_steps = later / BL_VOCODER_STEP + 1;
    shifter->factors = bl_kit_memory(unit, shifter->factor_steps, sizeof *shifter->factors);
    shifter->delay_frames = 1;
    while (shifter->delay_frames < (double)BL_SHIFTER_LONGEST_DELAY * 0.001 * rate + 64) {
        shifter->delay_frames *= 2;
    }
    shifter->past.frames = bl_splice_frames(rate);
    size_t floats = 2 * (size_t)shifter->low.ring + shifter->past.frames +
                    BL_SHIFTER_VOICES * (size_t)shifter->delay_frames;
    float *memory = bl_kit_memory(unit, floats, sizeof(float));
    if (memory == NULL || shifter->factors == NULL) {
        finish(unit);
        return BL_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t channel = 0; channel < 2; channel += 1) {
        shifter->dry[channel] = memory, memory += shifter->low.ring;
    }
    shifter->past.ring = memory, memory += shifter->past.frames;
    for (uint32_t voice = 0; voice < BL_SHIFTER_VOICES; voice += 1) {
        shifter->voices[voice].ring = memory, memory += shifter->delay_frames;
    }
    shifter->semitone_smoothing = 1 - exp(-BL_VOCODER_STEP / (SEMITONE_TIME * rate));
    shifter->delay_smoothing = 1 - exp(-1 / (DELAY_TIME * rate));
    return BL_OK;
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_shifter_unit *shifter = (bl_shifter_unit *)unit;
    bl_kit_apply(unit, event);
    for (uint32_t voice = 0; voice < BL_SHIFTER_VOICES; voice += 1) {
        bl_switch(&shifter->voices[voice].weight, weight(shifter, voice), shifter->base.sample_rate,
                  io == NULL);
    }
    if (io == NULL && shifter->clock == 0) {
        bl_shifter_set_mode(shifter);
        bl_shifter_jump_to_targets(shifter);
    }
}

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    const bl_shifter_unit *shifter = (const bl_shifter_unit *)unit;
    bool high = target(shifter, BL_SHIFTER_QUALITY) > 0.5f;
    return high ? bl_shifter_latency(shifter) : 0;
}

/* The windows, or in Live the rest of the past, and the longest delay. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_shifter_unit *shifter = (const bl_shifter_unit *)unit;
    float longest = 0;
    for (uint32_t voice = 0; voice < BL_SHIFTER_VOICES; voice += 1) {
        longest = fmaxf(longest, target(shifter, BL_SHIFTER_PLACE(voice, BL_SHIFTER_DELAY)));
    }
    bool high = target(shifter, BL_SHIFTER_QUALITY) > 0.5f;
    double window = (double)shifter->low.length / shifter->base.sample_rate;
    return (high ? window : 0.2) + 0.001 * (double)longest;
}

BL_KIT(bl_shifter_unit, .process = bl_shifter_process, .change = change, .prepare = prepare,
       .finish = finish, .reset = reset)

static const bl_channel_capability capabilities[] = {{1, 1}, {2, 2}, {1, 2}};

const bl_unit_descriptor bl_pitch_shifter = {
    BL_EFFECT('p', 't', 'c', 'h'),
    .name = "Pitch Shifter",
    BL_TAGS("Pitch", "Guitar", "Voice"),
    .summary = "Adds up to four voices at other pitches, within a scale if asked, bent by a pedal",
    BL_CHANNEL_CAPABILITIES,
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .latency = latency,
    .tail_time = tail_time,
};
