/* Distortion: drives the sound into a nonlinear curve, with effects before it. */
#include "distortion/distortion.h"

#include "base/built_in.h"

static const char *const shapes[] = {"Soft", "Hard", "Fold", NULL};
static const char *const qualities[] = {"Live", "High", NULL};
static const bl_parameter_group_info groups[] = {{"ring", "Ring Modulator"}, {"crush", "Crusher"}};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [DRIVE] = BL_KNOB("drive", "Drive", DECIBELS, LINEAR, 0, 48, 18, 1),
    [SHAPE] = BL_CHOICE("shape", "Shape", shapes, 0, 5),
    [TONE] = BL_KNOB("tone", "Tone", HERTZ, LOGARITHMIC, 200, BL_TONE_OPEN, 9000, 2),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 3),
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -48, 12, -15, 4),
    [RING_FREQUENCY] = BL_KNOB("frequency", "Ring Frequency", HERTZ, LOGARITHMIC, 1, 5000, 440, 0,
                               .group = "ring"),
    [RING_AMOUNT] =
        BL_KNOB("amount", "Ring Amount", PERCENT, LINEAR, 0, 100, 0, 0, .group = "ring",
                BL_DEPENDENTS("ring.frequency", "ring.chatter_rate", "ring.chatter_depth")),
    [CHATTER_RATE] = BL_KNOB("chatter_rate", "Chatter Rate", HERTZ, LOGARITHMIC, 0.5f, 50, 9, 0,
                             .group = "ring"),
    [CHATTER_DEPTH] = BL_KNOB("chatter_depth", "Chatter Depth", PERCENT, LINEAR, 0, 100, 0, 0,
                              .group = "ring", BL_DEPENDENTS("ring.chatter_rate")),
    [CRUSH_RATE] = BL_KNOB("rate", "Crush Rate", HERTZ, LOGARITHMIC, 200, BL_CRUSH_RATE_OFF,
                           BL_CRUSH_RATE_OFF, 0, .group = "crush"),
    [CRUSH_BITS] = BL_KNOB("bits", "Crush Bits", GENERIC, LINEAR, 1, BL_CRUSH_BITS_OFF,
                           BL_CRUSH_BITS_OFF, 0, .group = "crush"),
    [QUALITY] = BL_CHOICE("quality", "Quality", qualities, BL_DISTORTION_LIVE, 6),
};

#define BENT(drive, shape, tone, mix, level)                                                       \
    {DRIVE, drive}, {SHAPE, shape}, {TONE, tone}, {MIX, mix}, { LEVEL, level }
#define RING(frequency, amount)                                                                    \
    {RING_FREQUENCY, frequency}, { RING_AMOUNT, amount }
#define CHATTER(rate, depth)                                                                       \
    {CHATTER_RATE, rate}, { CHATTER_DEPTH, depth }
/* Presets that distort this far alias in Live. */
#define HIGH                                                                                       \
    { QUALITY, BL_DISTORTION_HIGH }
#define CRUSH(rate, bits)                                                                          \
    {CRUSH_RATE, rate}, { CRUSH_BITS, bits }

static const bl_factory_preset presets[] = {
    BL_PRESET("Warm Edge", BENT(9, BL_SHAPE_SOFT, 9000, 100, -8)),
    BL_PRESET("Guitar Crunch", BENT(24, BL_SHAPE_SOFT, 4500, 100, -17)),
    BL_PRESET("Guitar Lead", BENT(40, BL_SHAPE_SOFT, 3600, 100, -19.8f), HIGH),
    BL_PRESET("Fuzz Wall", BENT(45, BL_SHAPE_HARD, 3000, 100, -19.9f), HIGH),
    BL_PRESET("Bass Growl", BENT(20, BL_SHAPE_HARD, 2200, 55, -11.7f)),
    BL_PRESET("Drum Crunch", BENT(16, BL_SHAPE_SOFT, 12000, 70, -9.3f)),
    BL_PRESET("Drum Smash", BENT(30, BL_SHAPE_HARD, 8000, 60, -12.8f)),
    BL_PRESET("Drum Fold", BENT(14, BL_SHAPE_FOLD, 10000, 45, -8.1f)),
    BL_PRESET("Bit Brush", BENT(6, BL_SHAPE_SOFT, 14000, 80, -4.6f), CRUSH(11000, 5)),
    BL_PRESET("Broken Radio", BENT(26, BL_SHAPE_HARD, 2600, 100, -16), CRUSH(7000, 6)),
    BL_PRESET("Metal Voice", BENT(15, BL_SHAPE_SOFT, 7000, 85, -7), RING(54, 100)),
    BL_PRESET("Alien Chatter", BENT(24, BL_SHAPE_FOLD, 7500, 92, -14.5f), RING(620, 100),
              CHATTER(13, 100), CRUSH(6500, 7)),
};

/* Applies shape and quality at once. */
static void follow_choices(bl_distortion_unit *distortion) BL_NONBLOCKING {
    distortion->shape = bl_distortion_wanted_shape(distortion);
    bl_ramp_set(&distortion->changing, 1);
    distortion->high = bl_distortion_wants_high(distortion);
    bl_ramp_set(&distortion->sounding, 1);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_distortion_unit *distortion = (bl_distortion_unit *)unit;
    for (uint32_t index = 0; index < distortion->base.output_channel_count; index += 1) {
        distortion->channels[index] = (bl_distortion_channel){0};
    }
    /* The crusher samples its first frame at once. */
    distortion->mangler = (bl_distortion_mangler){.crush = UINT64_MAX, .random = 0x9E3779B9u};
    distortion->tone_clock = (bl_one_pole_clock){0};
    follow_choices(distortion);
}

static bl_status prepare(bl_unit *unit) {
    bl_distortion_unit *distortion = (bl_distortion_unit *)unit;
    distortion->channels =
        bl_kit_memory(unit, distortion->base.output_channel_count, sizeof(bl_distortion_channel));
    distortion->tone_scale = bl_one_pole_scale(distortion->base.sample_rate);
    distortion->phase_scale = bl_phase_scale(distortion->base.sample_rate);
    return bl_kit_memory_status(unit);
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_kit_apply(unit, event);
    if (io == NULL) {
        follow_choices((bl_distortion_unit *)unit);
    }
}

BL_KIT(bl_distortion_unit, .process = bl_distortion_process, .change = change, .prepare = prepare,
       .reset = reset)

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    return bl_distortion_wants_high((const bl_distortion_unit *)unit) ? BL_DISTORTION_HIGH_LATENCY
                                                                      : BL_DISTORTION_LIVE_LATENCY;
}

/* The filters' length, then the time in which the exponentials of tone and mean fall to a
   thousandth. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    double tone = base->parameters[TONE].target;
    return 2 * latency(unit) / base->sample_rate + 6.907755 / 6.283185 * (1 / tone + 1 / 5.0);
}

const bl_unit_descriptor bl_distortion = {
    BL_EFFECT('d', 'i', 's', 't'),
    .name = "Distortion",
    BL_TAGS("Distortion", "Tone", "Guitar", "Drums"),
    .summary = "Drives the sound into a bent curve, from a warm edge to alien chatter",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .latency = latency,
    .tail_time = tail_time,
};
