/* Tape: its magnetisation, the losses of its playback, and an uneven transport. */
#include "tape/tape.h"

#include <string.h>

#include "base/built_in.h"

/* Time constant of a changed depth of wow and flutter, seconds. */
#define GLIDE_TIME 0.1
/* The decay of the mean on the tape, at 5 Hz, to -100 dB, seconds. */
#define MEAN_TAIL 0.4

static const char *const speeds[] = {"3.75 ips", "7.5 ips", "15 ips", "30 ips", NULL};
static const bl_parameter_group_info groups[] = {
    {"head", "Head"}, {"wow", "Wow"}, {"flutter", "Flutter"}};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [SPEED] = BL_CHOICE("speed", "Speed", speeds, 2, 2),
    [DRIVE] = BL_KNOB("drive", "Drive", DECIBELS, LINEAR, -12, 24, 0, 1),
    [BIAS] = BL_KNOB("bias", "Bias", PERCENT, LINEAR, 0, 100, 80, 3),
    [SPACING] = BL_KNOB("spacing", "Spacing", CUSTOM, SQUARED, 0, 2, 0.3f, 0, .group = "head",
                        .unit_name = "µm"),
    [THICKNESS] = BL_KNOB("thickness", "Thickness", CUSTOM, LOGARITHMIC, 1, 12, 5, 0,
                          .group = "head", .unit_name = "µm"),
    [GAP] = BL_KNOB("gap", "Gap", CUSTOM, LINEAR, 1, 4, 2, 0, .group = "head", .unit_name = "µm"),
    /* The pitch deviation up and down. */
    [WOW] = BL_KNOB("depth", "Wow", PERCENT, SQUARED, 0, 1, 0.1f, 4, .group = "wow"),
    [WOW_RATE] = BL_KNOB("rate", "Wow Rate", HERTZ, LOGARITHMIC, 0.3f, 3, 0.8f, 0, .group = "wow"),
    [FLUTTER] = BL_KNOB("depth", "Flutter", PERCENT, SQUARED, 0, 1, 0.05f, 5, .group = "flutter"),
    [FLUTTER_RATE] =
        BL_KNOB("rate", "Flutter Rate", HERTZ, LOGARITHMIC, 4, 20, 9, 0, .group = "flutter"),
    [HISS] = BL_KNOB("hiss", "Hiss", DECIBELS, LINEAR, -96, -30, -96, 6),
    [OUTPUT] = BL_KNOB("output", "Output", DECIBELS, LINEAR, -24, 24, 2.5f, 7),
};

#define PRESET(NAME, speed, drive, bias, output, ...)                                              \
    BL_PRESET(NAME, {SPEED, speed}, {DRIVE, drive}, {BIAS, bias}, {OUTPUT, output}, __VA_ARGS__)

static const bl_factory_preset presets[] = {
    PRESET("Master 30", 3, 0, 95, 1.3f, {WOW, 0.02f}, {FLUTTER, 0.01f}),
    PRESET("Studio 15", 2, 6, 90, 1.8f, {WOW, 0.05f}, {FLUTTER, 0.02f}),
    PRESET("Hot Drums", 2, 14, 85, 2, {WOW, 0}, {FLUTTER, 0}),
    PRESET("Home Reel", 1, 6, 70, 3.3f, {WOW, 0.15f}, {FLUTTER, 0.08f}, {HISS, -80}),
    PRESET("Four-track Cassette", 0, 8, 75, 3, {SPACING, 0.3f}, {THICKNESS, 3}, {GAP, 1.2f},
           {WOW, 0.2f}, {FLUTTER, 0.12f}, {HISS, -78}),
    PRESET("Worn Cassette", 0, 10, 60, 4.5f, {SPACING, 1.5f}, {WOW, 0.6f}, {WOW_RATE, 0.6f},
           {FLUTTER, 0.3f}, {HISS, -76}),
    PRESET("Underbiased", 2, 6, 0, 10, {WOW, 0.1f}),
    PRESET("Seasick", 1, 0, 80, 2.7f, {WOW, 1}, {WOW_RATE, 0.5f}, {FLUTTER, 0.2f},
           {FLUTTER_RATE, 6}),
};

