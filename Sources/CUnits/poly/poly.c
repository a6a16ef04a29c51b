/* Poly Synth: oscillators, filter and envelopes of an analogue polyphonic synthesizer. */
#include "poly/poly.h"

#include <math.h>
#include <string.h>

#include "base/built_in.h"
#include "dsp/declick.h"
#include "dsp/lfo.h"
#include "dsp/pan.h"

static const char *const modes[] = {"Poly", "Mono", "Legato", NULL};
static const char *const unison_counts[] = {"1", "2", "3", "4", "5", "6", "7", "8", NULL};
static const char *const shapes[] = {"Sine", "Triangle", "Saw", "Pulse", NULL};
static const char *const filter_modes[] = {"LP 24", "LP 12", "Band Pass", "High Pass",
                                           "Notch", "Off",   NULL};
static const char *const lfo_shapes[] = {"Sine",   "Triangle", "Saw Up", "Saw Down",
                                         "Square", "Random",   NULL};
static const char *const sync_names[] = {"Off", BL_NOTE_LENGTH_NAMES, "2/1", "4/1", "8/1", NULL};
static const char *const off_on[] = {"Off", "On", NULL};
static const char *const of_lfo1_sync[] = {"lfo1.rate", NULL};
static const char *const of_lfo2_sync[] = {"lfo2.rate", NULL};
static const char *const of_sync[] = {"osc2.fm", NULL};

#define KNOB(identifier, group, name, unit, least, most, usual, curve, rank)                       \
    {                                                                                              \
        identifier, group, name, unit, least, most, usual, curve, BL_PARAMETER_DEFAULT_FLAGS,      \
            .overview_rank = rank                                                                  \
    }
#define PERCENT(identifier, group, name, usual, rank)                                              \
    KNOB(identifier, group, name, BL_UNIT_PERCENT, 0, 100, usual, BL_CURVE_LINEAR, rank)
#define OCTAVES(identifier, group, name, least, most, usual, rank)                                 \
    KNOB(identifier, group, name, BL_UNIT_OCTAVES, least, most, usual, BL_CURVE_LINEAR, rank)
#define CENTS(identifier, group, name, least, most)                                                \
    KNOB(identifier, group, name, BL_UNIT_CENTS, least, most, 0, BL_CURVE_LINEAR, 0)
#define SETTING(identifier, group, name, unit, least, most, usual, curve, rank)                    \
    {                                                                                              \
        identifier, group, name, unit, least, most, usual, curve, BL_PARAMETER_STEPPED_FLAGS,      \
            .overview_rank = rank                                                                  \
    }
#define CHOICE(identifier, group, name, last, usual, names, rank)                                  \
    identifier, group, name, BL_UNIT_INDEXED, 0, last, usual, BL_CURVE_LINEAR,                     \
        BL_PARAMETER_STEPPED_FLAGS, .value_strings = names, .overview_rank = rank
#define SWITCH(identifier, group, name, usual)                                                     \
    identifier, group, name, BL_UNIT_BOOLEAN, 0, 1, usual, BL_CURVE_LINEAR,                        \
        BL_PARAMETER_STEPPED_FLAGS, .value_strings = off_on

#define OSCILLATOR(first, group, level)                                                            \
    [first + BL_POLY_SHAPE] = {CHOICE("shape", group, "Shape", BL_POLY_SHAPE_COUNT - 1,            \
                                      BL_POLY_SAW, shapes, 0)},                                    \
             [first + BL_POLY_PITCH] =                                                             \
                 KNOB("pitch", group, "Pitch", BL_UNIT_SEMITONES, -36, 36, 0, BL_CURVE_LINEAR, 0), \
             [first + BL_POLY_FINE] = CENTS("fine", group, "Fine", -100, 100),                     \
             [first + BL_POLY_WIDTH] = KNOB("width", group, "Pulse Width", BL_UNIT_PERCENT, 2, 98, \
                                            50, BL_CURVE_LINEAR, 0),                               \
             [first + BL_POLY_OSCILLATOR_LEVEL] = PERCENT("level", group, "Level", level, 0)

