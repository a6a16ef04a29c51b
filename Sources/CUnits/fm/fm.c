/* FM Synth: six operators that modulate each other. */
#include "fm/fm.h"

#include <string.h>

#include "base/built_in.h"
#include "dsp/declick.h"

#define PERCENT(identifier, path, name, most, usual, rank)                                         \
    BL_KNOB(identifier, name, PERCENT, LINEAR, 0, most, usual, rank, .group = path)
#define SQUARED_PERCENT(identifier, path, name, usual, rank)                                       \
    BL_KNOB(identifier, name, PERCENT, SQUARED, 0, 100, usual, rank, .group = path)
#define TO_MODULATION(path, name, usual)                                                           \
    BL_KNOB("modulation", name, PERCENT, LINEAR, -100, 100, usual, 0, .group = path)
/* Changed times apply to the next note; decay, sustain and release, at once. */
#define TIME(identifier, path, name, usual)                                                        \
    BL_SETTING(identifier, name, SECONDS, LOGARITHMIC, 0.001f, 20, usual, 0, .group = path)

/* An operator. `level` is a carrier's amplitude; a tenth of a modulator's is its index. */
#define OPERATOR(first, path, usual_level, usual_decay, usual_sustain)                             \
    [first +                                                                                       \
        BL_FM_RATIO] =                                                                             \
        BL_KNOB("ratio", "Ratio", RATIO, LOGARITHMIC, 0.1f, 32, 1, 0, .group = path),              \
        [first + BL_FM_FIXED] = BL_OFF_ON("fixed", "Fixed", 0, 0, .group = path),                  \
        [first + BL_FM_FREQUENCY] = BL_KNOB("frequency", "Frequency", HERTZ, LOGARITHMIC, 0.1f,    \
                                            10000, 440, 0, .group = path),                         \
        [first + BL_FM_FINE] =                                                                     \
            BL_KNOB("fine", "Fine", CENTS, LINEAR, -100, 100, 0, 0, .group = path),                \
        [first + BL_FM_OPERATOR_LEVEL] = SQUARED_PERCENT("level", path, "Level", usual_level, 0),  \
        [first + BL_FM_VELOCITY] =                                                                 \
            BL_SETTING("velocity", "Velocity", PERCENT, LINEAR, 0, 100, 60, 0, .group = path),     \
        [first + BL_FM_KEY] =                                                                      \
            BL_SETTING("key", "Level per Octave", DECIBELS, LINEAR, -12, 12, 0, 0, .group = path), \
        [first + BL_FM_ENVELOPE + BL_LANES_ATTACK] = TIME("attack", path, "Attack", 0.001f),       \
        [first + BL_FM_ENVELOPE + BL_LANES_DECAY] = TIME("decay", path, "Decay", usual_decay),     \
        [first + BL_FM_ENVELOPE + BL_LANES_SUSTAIN] = BL_SETTING(                                  \
            "sustain", "Sustain", PERCENT, LINEAR, 0, 100, usual_sustain, 0, .group = path),       \
        [first + BL_FM_ENVELOPE + BL_LANES_RELEASE] = TIME("release", path, "Release", 0.3f)

static const bl_parameter_info parameters[BL_FM_PARAMETER_COUNT] = {
    [BL_FM_LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -96, 12, -21, 1),
    [BL_FM_ALGORITHM] = BL_SETTING("algorithm", "Algorithm", GENERIC, LINEAR, 1, 32, 1, 2),
    [BL_FM_FEEDBACK] = SQUARED_PERCENT("feedback", NULL, "Feedback", 0, 3),
    /* A factor of every modulation index. */
    [BL_FM_MODULATION] = PERCENT("modulation", NULL, "Modulation", 200, 100, 4),
    /* At 100 %, attack and decay are halved for each octave above middle C. */
    [BL_FM_KEY_TIMES] = BL_SETTING("key_times", "Key to Times", PERCENT, LINEAR, 0, 100, 0, 0),
    [BL_FM_VOICES] = BL_SETTING("voices", "Voices", GENERIC, LINEAR, 1, BL_FM_MOST_VOICES, 16, 0),
    [BL_FM_BEND_RANGE] = BL_SETTING("bend_range", "Bend Range", SEMITONES, LINEAR, 0, 24, 2, 0),
    [BL_FM_LFO_RATE] =
        BL_KNOB("rate", "Rate", HERTZ, LOGARITHMIC, 0.02f, 50, 5.5f, 5, .group = "lfo"),
    [BL_FM_LFO_FADE] = BL_SETTING("fade", "Fade-In", SECONDS, SQUARED, 0, 20, 0, 0, .group = "lfo"),
    [BL_FM_LFO_PITCH] = BL_KNOB("pitch", "To Pitch", CENTS, SQUARED, 0, 1200, 0, 6, .group = "lfo"),
    [BL_FM_LFO_LEVEL] = PERCENT("level", "lfo", "To Level", 100, 0, 7),
    /* The LFO's pitch modulation at the modulation wheel's maximum. */
    [BL_FM_WHEEL_VIBRATO] =
        BL_KNOB("vibrato", "Wheel to Vibrato", CENTS, LINEAR, 0, 100, 30, 0, .group = "wheel"),
    [BL_FM_WHEEL_MODULATION] = TO_MODULATION("wheel", "Wheel to Modulation", 0),
    [BL_FM_PRESSURE_MODULATION] = TO_MODULATION("pressure", "Pressure to Modulation", 30),
    [BL_FM_TIMBRE_MODULATION] = TO_MODULATION("timbre", "Timbre to Modulation", 100),
    OPERATOR(BL_FM_OPERATOR(0), "op1", 100, 2, 60),
    OPERATOR(BL_FM_OPERATOR(1), "op2", 15, 1, 30),
    OPERATOR(BL_FM_OPERATOR(2), "op3", 0, 1, 100),
    OPERATOR(BL_FM_OPERATOR(3), "op4", 0, 1, 100),
    OPERATOR(BL_FM_OPERATOR(4), "op5", 0, 1, 100),
    OPERATOR(BL_FM_OPERATOR(5), "op6", 0, 1, 100),
};

