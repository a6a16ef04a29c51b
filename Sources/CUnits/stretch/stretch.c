/* Stretch: changes the length and the pitch of a sound independently. */
#include "stretch/stretch.h"

#include "base/built_in.h"

enum { BY, STRETCH, LENGTH, FROM_TEMPO, TO_TEMPO, PITCH, MATERIAL, PARAMETER_COUNT };
enum { BY_STRETCH, BY_LENGTH, BY_TEMPO, BY_COUNT };
enum { MATERIAL_MUSIC, MATERIAL_VOICE, MATERIAL_DRUMS, MATERIAL_COUNT };

static const char *const ways[] = {"Stretch", "Length", "Tempo", NULL};
static const char *const materials[] = {"Music", "Voice", "Drums", NULL};
/* The length of a window, seconds. */
static const double windows[MATERIAL_COUNT] = {0.17, 0.043, 0.021};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [BY] = BL_CHOICE("by", "By", ways, BY_STRETCH, 0),
    [STRETCH] = BL_SETTING("stretch", "Stretch", PERCENT, LOGARITHMIC, 10, 1000, 100, 1),
    [LENGTH] = BL_SETTING("length", "Length", SECONDS, LOGARITHMIC, 0.01f, 7200, 10, 0),
    [FROM_TEMPO] =
        BL_SETTING("from_tempo", "From Tempo", BEATS_PER_MINUTE, LINEAR, 20, 400, 120, 0),
    [TO_TEMPO] = BL_SETTING("to_tempo", "To Tempo", BEATS_PER_MINUTE, LINEAR, 20, 400, 120, 0),
    [PITCH] = BL_SETTING("pitch", "Pitch", SEMITONES, LINEAR, -24, 24, 0, 2),
    [MATERIAL] = BL_CHOICE("material", "Material", materials, MATERIAL_MUSIC, 3),
};

static void finish(bl_unit *unit) { stretch_destroy_frames((stretch_unit *)unit); }

static void reset(bl_unit *unit) BL_NONBLOCKING { stretch_rewind((stretch_unit *)unit); }

/* The length of the output, frames. */
static double output_length(const stretch_unit *stretch) {
    const bl_unit_base *base = &stretch->effect.base;
    const bl_ramp *values = base->parameters;
    double input = (double)stretch->effect.input_frames;
    switch ((int)values[BY].target) {
    case BY_LENGTH: return (double)values[LENGTH].target * base->sample_rate;
    case BY_TEMPO:
        return input * (double)values[FROM_TEMPO].target / (double)values[TO_TEMPO].target;
    default: return input * (double)values[STRETCH].target / 100;
    }
}

/* Frames of a window: a power of two. */
static uint32_t window_length(const stretch_unit *stretch) {
    const bl_unit_base *base = &stretch->effect.base;
    double wanted = windows[(int)base->parameters[MATERIAL].target] * base->sample_rate;
    uint32_t length = 64;
    while (length < 0.75 * wanted) {
        length *= 2;
    }
    return length;
}

static bl_status preflight(bl_unit *unit, uint64_t input_frames, const bl_render_host *host,
                           uint64_t *output_frames) {
    (void)host;
    stretch_unit *stretch = (stretch_unit *)unit;
    stretch->effect.input_frames = (int64_t)input_frames;
    stretch->output_frames = input_frames == 0 ? 0 : (int64_t)floor(output_length(stretch) + 0.5);
    stretch->pitch = exp2((double)stretch->effect.base.parameters[PITCH].target / 12);
    stretch->pace = stretch->output_frames == 0
                        ? 1
                        : (double)input_frames / (double)stretch->output_frames / stretch->pitch;
    transposition_prepare(&stretch->transposition, stretch->pitch);
    *output_frames = (uint64_t)stretch->output_frames;
    if (!stretch_create_frames(stretch, window_length(stretch))) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    stretch_rewind(stretch);
    return BL_OK;
}

/* Renders a frame from the rings, at `part` between stretched frame `place` and the next. */
static void transpose(const stretch_unit *stretch, int64_t place, double part, float *const *output,
                      uint32_t frame) BL_NONBLOCKING {
    float taps[2 * TRANSPOSITION_REACH];
    int count = transposition_taps(&stretch->transposition, part, taps);
    uint64_t first = (uint64_t)(place - (count / 2 - 1));
    for (uint32_t channel = 0; channel < stretch->effect.base.output_channel_count; channel += 1) {
        const float *ring = stretch->channels[channel].ring;
        float sum = 0;
        for (int tap = 0; tap < count; tap += 1) {
            sum += taps[tap] * ring[(first + (uint64_t)tap) & (stretch->ring - 1)];
        }
        output[channel][frame] = sum;
    }
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    stretch_unit *stretch = (stretch_unit *)unit;
    bool transposes = stretch->pitch < 1 || stretch->pitch > 1;
    for (uint32_t frame = first_frame; frame < first_frame + frames; frame += 1) {
        double exact = (double)(io->time + frame) * stretch->pitch;
        int64_t place = (int64_t)floor(exact);
        while (stretch_end(stretch) <= place + (transposes ? TRANSPOSITION_REACH : 0)) {
            io->status = stretch_add_window(stretch, io->host);
            if (io->status != BL_OK) {
                return;
            }
        }
        if (transposes) {
            transpose(stretch, place, exact - (double)place, io->output, frame);
            continue;
        }
        for (uint32_t channel = 0; channel < stretch->effect.base.output_channel_count;
             channel += 1) {
            const float *ring = stretch->channels[channel].ring;
            io->output[channel][frame] = ring[(uint64_t)place & (stretch->ring - 1)];
        }
    }
}

BL_KIT(stretch_unit, .process = process, .finish = finish, .reset = reset)

static const bl_factory_preset presets[] = {
    BL_PRESET("Half Speed", {STRETCH, 200}),
    BL_PRESET("Double Speed", {STRETCH, 50}),
    BL_PRESET("Practice 80 %", {STRETCH, 125}),
    BL_PRESET("Thirty-Second Spot", {BY, BY_LENGTH}, {LENGTH, 30}),
    BL_PRESET("Drums 120 to 128", {BY, BY_TEMPO}, {TO_TEMPO, 128}, {MATERIAL, MATERIAL_DRUMS}),
    BL_PRESET("Faster Speech", {STRETCH, 80}, {MATERIAL, MATERIAL_VOICE}),
    BL_PRESET("Up a Tone", {PITCH, 2}),
    BL_PRESET("Octave Down", {PITCH, -12}),
    BL_PRESET("Sound Cloud", {STRETCH, 800}),
};

const bl_unit_descriptor bl_stretch = {
    BL_OFFLINE_EFFECT('s', 't', 'r', 't'),
    .name = "Stretch",
    BL_TAGS("Offline Effect", "Time Effect", "Time", "Pitch"),
    .summary = "Makes a sound longer or shorter, higher or lower, each without the other",
    BL_FACTORY_PRESETS,
};