/* A changed attack applies from the next note. */
#define ENVELOPE(first, group, attack, decay, sustain, release, rank)                              \
    [first + BL_LANES_ATTACK] = SETTING("attack", group, "Attack", BL_UNIT_SECONDS, 0.001f, 20,    \
                                        attack, BL_CURVE_LOGARITHMIC, rank),                       \
             [first + BL_LANES_DECAY] = SETTING("decay", group, "Decay", BL_UNIT_SECONDS, 0.001f,  \
                                                20, decay, BL_CURVE_LOGARITHMIC, 0),               \
             [first + BL_LANES_SUSTAIN] = SETTING("sustain", group, "Sustain", BL_UNIT_PERCENT, 0, \
                                                  100, sustain, BL_CURVE_LINEAR, 0),               \
             [first + BL_LANES_RELEASE] =                                                          \
                 SETTING("release", group, "Release", BL_UNIT_SECONDS, 0.001f, 20, release,        \
                         BL_CURVE_LOGARITHMIC, rank == 0 ? 0 : rank + 1)

#define LFO(first, group, rate, of_lfo_sync)                                                       \
    [first +                                                                                       \
        BL_POLY_LFO_SHAPE] = {CHOICE("shape", group, "Shape", 5, 0, lfo_shapes, 0)},               \
        [first + BL_POLY_LFO_RATE] =                                                               \
            KNOB("rate", group, "Rate", BL_UNIT_HERTZ, 0.02f, 50, rate, BL_CURVE_LOGARITHMIC, 0),  \
        [first + BL_POLY_LFO_SYNC] = {CHOICE("sync", group, "Sync", BL_LFO_SYNC_LAST, 0,           \
                                             sync_names, 0),                                       \
                                      .dependent_parameters = of_lfo_sync},                        \
        [first + BL_POLY_LFO_FADE] =                                                               \
            SETTING("fade", group, "Fade-In", BL_UNIT_SECONDS, 0, 20, 0, BL_CURVE_SQUARED, 0),     \
        [first + BL_POLY_LFO_RETRIGGER] = {SWITCH("retrigger", group, "Retrigger", 0)},            \
        [first + BL_POLY_LFO_PITCH] = CENTS("pitch", group, "To Pitch", 0, 1200),                  \
        [first + BL_POLY_LFO_WIDTH] =                                                              \
            KNOB("width", group, "To Pulse Width", BL_UNIT_PERCENT, 0, 48, 0, BL_CURVE_LINEAR, 0), \
        [first + BL_POLY_LFO_CUTOFF] = OCTAVES("cutoff", group, "To Cutoff", 0, 6, 0, 0),          \
        [first + BL_POLY_LFO_LEVEL] = PERCENT("level", group, "To Level", 0, 0)

