/* Trim: removes the silence before and after a sound. */
#include <math.h>
#include <string.h>

#include "base/built_in.h"
#include "base/offline_effect.h"

enum { THRESHOLD, PAD, SIDES, PARAMETER_COUNT };
enum { SIDES_BOTH, SIDES_START, SIDES_END };

static const char *const sides[] = {"Both", "Start", "End", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [THRESHOLD] = BL_SETTING("threshold", "Threshold", DECIBELS, LINEAR, -120, -10, -60, 1),
    [PAD] = BL_SETTING("pad", "Pad", SECONDS, SQUARED, 0, 10, 0.02f, 2),
    [SIDES] = BL_CHOICE("sides", "Sides", sides, SIDES_BOTH, 3),
};

typedef struct trim_unit {
    bl_offline_effect effect;
    float level;         /* threshold of sound */
    int64_t first, last; /* range of sound, frames; none while last is -1 */
    int64_t start;       /* start of the kept part */
} trim_unit;

static void listen(bl_unit *unit, float *const *input, int64_t first, uint32_t frames) {
    trim_unit *trim = (trim_unit *)unit;
    for (uint32_t channel = 0; channel < trim->effect.base.output_channel_count; channel += 1) {
        const float *samples = input[channel];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            if (fabsf(samples[frame]) > trim->level) {
                int64_t place = first + frame;
                trim->first = trim->last < 0 || place < trim->first ? place : trim->first;
                trim->last = place > trim->last ? place : trim->last;
            }
        }
    }
}

static bl_status preflight(bl_unit *unit, uint64_t input_frames, const bl_render_host *host,
                           uint64_t *output_frames) {
    trim_unit *trim = (trim_unit *)unit;
    const bl_unit_base *base = &trim->effect.base;
    int64_t length = (int64_t)input_frames;
    int kept = (int)base->parameters[SIDES].target;
    double pad = round((double)base->parameters[PAD].target * base->sample_rate);
    trim->effect.input_frames = length;
    trim->level = powf(10, base->parameters[THRESHOLD].target / 20);
    trim->last = -1;
    bl_status status = bl_offline_pass(unit, host, 0, listen);
    int64_t start = trim->first - (int64_t)pad;
    int64_t end = trim->last + 1 + (int64_t)pad;
    trim->start = kept == SIDES_END || start < 0 ? 0 : start;
    end = kept == SIDES_START || end > length ? length : end;
    *output_frames = trim->last < 0 ? 0 : (uint64_t)(end - trim->start);
    return status;
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    trim_unit *trim = (trim_unit *)unit;
    float *pointers[BL_MAXIMUM_CHANNELS];
    bl_buffers input;
    int64_t first = trim->start + io->time + first_frame;
    io->status = bl_offline_read(&trim->effect.base, io->host, first, frames, pointers, &input);
    for (uint32_t channel = 0; io->status == BL_OK && channel < input.channel_count; channel += 1) {
        memcpy(io->output[channel] + first_frame, input.channels[channel], frames * sizeof(float));
    }
}

BL_KIT(trim_unit, .process = process)

static const bl_factory_preset presets[] = {
    BL_PRESET("Tight", {THRESHOLD, -50}, {PAD, 0}),
    BL_PRESET("Dialogue", {THRESHOLD, -45}, {PAD, 0.15f}),
    BL_PRESET("Room Tone", {THRESHOLD, -40}, {PAD, 0.5f}),
    BL_PRESET("Digital Silence", {THRESHOLD, -110}, {PAD, 0}),
    BL_PRESET("On the Beat", {THRESHOLD, -40}, {PAD, 0}, {SIDES, SIDES_START}),
    BL_PRESET("Reverb Tail", {THRESHOLD, -80}, {PAD, 0.05f}, {SIDES, SIDES_END}),
};

const bl_unit_descriptor bl_trim = {
    BL_OFFLINE_EFFECT('t', 'r', 'i', 'm'),
    .name = "Trim",
    BL_TAGS("Offline Effect", "Utility"),
    .summary = "Cuts the silence before and after a sound",
    BL_FACTORY_PRESETS,
};
