/* Delay: echoes, each a copy of the one before, softer and darker. */
#include "delay/delay_diffusion.h"

#include <math.h>

#include "base/built_in.h"
#include "dsp/note_length.h"

#define LONGEST_TIME 20.0
/* Crossfade time of a changed delay, seconds. */
#define CROSSFADE_TIME 0.03

static const char *const moves[] = {"Fade", "Glide", NULL};
static const bl_parameter_group_info groups[] = {{"modulation", "Modulation"}, {"heads", "Heads"}};

/* The level parameter of a head before the last. */
#define HEAD(ID, NAME) BL_KNOB(ID, NAME, PERCENT, LINEAR, 0, 100, 0, 0, .group = "heads")

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [TIME] = BL_KNOB("time", "Time", SECONDS, LOGARITHMIC, 0.0005f, (float)LONGEST_TIME, 0.375f, 1),
    [FEEDBACK] = BL_KNOB("feedback", "Feedback", PERCENT, LINEAR, 0, 110, 35, 3),
    [TONE] = BL_KNOB("tone", "Tone", HERTZ, LOGARITHMIC, 200, BL_TONE_OPEN, 8000, 4),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 35, 2),
    [PING_PONG] = BL_OFF_ON("ping_pong", "Ping-Pong", 0, 5),
    [SYNC] = BL_CHOICE("sync", "Sync", bl_note_sync_names, 0, 6, BL_DEPENDENTS("time")),
    [MOVE] = BL_CHOICE("move", "Move", moves, BL_DELAY_FADE, 7),
    [LOW_CUT] = BL_KNOB("low_cut", "Low Cut", HERTZ, LOGARITHMIC, BL_DELAY_CUT_OPEN, 2000,
                        BL_DELAY_CUT_OPEN, 8),
    [DRIVE] = BL_KNOB("drive", "Drive", DECIBELS, LINEAR, 0, 24, 0, 9),
    [DUCK] = BL_KNOB("duck", "Duck", DECIBELS, LINEAR, 0, 24, 0, 10),
    [WOBBLE_RATE] = BL_KNOB("rate", "Modulation Rate", HERTZ, LOGARITHMIC, 0.05f, 10, 0.7f, 0,
                            .group = "modulation"),
    [WOBBLE_DEPTH] = BL_KNOB("depth", "Modulation Depth", MILLISECONDS, SQUARED, 0, 10, 0, 0,
                             .group = "modulation", BL_DEPENDENTS("modulation.rate")),
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -24, 12, 0, 11),
    [REVERSE] = BL_OFF_ON("reverse", "Reverse", 0, 12),
    [FREEZE] = BL_OFF_ON("freeze", "Freeze", 0, 13),
    [DIFFUSION] = BL_KNOB("diffusion", "Diffusion", PERCENT, LINEAR, 0, 100, 0, 14),
    [QUARTER_HEAD] = HEAD("quarter", "Head at 1/4"),
    [HALF_HEAD] = HEAD("half", "Head at 1/2"),
    [THREE_QUARTER_HEAD] = HEAD("three_quarters", "Head at 3/4"),
};

#define ECHO(time, feedback, mix, level)                                                           \
    {TIME, time}, {FEEDBACK, feedback}, {MIX, mix}, { LEVEL, level }
#define CUTS(tone, low_cut)                                                                        \
    {TONE, tone}, { LOW_CUT, low_cut }
#define TAPE(drive, rate, depth)                                                                   \
    {MOVE, BL_DELAY_GLIDE}, {DRIVE, drive}, {WOBBLE_RATE, rate}, { WOBBLE_DEPTH, depth }
#define HEADS(quarter, half, three_quarters)                                                       \
    {QUARTER_HEAD, quarter}, {HALF_HEAD, half}, { THREE_QUARTER_HEAD, three_quarters }
#define CROSSING                                                                                   \
    { PING_PONG, 1 }

