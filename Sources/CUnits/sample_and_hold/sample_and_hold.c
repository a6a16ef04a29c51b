/* Sample and hold: samples its input on a clock, and holds the value until the next. */
#include "base/built_in.h"
#include "base/control_effect.h"
#include "base/turns.h"

enum { RATE, SYNC, SLEW, PARAMETER_COUNT };

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [RATE] = BL_KNOB("rate", "Rate", HERTZ, LOGARITHMIC, 0.01f, 1000, 8, 1),
    [SYNC] = BL_CHOICE("sync", "Sync", bl_turns_sync_names, 0, 2, BL_DEPENDENTS("rate")),
    /* The time of a linear ramp to a new value. */
    [SLEW] = BL_SETTING("slew", "Slew", MILLISECONDS, SQUARED, 0, 2000, 0, 3),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Sixteenths", {SYNC, 5}),
    BL_PRESET("Eighths, Rounded", {SYNC, 8}, {SLEW, 60}),
    BL_PRESET("Bars", {SYNC, 15}),
    BL_PRESET("Slow Glide", {RATE, 0.5f}, {SLEW, 2000}),
};

typedef struct hold_unit {
    bl_unit_base base;
    bl_turns turns;
    bool has_sampled;
    int64_t sampled; /* number of the last sample's turn */
    bl_ramp value;
} hold_unit;

static void reset(bl_unit *unit) BL_NONBLOCKING {
    hold_unit *hold = (hold_unit *)unit;
    hold->turns = (bl_turns){0};
    hold->has_sampled = false;
    bl_ramp_set(&hold->value, 0);
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    bl_turns_follow(&((hold_unit *)unit)->turns, (const bl_unit_base *)unit, io);
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    hold_unit *hold = (hold_unit *)unit;
    const bl_unit_base *base = &hold->base;
    bl_ramp *ramps = base->parameters;
    uint32_t slew = (uint32_t)((double)ramps[SLEW].target * 0.001 * base->sample_rate);
    bl_turn_stretch stretch;
    for (uint32_t done = 0, count = 0; done < frames; done += count) {
        count = bl_fewer(frames - done, BL_CHUNK_FRAMES);
        uint32_t first = first_frame + done;
        bl_turns_fill(&hold->turns, &ramps[RATE], (uint32_t)ramps[SYNC].target, true,
                      base->sample_rate, first, &stretch, count);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            if (!hold->has_sampled || stretch.numbers[frame] != hold->sampled) {
                hold->has_sampled = true;
                hold->sampled = stretch.numbers[frame];
                bl_ramp_start_line(&hold->value, io->input[0][first + frame], slew);
            }
            io->output[0][first + frame] = bl_ramp_value(&hold->value, 0);
            bl_ramp_advance(&hold->value, 1);
        }
    }
}

BL_KIT(hold_unit, .process = process, .cycle = cycle, .reset = reset)

/* The tail: until the next sample, and the ramp to it. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    uint32_t sync = (uint32_t)base->parameters[SYNC].target;
    double period = sync > 0 ? base->quarter * bl_turns_quarters(sync)
                             : 1 / (double)base->parameters[RATE].target;
    return period + 0.001 * (double)base->parameters[SLEW].target;
}

const bl_unit_descriptor bl_sample_and_hold = {
    BL_CONTROL_EFFECT('s', 'h', 'l', 'd'),
    .name = "Sample and Hold",
    BL_TAGS("Modulation", "Control"),
    .summary = "Samples its input on a clock and holds the value, to move parameters in steps",
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