static const bl_parameter_info parameters[BL_POLY_PARAMETER_COUNT] = {
    [BL_POLY_LEVEL] =
        KNOB("level", NULL, "Level", BL_UNIT_DECIBELS, -96, 12, -20, BL_CURVE_LINEAR, 1),
    [BL_POLY_MODE] = {CHOICE("mode", NULL, "Mode", BL_POLY_LEGATO, BL_POLY_POLY, modes, 8)},
    [BL_POLY_VOICES] = SETTING("voices", NULL, "Voices", BL_UNIT_GENERIC, 1, BL_POLY_MOST_VOICES,
                               16, BL_CURVE_LINEAR, 0),
    [BL_POLY_GLIDE] =
        SETTING("glide", NULL, "Glide", BL_UNIT_SECONDS, 0, 5, 0, BL_CURVE_SQUARED, 7),
    [BL_POLY_BEND_RANGE] =
        SETTING("bend_range", NULL, "Bend Range", BL_UNIT_SEMITONES, 0, 24, 2, BL_CURVE_LINEAR, 0),
    [BL_POLY_UNISON] = {"voices", "unison", "Unison", BL_UNIT_INDEXED, 1, BL_POLY_COPIES, 1,
                        BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .value_strings = unison_counts,
                        .overview_rank = 6},
    [BL_POLY_DETUNE] =
        SETTING("detune", "unison", "Detune", BL_UNIT_CENTS, 0, 100, 12, BL_CURVE_SQUARED, 0),
    [BL_POLY_SPREAD] =
        SETTING("spread", "unison", "Spread", BL_UNIT_PERCENT, 0, 100, 70, BL_CURVE_LINEAR, 0),
    [BL_POLY_DRIFT] = KNOB("drift", NULL, "Drift", BL_UNIT_CENTS, 0, 50, 0, BL_CURVE_SQUARED, 0),
    OSCILLATOR(BL_POLY_FIRST, "osc1", 100),
    OSCILLATOR(BL_POLY_SECOND, "osc2", 0),
    /* Resets the second oscillator with each turn of the first. */
    [BL_POLY_HARD_SYNC] = {SWITCH("sync", "osc2", "Sync", 0), .dependent_parameters = of_sync},
    /* How far the first oscillator moves the frequency of the second, over its own: the index of
       modulation. */
    [BL_POLY_FM] = KNOB("fm", "osc2", "FM", BL_UNIT_RATIO, 0, 10, 0, BL_CURVE_SQUARED, 0),
    [BL_POLY_SUB] = PERCENT("sub", "mixer", "Sub", 0, 0),
    [BL_POLY_NOISE] = PERCENT("noise", "mixer", "Noise", 0, 0),
    [BL_POLY_FILTER_MODE] = {CHOICE("mode", "filter", "Mode", BL_POLY_FILTER_MODE_COUNT - 1,
                                    BL_POLY_LOW_PASS_24, filter_modes, 0)},
    [BL_POLY_CUTOFF] =
        KNOB("cutoff", "filter", "Cutoff", BL_UNIT_HERTZ, 10, 20000, 2000, BL_CURVE_LOGARITHMIC, 2),
    [BL_POLY_RESONANCE] = PERCENT("resonance", "filter", "Resonance", 0, 3),
    [BL_POLY_DRIVE] =
        KNOB("drive", "filter", "Drive", BL_UNIT_DECIBELS, 0, 24, 0, BL_CURVE_LINEAR, 0),
    [BL_POLY_KEY_FOLLOW] = PERCENT("key_follow", "filter", "Key Follow", 0, 0),
    [BL_POLY_ENVELOPE_CUTOFF] = OCTAVES("envelope", "filter", "Envelope", -8, 8, 2, 0),
    [BL_POLY_VELOCITY_CUTOFF] = OCTAVES("velocity", "filter", "Velocity", 0, 6, 0, 0),
    ENVELOPE(BL_POLY_AMPLIFIER, "amplifier", 0.003f, 0.5f, 80, 0.2f, 4),
    [BL_POLY_VELOCITY] = PERCENT("velocity", "amplifier", "Velocity", 70, 0),
    ENVELOPE(BL_POLY_ENVELOPE, "envelope", 0.003f, 0.6f, 30, 0.3f, 0),
    /* Of the second oscillator. */
    [BL_POLY_ENVELOPE_PITCH] =
        KNOB("pitch", "envelope", "To Pitch 2", BL_UNIT_SEMITONES, -48, 48, 0, BL_CURVE_LINEAR, 0),
    LFO(BL_POLY_LFO1, "lfo1", 5.5f, of_lfo1_sync),
    LFO(BL_POLY_LFO2, "lfo2", 0.5f, of_lfo2_sync),
    /* What the first LFO adds to the pitch with the modulation wheel all the way up. */
    [BL_POLY_WHEEL_VIBRATO] =
        KNOB("vibrato", "wheel", "Wheel to Vibrato", BL_UNIT_CENTS, 0, 100, 30, BL_CURVE_LINEAR, 0),
    [BL_POLY_WHEEL_CUTOFF] = OCTAVES("cutoff", "wheel", "Wheel to Cutoff", -6, 6, 0, 0),
    [BL_POLY_PRESSURE_CUTOFF] = OCTAVES("cutoff", "pressure", "Pressure to Cutoff", -6, 6, 1, 0),
    [BL_POLY_TIMBRE_CUTOFF] = OCTAVES("cutoff", "timbre", "Timbre to Cutoff", -6, 6, 2, 0),
};

static const bl_parameter_group_info groups[] = {
    {"unison", "Unison"},     {"osc1", "Oscillator 1"}, {"osc2", "Oscillator 2"},
    {"mixer", "Mixer"},       {"filter", "Filter"},     {"amplifier", "Amplifier"},
    {"envelope", "Envelope"}, {"lfo1", "LFO 1"},        {"lfo2", "LFO 2"},
    {"wheel", "Wheel"},       {"pressure", "Pressure"}, {"timbre", "Timbre"},
};

#include "poly/poly_presets.h"

static const float outputs[BL_POLY_FILTER_MODE_COUNT][BL_POLY_FILTER_OUTPUTS] = {
    [BL_POLY_LOW_PASS_24] = {1},     [BL_POLY_LOW_PASS_12] = {0, 1},
    [BL_POLY_BAND_PASS] = {0, 0, 2}, [BL_POLY_HIGH_PASS] = {0, 0, 0, 1},
    [BL_POLY_NOTCH] = {0, 1, 0, 1},  [BL_POLY_NO_FILTER] = {0, 0, 0, 0, 1},
};

static bool create(bl_unit *unit) {
    return bl_instrument_create(unit, &bl_poly_actions, BL_POLY_SLOTS);
}

static uint32_t choice(const bl_poly_unit *poly, uint32_t index) BL_NONBLOCKING {
    return (uint32_t)(poly->instrument.base.parameters[index].target + 0.5f);
}

