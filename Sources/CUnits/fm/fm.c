/* FM Synth: six operators that modulate each other. */
#include "fm/fm.h"

#include <string.h>

#include "base/built_in.h"
#include "dsp/declick.h"

static const char *const off_on[] = {"Off", "On", NULL};

#define KNOB(identifier, group, name, unit, least, most, usual, curve, rank)                       \
    {                                                                                              \
        identifier, group, name, unit, least, most, usual, curve, BL_PARAMETER_DEFAULT_FLAGS,      \
            .overview_rank = rank                                                                  \
    }
#define PERCENT(identifier, group, name, most, usual, rank)                                        \
    KNOB(identifier, group, name, BL_UNIT_PERCENT, 0, most, usual, BL_CURVE_LINEAR, rank)
#define SQUARED_PERCENT(identifier, group, name, usual, rank)                                      \
    KNOB(identifier, group, name, BL_UNIT_PERCENT, 0, 100, usual, BL_CURVE_SQUARED, rank)
#define TO_MODULATION(group, name, usual)                                                          \
    KNOB("modulation", group, name, BL_UNIT_PERCENT, -100, 100, usual, BL_CURVE_LINEAR, 0)
/* These apply when a note next begins; decay, sustain and release, at once. */
#define SETTING(identifier, group, name, unit, least, most, usual, curve, rank)                    \
    {                                                                                              \
        identifier, group, name, unit, least, most, usual, curve, BL_PARAMETER_STEPPED_FLAGS,      \
            .overview_rank = rank                                                                  \
    }
#define TIME(identifier, group, name, usual)                                                       \
    SETTING(identifier, group, name, BL_UNIT_SECONDS, 0.001f, 20, usual, BL_CURVE_LOGARITHMIC, 0)
#define SWITCH(identifier, group, name)                                                            \
    {                                                                                              \
        identifier, group, name, BL_UNIT_BOOLEAN, 0, 1, 0, BL_CURVE_LINEAR,                        \
            BL_PARAMETER_STEPPED_FLAGS, .value_strings = off_on                                    \
    }

/* `level` is a carrier's amplitude; a tenth of a modulator's is its index. */
#define OPERATOR(first, group, usual_level, usual_decay, usual_sustain)                            \
    [first +                                                                                       \
        BL_FM_RATIO] =                                                                             \
        KNOB("ratio", group, "Ratio", BL_UNIT_RATIO, 0.1f, 32, 1, BL_CURVE_LOGARITHMIC, 0),        \
        [first + BL_FM_FIXED] = SWITCH("fixed", group, "Fixed"),                                   \
        [first + BL_FM_FREQUENCY] = KNOB("frequency", group, "Frequency", BL_UNIT_HERTZ, 0.1f,     \
                                         10000, 440, BL_CURVE_LOGARITHMIC, 0),                     \
        [first + BL_FM_FINE] =                                                                     \
            KNOB("fine", group, "Fine", BL_UNIT_CENTS, -100, 100, 0, BL_CURVE_LINEAR, 0),          \
        [first + BL_FM_OPERATOR_LEVEL] = SQUARED_PERCENT("level", group, "Level", usual_level, 0), \
        [first + BL_FM_VELOCITY] = SETTING("velocity", group, "Velocity", BL_UNIT_PERCENT, 0, 100, \
                                           60, BL_CURVE_LINEAR, 0),                                \
        [first + BL_FM_KEY] = SETTING("key", group, "Level per Octave", BL_UNIT_DECIBELS, -12, 12, \
                                      0, BL_CURVE_LINEAR, 0),                                      \
        [first + BL_FM_ENVELOPE + BL_LANES_ATTACK] = TIME("attack", group, "Attack", 0.001f),      \
        [first + BL_FM_ENVELOPE + BL_LANES_DECAY] = TIME("decay", group, "Decay", usual_decay),    \
        [first + BL_FM_ENVELOPE + BL_LANES_SUSTAIN] =                                              \
            SETTING("sustain", group, "Sustain", BL_UNIT_PERCENT, 0, 100, usual_sustain,           \
                    BL_CURVE_LINEAR, 0),                                                           \
        [first + BL_FM_ENVELOPE + BL_LANES_RELEASE] = TIME("release", group, "Release", 0.3f)