static const bl_factory_preset presets[] = {
    BL_PRESET("Slapback", ECHO(0.11f, 8, 31, 0.4f), CUTS(6000, BL_DELAY_CUT_OPEN)),
    BL_PRESET("Doubler", ECHO(0.024f, 0, 50, 0), CUTS(BL_TONE_OPEN, BL_DELAY_CUT_OPEN)),
    BL_PRESET("Tape Echo", ECHO(0.33f, 48, 35, 0.7f), CUTS(3200, 120), TAPE(6, 0.6f, 0.5f)),
    BL_PRESET("Ping-Pong", ECHO(0.3f, 55, 37, 0.7f), CUTS(9000, BL_DELAY_CUT_OPEN), CROSSING),
    BL_PRESET("Dub", ECHO(0.56f, 78, 44, 1.5f), CUTS(1800, 200), TAPE(9, 0.3f, 0.8f)),
    BL_PRESET("Dotted Eighth", ECHO(0.375f, 42, 31, 0.4f), CUTS(7000, BL_DELAY_CUT_OPEN)),
    BL_PRESET("Long Wash", ECHO(1.2f, 70, 37, 1.2f), CUTS(2500, BL_DELAY_CUT_OPEN), CROSSING),
    BL_PRESET("Resonator", ECHO(0.0045f, 92, 50, -4.8f), CUTS(7000, BL_DELAY_CUT_OPEN)),
    BL_PRESET("Runaway", ECHO(0.45f, 106, 44, -1), CUTS(2600, BL_DELAY_CUT_OPEN), CROSSING),
    BL_PRESET("Ducked Lead", ECHO(0.42f, 40, 37, 1.7f), CUTS(5000, 150), {DUCK, 15}),
    BL_PRESET("Four Heads", ECHO(0.6f, 30, 31, -0.6f), CUTS(4000, 100), TAPE(4, 0.5f, 0.3f),
              HEADS(80, 60, 70)),
    BL_PRESET("Dotted Heads", ECHO(0.5f, 35, 37, 0.2f), CUTS(5000, BL_DELAY_CUT_OPEN),
              HEADS(0, 0, 80)),
    BL_PRESET("Backwards", ECHO(0.8f, 25, 50, 0.5f), CUTS(8000, BL_DELAY_CUT_OPEN), {REVERSE, 1}),
    BL_PRESET("Cloud", ECHO(0.5f, 75, 44, 0.5f), CUTS(4000, 150), {DIFFUSION, 100}),
    BL_PRESET("Worn Tape", ECHO(0.62f, 55, 37, 1.2f), CUTS(2200, 250), TAPE(14, 0.8f, 1.6f)),
};

/* A note too long for the line is halved until it fits, and stays in time. */
float bl_delay_seconds(const bl_delay_unit *delay, uint32_t frame) BL_NONBLOCKING {
    uint32_t sync = (uint32_t)delay->base.parameters[SYNC].target;
    if (sync == 0) {
        return bl_ramp_value(&delay->base.parameters[TIME], frame);
    }
    double seconds = delay->base.quarter * bl_note_length_quarters(sync - 1);
    for (uint32_t halvings = 0; seconds > LONGEST_TIME && halvings < 8; halvings += 1) {
        seconds *= 0.5;
    }
    return (float)seconds;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_delay_unit *delay = (bl_delay_unit *)unit;
    bl_moddelay_empty(&delay->clock, delay->lines, delay->base.output_channel_count);
    delay->fade.left = 0;
    delay->wobble = 0;
    delay->wobble_depth = (bl_glide){.value = bl_delay_wobble_depth(delay, 0)};
    delay->loudness = 0;
    delay->part = delay->into = 0;
    bl_ring_empty(&delay->diffused);
    delay->diffusing = delay->fade.frames;
    delay->tone_clock = delay->cut_clock = (bl_one_pole_clock){0};
    for (uint32_t channel = 0; channel < delay->base.output_channel_count; channel += 1) {
        delay->loops[channel] = (bl_delay_loop){0};
    }
}

static bl_status prepare(bl_unit *unit) {
    bl_delay_unit *delay = (bl_delay_unit *)unit;
    double rate = delay->base.sample_rate;
    double deepest = (double)parameters[WOBBLE_DEPTH].maximum * 0.001;
    delay->longest = LONGEST_TIME * rate;
    bl_moddelay_size(&delay->clock, (LONGEST_TIME + deepest) * rate);
    bl_delay_size_diffusers(delay, rate);
    size_t channels = delay->base.output_channel_count;
    delay->lines = bl_kit_memory(unit, channels * bl_moddelay_floats(&delay->clock), sizeof(float));
    delay->diffusers =
        bl_kit_memory(unit, channels * bl_delay_diffuser_floats(delay), sizeof(float));
    bl_sinc_fill(&delay->sinc);
    delay->tone_scale = bl_one_pole_scale(rate);
    delay->fade.frames = (uint32_t)(CROSSFADE_TIME * rate);
    return bl_kit_memory_status(unit);
}

BL_KIT(bl_delay_unit, .process = bl_delay_process, .change = bl_change_declicked,
       .prepare = prepare, .reset = reset)

/* The first echo has the input's level, the next is multiplied by the feedback, and so on to -60
   dB. Reverse reading plays the input's start last. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_delay_unit *delay = (const bl_delay_unit *)unit;
    double feedback = delay->base.parameters[FEEDBACK].target * 0.01;
    double time = (double)bl_delay_seconds(delay, 0);
    time *= bl_delay_uses(delay, REVERSE) ? 2 : 1;
    bool diffuses = bl_delay_uses(delay, DIFFUSION);
    time += diffuses ? BL_DELAY_DIFFUSION_DELAY : 0;
    if (feedback >= 1 || bl_delay_uses(delay, FREEZE)) {
        return INFINITY;
    }
    double turns = feedback > 0 ? 1 + ceil(-3 / log10(feedback)) : 1;
    return time * turns + (diffuses ? BL_DELAY_DIFFUSION_TAIL : 0);
}

const bl_unit_descriptor bl_delay = {
    BL_EFFECT('d', 'e', 'l', 'y'),
    .name = "Delay",
    BL_TAGS("Delay", "Echo", "Time", "Guitar", "Voice"),
    .summary = "Echoes that grow softer and darker, from clean repeats to worn tape",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