/* What choices and unison weigh. */
static void follow(bl_poly_unit *poly, bool at_once) BL_NONBLOCKING {
    double rate = poly->instrument.base.sample_rate;
    for (uint32_t shape = 0; shape < BL_POLY_SHAPE_COUNT; shape += 1) {
        bool first = choice(poly, BL_POLY_FIRST + BL_POLY_SHAPE) == shape;
        bool second = choice(poly, BL_POLY_SECOND + BL_POLY_SHAPE) == shape;
        bl_switch(&poly->shape[0][shape], first, rate, at_once);
        bl_switch(&poly->shape[1][shape], second, rate, at_once);
    }
    bl_switch(&poly->synced, choice(poly, BL_POLY_HARD_SYNC) == 1, rate, at_once);
    for (uint32_t output = 0; output < BL_POLY_FILTER_OUTPUTS; output += 1) {
        bl_switch(&poly->outputs[output], outputs[choice(poly, BL_POLY_FILTER_MODE)][output], rate,
                  at_once);
    }
    uint32_t unison = choice(poly, BL_POLY_UNISON);
    float spread = poly->instrument.base.parameters[BL_POLY_SPREAD].target * 0.01f;
    for (uint32_t copy = 0; copy < BL_POLY_COPIES; copy += 1) {
        bl_pan_gains gains = {0, 0};
        if (copy < unison) {
            float place = bl_poly_copy_place(copy, unison) * spread;
            bl_pan(&gains, 1, 2, place, sqrtf(2.0f / (float)(int32_t)unison));
        }
        bl_switch(&poly->gains[copy][0], gains.left, rate, at_once);
        bl_switch(&poly->gains[copy][1], gains.right, rate, at_once);
    }
    poly->instrument.keys.polyphony = choice(poly, BL_POLY_VOICES);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    bl_keys_reset(&poly->instrument.keys);
    memset(poly->groups, 0, sizeof poly->groups);
    memset(poly->down, 0, sizeof poly->down);
    memset(poly->lfos, 0, sizeof poly->lfos);
    memset(poly->turns, 0, sizeof poly->turns);
    memset(poly->beats, 0, sizeof poly->beats);
    for (uint32_t index = 0; index < BL_POLY_GROUPS; index += 1) {
        bl_lanes_envelope_reset(&poly->groups[index].amplifier);
        bl_lanes_envelope_reset(&poly->groups[index].envelope);
    }
    poly->held.count = 0;
    poly->has_played = false;
    poly->drift_step = 0;
    poly->drift_left = (uint32_t)(BL_POLY_DRIFT_TIME * poly->instrument.base.sample_rate);
    follow(poly, true);
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    bl_instrument_cycle(unit, io);
    for (uint32_t lfo = 0; lfo < BL_POLY_LFOS; lfo += 1) {
        bl_turns_follow(&poly->beats[lfo].turns, &poly->instrument.base, io);
    }
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    uint32_t index = BL_PARAMETER_INDEX(event->parameter.address);
    bl_kit_apply(unit, event);
    follow(poly, io == NULL);
    if (index == BL_POLY_BEND_RANGE) {
        bl_keys_tune(&poly->instrument.keys, unit);
    } else if (index == BL_POLY_VOICES) {
        bl_keys_keep_polyphony(&poly->instrument.keys, unit, poly->instrument.keys.polyphony);
    } else if (index == BL_POLY_MODE) {
        poly->held.count = 0;
    }
}

static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    (void)io;
    bl_poly_receive((bl_poly_unit *)unit, message);
}

/* The release of the last note. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_ramp *ramps = ((const bl_unit_base *)unit)->parameters;
    return (double)ramps[BL_POLY_AMPLIFIER + BL_LANES_RELEASE].target;
}

/* That of the half-band filters, for low frequencies. */
static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return 2;
}

BL_KIT(bl_poly_unit, .process = bl_poly_process, .change = change, .midi = midi, .cycle = cycle,
       .reset = reset, .create = create, .destroy = bl_instrument_destroy)

static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    (void)index;
    return bl_instrument_read_notes(unit, bl_poly_level, values);
}

static const char *const tags[] = {"Synthesizer", "Keyboard", "Utility", NULL};

const bl_unit_descriptor bl_poly_synth = {
    BL_INSTRUMENT('p', 'o', 'l', 'y'),
    .name = "Poly Synth",
    .summary = "Plays up to 64 notes with oscillators, filter and envelopes as analogue ones",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .latency = latency,
    .tail_time = tail_time,
};