static const bl_parameter_info parameters[BL_FM_PARAMETER_COUNT] = {
    [BL_FM_LEVEL] =
        KNOB("level", NULL, "Level", BL_UNIT_DECIBELS, -96, 12, -21, BL_CURVE_LINEAR, 1),
    [BL_FM_ALGORITHM] =
        SETTING("algorithm", NULL, "Algorithm", BL_UNIT_GENERIC, 1, 32, 1, BL_CURVE_LINEAR, 2),
    [BL_FM_FEEDBACK] = SQUARED_PERCENT("feedback", NULL, "Feedback", 0, 3),
    /* Of every index. */
    [BL_FM_MODULATION] = PERCENT("modulation", NULL, "Modulation", 200, 100, 4),
    /* At 100 %, attack and decay take half as long for each octave above middle C. */
    [BL_FM_KEY_TIMES] =
        SETTING("key_times", NULL, "Key to Times", BL_UNIT_PERCENT, 0, 100, 0, BL_CURVE_LINEAR, 0),
    [BL_FM_VOICES] = SETTING("voices", NULL, "Voices", BL_UNIT_GENERIC, 1, BL_FM_MOST_VOICES, 16,
                             BL_CURVE_LINEAR, 0),
    [BL_FM_BEND_RANGE] =
        SETTING("bend_range", NULL, "Bend Range", BL_UNIT_SEMITONES, 0, 24, 2, BL_CURVE_LINEAR, 0),
    [BL_FM_LFO_RATE] =
        KNOB("rate", "lfo", "Rate", BL_UNIT_HERTZ, 0.02f, 50, 5.5f, BL_CURVE_LOGARITHMIC, 5),
    [BL_FM_LFO_FADE] =
        SETTING("fade", "lfo", "Fade-In", BL_UNIT_SECONDS, 0, 20, 0, BL_CURVE_SQUARED, 0),
    [BL_FM_LFO_PITCH] =
        KNOB("pitch", "lfo", "To Pitch", BL_UNIT_CENTS, 0, 1200, 0, BL_CURVE_SQUARED, 6),
    [BL_FM_LFO_LEVEL] = PERCENT("level", "lfo", "To Level", 100, 0, 7),
    /* What the LFO adds to the pitch with the modulation wheel all the way up. */
    [BL_FM_WHEEL_VIBRATO] =
        KNOB("vibrato", "wheel", "Wheel to Vibrato", BL_UNIT_CENTS, 0, 100, 30, BL_CURVE_LINEAR, 0),
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

/* Takes over the algorithm, within 20 ms or at once, and the number of voices. */
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

static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    (void)io;
    bl_keys_receive(&((bl_instrument *)unit)->keys, unit, message);
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

/* That of the half-band filter, for low frequencies. */
static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return 2;
}

/* The loudest carrier's envelope, times the velocity. */
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

BL_KIT(bl_fm_unit, .process = bl_fm_process, .change = change, .midi = midi,
       .cycle = bl_instrument_cycle, .reset = reset, .create = create,
       .destroy = bl_instrument_destroy)

static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    (void)index;
    return bl_instrument_read_notes(unit, level, values);
}

static const char *const tags[] = {"Synthesizer", "Keyboard", "Utility", NULL};

const bl_unit_descriptor bl_fm_synth = {
    BL_INSTRUMENT('f', 'm', 'o', 'p'),
    .name = "FM Synth",
    .summary = "Plays up to 32 notes with six operators that modulate each other's phase",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .latency = latency,
    .tail_time = tail_time,
};
