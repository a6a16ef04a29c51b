/* Stereo Tools: width, balance, rotation, a mono bass, a delay between the sides. */
#include "stereo_tools/stereo_tools.h"

#include <math.h>
#include <string.h>

#include "base/built_in.h"
#include "dsp/declick.h"
#include "dsp/history.h"

/* Crossfade time of a changed delay, seconds. */
#define CROSSFADE_TIME 0.02

static const char *const modes[] = {"Stereo", "Encode M/S", "Decode M/S", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [WIDTH] = BL_KNOB("width", "Width", PERCENT, LINEAR, 0, 200, 100, 1),
    [BALANCE] = BL_KNOB("balance", "Balance", PAN, LINEAR, -1, 1, 0, 2),
    [ROTATE] = BL_KNOB("rotate", "Rotate", DEGREES, LINEAR, -45, 45, 0, 4),
    /* The frequency; its minimum is off. */
    [MONO_BELOW] = BL_KNOB("mono_below", "Mono Below", HERTZ, LOGARITHMIC, BL_STEREO_MONO_OFF, 500,
                           BL_STEREO_MONO_OFF, 3),
    /* Above 0 the right side is delayed, below 0 the left. */
    [DELAY] =
        BL_KNOB("delay", "Delay", MILLISECONDS, LINEAR, -1000 * (float)BL_STEREO_LONGEST_DELAY,
                1000 * (float)BL_STEREO_LONGEST_DELAY, 0, 5),
    [MODE] = BL_CHOICE("mode", "Mode", modes, 0, 6),
    [SWAP] = BL_OFF_ON("swap", "Swap Sides", 0, 7),
    [INVERT_LEFT] = BL_OFF_ON("invert_left", "Invert Left", 0, 8),
    [INVERT_RIGHT] = BL_OFF_ON("invert_right", "Invert Right", 0, 9),
    /* The output's correlation: 1 for equal sides, 0 for unrelated ones, -1 for opposite ones. */
    [CORRELATION] = BL_READING("correlation", "Correlation", GENERIC, -1, 1, 0),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Wider", {WIDTH, 140}),
    BL_PRESET("Narrower", {WIDTH, 60}),
    BL_PRESET("Mono", {WIDTH, 0}),
    BL_PRESET("Club Bass", {MONO_BELOW, 120}),
    BL_PRESET("Wide with Mono Bass", {WIDTH, 150}, {MONO_BELOW, 150}),
    BL_PRESET("Haas Spread", {DELAY, 14}),
    BL_PRESET("Swapped Sides", {SWAP, 1}),
    BL_PRESET("M/S Microphones", {MODE, BL_STEREO_MODE_DECODE}),
};

static float target(const bl_stereo_tools_unit *tools, uint32_t parameter) BL_NONBLOCKING {
    return tools->base.parameters[parameter].target;
}

int32_t bl_stereo_wanted_delay(const bl_stereo_tools_unit *tools, uint32_t frame) BL_NONBLOCKING {
    double seconds = (double)bl_ramp_value(&tools->base.parameters[DELAY], frame) * 0.001;
    return (int32_t)lrint(seconds * tools->base.sample_rate);
}

/* Moves every switch to its parameter's value, within `duration` frames. */
static void follow_switches(bl_stereo_tools_unit *tools, uint32_t duration) BL_NONBLOCKING {
    tools->settings_known = false;
    int mode = (int)(target(tools, MODE) + 0.5f);
    const bool wanted[BL_STEREO_SWITCH_COUNT] = {
        [BL_STEREO_SWITCH_ENCODE] = mode == BL_STEREO_MODE_ENCODE,
        [BL_STEREO_SWITCH_DECODE] = mode == BL_STEREO_MODE_DECODE,
        [BL_STEREO_SWITCH_SWAP] = target(tools, SWAP) > 0.5f,
        [BL_STEREO_SWITCH_INVERT_LEFT] = target(tools, INVERT_LEFT) > 0.5f,
        [BL_STEREO_SWITCH_INVERT_RIGHT] = target(tools, INVERT_RIGHT) > 0.5f,
        [BL_STEREO_SWITCH_MONO] = target(tools, MONO_BELOW) > BL_STEREO_MONO_OFF,
    };
    for (int index = 0; index < BL_STEREO_SWITCH_COUNT; index += 1) {
        float value = wanted[index] ? 1.0f : 0.0f;
        if (duration == 0 || tools->switches[index].target != value) {
            bl_ramp_start(&tools->switches[index], value, duration);
        }
    }
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_stereo_tools_unit *tools = (bl_stereo_tools_unit *)unit;
    follow_switches(tools, 0);
    tools->splits = false;
    memset(tools->line, 0, 2 * sizeof(float) * tools->line_frames);
    tools->correlation = (bl_correlation){0};
    tools->place = 0;
    tools->delay = bl_stereo_wanted_delay(tools, 0);
    tools->fade.left = 0;
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_stereo_tools_unit *tools = (bl_stereo_tools_unit *)unit;
    bl_kit_apply(unit, event);
    follow_switches(tools, io == NULL ? 0 : (uint32_t)(BL_DECLICK_TIME * tools->base.sample_rate));
}

static float value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const bl_stereo_tools_unit *tools = (const bl_stereo_tools_unit *)unit;
    return address == CORRELATION ? bl_correlation_value(&tools->correlation)
                                  : bl_kit_value(unit, address);
}

static bl_status prepare(bl_unit *unit) {
    bl_stereo_tools_unit *tools = (bl_stereo_tools_unit *)unit;
    double rate = tools->base.sample_rate;
    uint32_t longest = (uint32_t)(BL_STEREO_LONGEST_DELAY * rate + 1);
    tools->line_frames = bl_history_size(longest, BL_CHUNK_FRAMES);
    tools->line = bl_kit_memory(unit, 2 * (size_t)tools->line_frames, sizeof(float));
    tools->fade.frames = (uint32_t)(CROSSFADE_TIME * rate);
    tools->correlation_pace = bl_correlation_pace(rate);
    return bl_kit_memory_status(unit);
}

/* The delay, and the crossover's ringing until -60 dB. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_stereo_tools_unit *tools = (const bl_stereo_tools_unit *)unit;
    double cutoff = (double)target(tools, MONO_BELOW);
    double ringing = cutoff > (double)BL_STEREO_MONO_OFF ? 2.2 / cutoff : 0;
    return ringing + fabs((double)target(tools, DELAY)) * 0.001;
}

BL_KIT(bl_stereo_tools_unit, .process = bl_stereo_tools_process, .change = change,
       .prepare = prepare, .reset = reset, .value = value)

static const bl_channel_capability capabilities[] = {{2, 2}, {1, 2}};

const bl_unit_descriptor bl_stereo_tools = {
    BL_EFFECT('s', 't', 'e', 'r'),
    .name = "Stereo Tools",
    BL_TAGS("Utility", "Mastering", "Space"),
    .summary =
        "Sets width, balance and rotation of a stereo sound, makes its bass mono, and delays "
        "a side",
    BL_CHANNEL_CAPABILITIES,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