bl_tape_head bl_tape_present_head(const bl_tape_unit *unit) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    /* 3.75 inches a second, doubled for each step. */
    float speed = 0.09525f * (float)(1 << (int)ramps[SPEED].target);
    return (bl_tape_head){speed, 1e-6f * bl_ramp_value(&ramps[SPACING], 0),
                          1e-6f * bl_ramp_value(&ramps[THICKNESS], 0),
                          1e-6f * bl_ramp_value(&ramps[GAP], 0)};
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_tape_unit *tape = (bl_tape_unit *)unit;
    const bl_ramp *ramps = tape->base.parameters;
    uint32_t channels = tape->base.output_channel_count;
    double rate = tape->base.sample_rate;
    memset(tape->channels, 0, sizeof tape->channels);
    memset(tape->tape, 0, sizeof tape->tape);
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        tape->channels[channel].noise = channel * 0x9E3779B9u;
    }
    memset(tape->pasts, 0, sizeof(float) * channels * 2 * tape->loss.reach);
    bl_moddelay_empty(&tape->delay, tape->lines, channels);
    tape->wow = tape->flutter = 0;
    tape->wow_depth = (bl_glide){bl_tape_depth(ramps[WOW].target, ramps[WOW_RATE].target, rate), 0};
    tape->flutter_depth =
        (bl_glide){bl_tape_depth(ramps[FLUTTER].target, ramps[FLUTTER_RATE].target, rate), 0};
    bl_tape_loss *loss = &tape->loss;
    loss->passed = 0;
    loss->fades = loss->designs = false;
    bl_tape_head head = bl_tape_present_head(tape);
    bl_tape_loss_begin(loss, &head);
    bl_tape_loss_design(loss, loss->reach + 1);
    bl_tape_loss_swap(loss);
}

static bl_status prepare(bl_unit *unit) {
    bl_tape_unit *tape = (bl_tape_unit *)unit;
    double rate = tape->base.sample_rate;
    size_t channels = tape->base.output_channel_count;
    bl_tape_loss *loss = &tape->loss;
    loss->reach = bl_tape_loss_reach(rate);
    loss->bins = (float)(rate / 4 / loss->reach);
    loss->grid = 256;
    while (loss->grid < loss->reach + 1) {
        loss->grid *= 2;
    }
    bl_moddelay_size(&tape->delay,
                     (BL_TAPE_DEEPEST_WOW + BL_TAPE_DEEPEST_FLUTTER) * rate + BL_MODDELAY_SHORTEST);
    size_t row = loss->reach + 1, line = bl_moddelay_floats(&tape->delay);
    float *memory = bl_kit_memory(
        unit, BL_TAPE_LOSS_ROWS * row + channels * (2 * loss->reach + line), sizeof(float));
    if (memory == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    loss->taps = memory;
    loss->before = loss->taps + row;
    loss->next = loss->before + row;
    loss->response = loss->next + row;
    loss->cosines = loss->response + 2 * row;
    tape->pasts = loss->cosines + 4 * row;
    tape->lines = tape->pasts + channels * 2 * loss->reach;
    for (uint32_t place = 0; place < 4 * loss->reach; place += 1) {
        loss->cosines[place] = (float)cos(1.57079632679489662 * place / loss->reach);
    }
    bl_langevin_fill(&tape->langevin);
    bl_sinc_fill(&tape->sinc);
    tape->phase_scale = bl_phase_scale(rate);
    tape->glide_rate = 1 / (GLIDE_TIME * rate);
    return BL_OK;
}

BL_KIT(bl_tape_unit, .process = bl_tape_process, .change = bl_change_declicked, .prepare = prepare,
       .reset = reset)

/* The latency, including the middle of the sweeps of wow and flutter. */
static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    const bl_tape_unit *tape = (const bl_tape_unit *)unit;
    const bl_ramp *ramps = tape->base.parameters;
    double rate = tape->base.sample_rate;
    double middle = bl_tape_depth(ramps[WOW].target, ramps[WOW_RATE].target, rate) +
                    bl_tape_depth(ramps[FLUTTER].target, ramps[FLUTTER_RATE].target, rate);
    return BL_TAPE_CURVE_LATENCY + tape->loss.reach + BL_MODDELAY_SHORTEST +
           (uint32_t)(middle + 0.5);
}

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return MEAN_TAIL + BL_TAPE_DEEPEST_WOW + BL_TAPE_DEEPEST_FLUTTER;
}

const bl_unit_descriptor bl_tape = {
    BL_EFFECT('t', 'a', 'p', 'e'),
    .name = "Tape",
    BL_TAGS("Distortion", "Tone", "Modulation", "Mastering", "Drums"),
    .summary = "Records the sound on tape: saturation, lost highs, wow and flutter, hiss",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .latency = latency,
    .tail_time = tail_time,
};
