/* Drum machine: fourteen synthesised drums and cymbals, each in two models, on the keys of General
   MIDI's percussion. */
#include "drum_machine/drum_machine.h"

#include <stdio.h>

#include "base/built_in.h"
#include "base/generator.h"
#include "drum_machine/drum_presets.h"

static const char *const models[] = {"Eight", "Nine", NULL};

/* A voice's settings. All but level and pan are read at a stroke. */
#define VOICE(voice, path, named, decay, pan, rank)                                                \
    [BL_DRUM_PARAMETER(                                                                            \
        voice,                                                                                     \
        BL_DRUM_MODEL)] = BL_CHOICE("model", named " Model", models, 0, 0, .group = path),         \
        [BL_DRUM_PARAMETER(voice, BL_DRUM_TUNE)] =                                                 \
            BL_SETTING("tune", named " Tune", SEMITONES, LINEAR, -24, 24, 0, 0, .group = path),    \
        [BL_DRUM_PARAMETER(voice, BL_DRUM_DECAY)] = BL_SETTING(                                    \
            "decay", named " Decay", SECONDS, LOGARITHMIC, 0.02f, 8, decay, 0, .group = path),     \
        [BL_DRUM_PARAMETER(voice, BL_DRUM_TONE)] =                                                 \
            BL_SETTING("tone", named " Tone", PERCENT, LINEAR, 0, 100, 50, 0, .group = path),      \
        [BL_DRUM_PARAMETER(voice, BL_DRUM_LEVEL)] =                                                \
            BL_KNOB("level", named " Level", DECIBELS, LINEAR, -96, 12, 0, rank, .group = path),   \
        [BL_DRUM_PARAMETER(voice, BL_DRUM_PAN)] =                                                  \
            BL_KNOB("pan", named " Pan", PAN, LINEAR, -1, 1, pan, 0, .group = path)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [KIT_LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -96, 12, -3, 1),
    VOICE(BL_DRUM_KICK, "kick", "Kick", 0.8f, 0, 2),
    VOICE(BL_DRUM_SNARE, "snare", "Snare", 0.3f, 0, 3),
    VOICE(BL_DRUM_RIM, "rim", "Rim", 0.06f, 0.1f, 4),
    VOICE(BL_DRUM_CLAP, "clap", "Clap", 0.4f, -0.1f, 5),
    VOICE(BL_DRUM_CLOSED_HAT, "closed_hat", "Closed Hat", 0.1f, 0.25f, 6),
    VOICE(BL_DRUM_OPEN_HAT, "open_hat", "Open Hat", 0.7f, 0.25f, 7),
    VOICE(BL_DRUM_LOW_TOM, "low_tom", "Low Tom", 0.6f, -0.4f, 8),
    VOICE(BL_DRUM_MID_TOM, "mid_tom", "Mid Tom", 0.5f, 0, 9),
    VOICE(BL_DRUM_HIGH_TOM, "high_tom", "High Tom", 0.4f, 0.4f, 10),
    VOICE(BL_DRUM_CRASH, "crash", "Crash", 2.5f, -0.3f, 11),
    VOICE(BL_DRUM_RIDE, "ride", "Ride", 1.5f, 0.4f, 12),
    VOICE(BL_DRUM_COWBELL, "cowbell", "Cowbell", 0.4f, -0.2f, 13),
    VOICE(BL_DRUM_CLAVES, "claves", "Claves", 0.08f, 0.3f, 14),
    VOICE(BL_DRUM_SHAKER, "shaker", "Shaker", 0.12f, -0.3f, 15),
};

static const bl_parameter_group_info groups[] = {
    {"kick", "Kick"},
    {"snare", "Snare"},
    {"rim", "Rim"},
    {"clap", "Clap"},
    {"closed_hat", "Closed Hat"},
    {"open_hat", "Open Hat"},
    {"low_tom", "Low Tom"},
    {"mid_tom", "Mid Tom"},
    {"high_tom", "High Tom"},
    {"crash", "Crash"},
    {"ride", "Ride"},
    {"cowbell", "Cowbell"},
    {"claves", "Claves"},
    {"shaker", "Shaker"},
};

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_drum_unit *drums = (bl_drum_unit *)unit;
    for (uint32_t voice = 0; voice < BL_DRUM_VOICES; voice += 1) {
        drums->voices[voice] = (bl_drum_voice){0};
    }
    drums->clock = 0;
}

static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    (void)io;
    bl_drum_receive((bl_drum_unit *)unit, message);
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    bl_drum_process((bl_drum_unit *)unit, io->output, first_frame, frames);
}

BL_KIT(bl_drum_unit, .process = process, .midi = midi, .reset = reset)

/* The longest stroke with the present settings. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_ramp *settings = ((const bl_unit_base *)unit)->parameters;
    float longest = 0;
    for (uint32_t voice = 0; voice < BL_DRUM_VOICES; voice += 1) {
        float decay = settings[BL_DRUM_PARAMETER(voice, BL_DRUM_DECAY)].target;
        longest = longest > decay ? longest : decay;
    }
    return BL_DRUM_LONGEST_ATTACK + (double)longest * BL_DRUM_LIFE;
}

static void note_name(const bl_unit *unit, uint8_t channel, uint8_t key, char *name, size_t size) {
    (void)unit, (void)channel;
    uint32_t voice = bl_drum_voice_of(key);
    snprintf(name, size, "%s", voice < BL_DRUM_VOICES ? groups[voice].name : "");
}

static const bl_bus_info output_busses[] = {{"output", 2, 0}};
static const bl_channel_capability capabilities[] = {{0, 1}, {0, 2}};

const bl_unit_descriptor bl_drum_machine = {
    BL_BUILT_IN(BL_TYPE_INSTRUMENT, 'd', 'r', 'u', 'm'),
    .name = "Drum Machine",
    BL_TAGS("Drums", "Synthesizer"),
    .summary = "Plays fourteen synthesised drums and cymbals by the keys of General MIDI",
    .flags = BL_UNIT_MIDI_INPUT,
    .output_busses = output_busses,
    .output_bus_count = 1,
    BL_CHANNEL_CAPABILITIES,
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
    .note_name = note_name,
};
