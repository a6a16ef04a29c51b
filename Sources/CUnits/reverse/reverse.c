/* Reverse: plays a sound backwards. */
#include "base/built_in.h"
#include "base/offline_effect.h"

enum { WAY, PARAMETER_COUNT };
enum { WAY_BACK, WAY_THERE_AND_BACK };

static const char *const ways[] = {"Back", "There and Back", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [WAY] = BL_CHOICE("way", "Way", ways, WAY_BACK, 1),
};

typedef struct reverse_unit {
    bl_offline_effect effect;
    int64_t forward_frames; /* frames copied before the reversed ones */
} reverse_unit;

static bl_status preflight(bl_unit *unit, uint64_t input_frames, const bl_render_host *host,
                           uint64_t *output_frames) {
    (void)host;
    reverse_unit *reverse = (reverse_unit *)unit;
    bool goes_there = reverse->effect.base.parameters[WAY].target >= WAY_THERE_AND_BACK;
    reverse->effect.input_frames = (int64_t)input_frames;
    reverse->forward_frames = goes_there ? (int64_t)input_frames : 0;
    *output_frames = goes_there ? 2 * input_frames : input_frames;
    return BL_OK;
}

/* Reads `frames` frames to `output`, at `offset`. [render] */
static bl_status copy(reverse_unit *reverse, const bl_render_host *host, int64_t first,
                      bool backwards, float *const *output, uint32_t offset,
                      uint32_t frames) BL_NONBLOCKING {
    float *pointers[BL_MAXIMUM_CHANNELS];
    bl_buffers input;
    bl_status status =
        bl_offline_read(&reverse->effect.base, host, first, frames, pointers, &input);
    for (uint32_t channel = 0; status == BL_OK && channel < input.channel_count; channel += 1) {
        const float *from = input.channels[channel];
        float *to = output[channel] + offset;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = from[backwards ? frames - 1 - frame : frame];
        }
    }
    return status;
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    reverse_unit *reverse = (reverse_unit *)unit;
    int64_t time = io->time + first_frame;
    int64_t left = reverse->forward_frames - time;
    uint32_t there = left <= 0 ? 0 : left < frames ? (uint32_t)left : frames;
    uint32_t back = frames - there;
    if (there > 0) {
        io->status = copy(reverse, io->host, time, false, io->output, first_frame, there);
    }
    if (back > 0 && io->status == BL_OK) {
        int64_t end = reverse->forward_frames + reverse->effect.input_frames - time - there;
        io->status =
            copy(reverse, io->host, end - back, true, io->output, first_frame + there, back);
    }
}

BL_KIT(reverse_unit, .process = process)

static const bl_factory_preset presets[] = {
    BL_PRESET("Backwards", {WAY, WAY_BACK}),
    BL_PRESET("Ping-Pong Loop", {WAY, WAY_THERE_AND_BACK}),
};

const bl_unit_descriptor bl_reverse = {
    BL_OFFLINE_EFFECT('r', 'v', 'r', 's'),
    .name = "Reverse",
    BL_TAGS("Offline Effect", "Utility"),
    .summary = "Plays a sound from its end to its beginning",
    BL_FACTORY_PRESETS,
};