static const bl_parameter_group_info groups[] = {
    {"lfo", "LFO"},        {"wheel", "Wheel"},    {"pressure", "Pressure"}, {"timbre", "Timbre"},
    {"op1", "Operator 1"}, {"op2", "Operator 2"}, {"op3", "Operator 3"},    {"op4", "Operator 4"},
    {"op5", "Operator 5"}, {"op6", "Operator 6"},
};

#include "fm/fm_algorithms.h"
#include "fm/fm_presets.h"

static bool create(bl_unit *unit) {
    return bl_instrument_create(unit, &bl_fm_actions, BL_FM_SLOTS);
}

static bool names(const char *operators, uint32_t index) BL_NONBLOCKING {
    bool found = false;
    for (; *operators != 0; operators += 1) {
        found = found || (uint32_t)(*operators - '1') == index;
    }
    return found;
}

/* Switches the algorithm, within 20 ms or at once, and the number of voices. */
static void follow(bl_fm_unit *fm, bool at_once) BL_NONBLOCKING {
    uint32_t algorithm =
        (uint32_t)(fm->instrument.base.parameters[BL_FM_ALGORITHM].target + 0.5f) - 1;
    for (uint32_t to = 0; to <= BL_FM_OUTPUT; to += 1) {
        for (uint32_t from = 0; from < BL_FM_OPERATORS; from += 1) {
            float weight = names(algorithms[algorithm][to], from) ? 1 : 0;
            bl_switch(&fm->routes[to][from], weight, fm->instrument.base.sample_rate, at_once);
        }
    }
    fm->instrument.keys.polyphony =
        (uint32_t)(fm->instrument.base.parameters[BL_FM_VOICES].target + 0.5f);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    bl_keys_reset(&fm->instrument.keys);
    memset(fm->groups, 0, sizeof fm->groups);
    memset(&fm->half, 0, sizeof fm->half);
    for (uint32_t index = 0; index < BL_FM_GROUPS * BL_FM_OPERATORS; index += 1) {
        bl_fm_group *group = &fm->groups[index / BL_FM_OPERATORS];
        bl_lanes_envelope_reset(&group->envelopes[index % BL_FM_OPERATORS]);
    }
    fm->lfo = 0;
    follow(fm, true);
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    uint32_t index = BL_PARAMETER_INDEX(event->parameter.address);
    bl_kit_apply(unit, event);
    if (io == NULL || index == BL_FM_ALGORITHM || index == BL_FM_VOICES) {
        follow(fm, io == NULL);
    }
    if (index == BL_FM_BEND_RANGE) {
        bl_keys_tune(&fm->instrument.keys, unit);
    } else if (index == BL_FM_VOICES) {
        bl_keys_keep_polyphony(&fm->instrument.keys, unit, fm->instrument.keys.polyphony);
    }
}

/* The longest release of a carrier. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_fm_unit *fm = (const bl_fm_unit *)unit;
    float longest = 0;
    for (uint32_t index = 0; index < BL_FM_OPERATORS; index += 1) {
        float release = bl_fm_operator(fm, index)[BL_FM_ENVELOPE + BL_LANES_RELEASE].target;
        longest = bl_fm_is_carrier(fm, index) && release > longest ? release : longest;
    }
    return (double)longest;
}

/* The half-band filter's latency for low frequencies. */
static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return 2;
}

/* The loudest carrier's envelope times the velocity. */
static float level(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    const bl_fm_unit *fm = (const bl_fm_unit *)unit;
    const bl_fm_group *group = &fm->groups[slot / BL_LANES];
    float loudest = 0;
    for (uint32_t index = 0; index < BL_FM_OPERATORS; index += 1) {
        float value = bl_lanes_envelope_value(&group->envelopes[index], slot % BL_LANES);
        loudest = bl_fm_is_carrier(fm, index) && value > loudest ? value : loudest;
    }
    return loudest * group->voices.velocity[slot % BL_LANES];
}

BL_KIT(bl_fm_unit, .process = bl_fm_process, .change = change, .midi = bl_instrument_midi,
       .express = bl_instrument_express, .cycle = bl_instrument_cycle, .reset = reset,
       .create = create, .destroy = bl_instrument_destroy)

static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    (void)index;
    return bl_instrument_read_notes(unit, level, values);
}

const bl_unit_descriptor bl_fm_synth = {
    BL_INSTRUMENT('f', 'm', 'o', 'p'),
    .name = "FM Synth",
    BL_TAGS("Synthesizer", "Keyboard", "Utility"),
    .summary = "Plays up to 32 notes with six operators that modulate each other's phase",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .latency = latency,
    .tail_time = tail_time,
};
