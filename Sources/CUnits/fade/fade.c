/* Fade: fades a sound in and out. */
#include <math.h>

#include "base/built_in.h"
#include "base/offline_effect.h"

enum { IN, IN_CURVE, OUT, OUT_CURVE, PARAMETER_COUNT };
enum { CURVE_LINEAR, CURVE_EQUAL_POWER, CURVE_SMOOTH, CURVE_EXPONENTIAL };

/* The start of an exponential fade: -60 dB. */
#define FLOOR 0.001
#define PI 3.14159265358979324

static const char *const curves[] = {"Linear", "Equal Power", "S-Curve", "Exponential", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [IN] = BL_SETTING("in", "Fade In", SECONDS, SQUARED, 0, 600, 0.01f, 1),
    [IN_CURVE] = BL_CHOICE("in_curve", "In Curve", curves, CURVE_LINEAR, 0),
    [OUT] = BL_SETTING("out", "Fade Out", SECONDS, SQUARED, 0, 600, 1, 2),
    [OUT_CURVE] = BL_CHOICE("out_curve", "Out Curve", curves, CURVE_LINEAR, 0),
};

typedef struct fade_unit {
    bl_offline_effect effect;
    double in_frames, out_frames;
} fade_unit;

static bl_status preflight(bl_unit *unit, uint64_t input_frames, const bl_render_host *host,
                           uint64_t *output_frames) {
    (void)host;
    fade_unit *fade = (fade_unit *)unit;
    const bl_unit_base *base = &fade->effect.base;
    fade->effect.input_frames = (int64_t)input_frames;
    fade->in_frames = round((double)base->parameters[IN].target * base->sample_rate);
    fade->out_frames = round((double)base->parameters[OUT].target * base->sample_rate);
    *output_frames = input_frames;
    return BL_OK;
}

/* The gain at `place`, 0 to 1, of a fade in. [render] */
static double gain_at(double place, int curve) BL_NONBLOCKING {
    switch (curve) {
    case CURVE_EQUAL_POWER: return sin(PI / 2 * place);
    case CURVE_SMOOTH: return 0.5 - 0.5 * cos(PI * place);
    case CURVE_EXPONENTIAL: return (pow(FLOOR, 1 - place) - FLOOR) / (1 - FLOOR);
    default: return place;
    }
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    fade_unit *fade = (fade_unit *)unit;
    const bl_ramp *values = fade->effect.base.parameters;
    int in_curve = (int)values[IN_CURVE].target;
    int out_curve = (int)values[OUT_CURVE].target;
    float *pointers[BL_MAXIMUM_CHANNELS];
    bl_buffers input;
    int64_t time = io->time + first_frame;
    io->status = bl_offline_read(&fade->effect.base, io->host, time, frames, pointers, &input);
    for (uint32_t frame = 0; io->status == BL_OK && frame < frames; frame += 1) {
        double before = (double)(time + frame);
        double after = (double)(fade->effect.input_frames - 1 - time - frame);
        double gain = 1;
        if (before < fade->in_frames) {
            gain = gain_at(before / fade->in_frames, in_curve);
        }
        if (after < fade->out_frames) {
            gain *= gain_at(after / fade->out_frames, out_curve);
        }
        for (uint32_t channel = 0; channel < input.channel_count; channel += 1) {
            io->output[channel][first_frame + frame] = (float)gain * input.channels[channel][frame];
        }
    }
}

BL_KIT(fade_unit, .process = process)

static const bl_factory_preset presets[] = {
    BL_PRESET("No Clicks", {IN, 0.005f}, {OUT, 0.005f}),
    BL_PRESET("Sample", {IN, 0.001f}, {OUT, 0.05f}, {OUT_CURVE, CURVE_SMOOTH}),
    BL_PRESET("Song Ending", {IN, 0.01f}, {OUT, 8}, {OUT_CURVE, CURVE_SMOOTH}),
    BL_PRESET("Long Farewell", {IN, 0.01f}, {OUT, 30}, {OUT_CURVE, CURVE_EXPONENTIAL}),
    BL_PRESET("Ambience", {IN, 4}, {IN_CURVE, CURVE_SMOOTH}, {OUT, 6}, {OUT_CURVE, CURVE_SMOOTH}),
    BL_PRESET("Crossfade", {IN, 2}, {IN_CURVE, CURVE_EQUAL_POWER}, {OUT, 2},
              {OUT_CURVE, CURVE_EQUAL_POWER}),
};

const bl_unit_descriptor bl_fade = {
    BL_OFFLINE_EFFECT('f', 'a', 'd', 'e'),
    .name = "Fade",
    BL_TAGS("Offline Effect", "Utility", "Mastering"),
    .summary = "Lets a sound begin and end softly",
    BL_FACTORY_PRESETS,
};
