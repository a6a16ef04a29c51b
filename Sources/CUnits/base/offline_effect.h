/* Offline effects: they get a whole sound, of known length, before they yield any of their output.
   Such a unit's structure has a bl_offline_effect as its first member. */
#ifndef BACKLINE_OFFLINE_EFFECT_H
#define BACKLINE_OFFLINE_EFFECT_H

#include "base/effect.h"

typedef struct bl_offline_effect {
    bl_unit_base base;
    int64_t input_frames;
} bl_offline_effect;

/* Looks at frames of the input in a pass over it. */
typedef void (*bl_offline_listen)(bl_unit *unit, float *const *input, int64_t first,
                                  uint32_t frames);

/* Renders frames of the output from `time` on. [render] */
typedef bl_status (*bl_offline_process)(bl_unit *unit, const bl_render_host *host, int64_t time,
                                        float *const *output, uint32_t frames) BL_NONBLOCKING;

/* Members of the descriptor of such a unit, which defines `preflight`. */
#define BL_OFFLINE_EFFECT                                                                          \
    .input_busses = bl_effect_input, .input_bus_count = 1, .output_busses = bl_effect_output,      \
    .output_bus_count = 1, .destroy = bl_unit_base_destroy, .preflight = preflight,                \
    .set_parameter = bl_unit_base_set_parameter,                                                   \
    .allocate_render_resources = bl_offline_effect_allocate

/* Allocates what every such unit has. [control; not allocated] */
static inline bl_status bl_offline_effect_allocate(bl_unit *unit,
                                                   const bl_render_configuration *configuration) {
    bl_status status = bl_unit_base_allocate(unit, configuration);
    return status;
}

/* Reads up to maximum_frames frames of the input, from `first` on, through `pointers`; silence
   before its beginning and after its end. [render, or in preflight] */
BL_INLINE bl_status bl_offline_read(bl_unit_base *base, const bl_render_host *host, int64_t first,
                                    uint32_t frames, float **pointers,
                                    bl_buffers *input) BL_NONBLOCKING {
    bl_timestamp timestamp = {first};
    bl_status status = bl_unit_base_pull_into(base, base->ports[0].memory[0], host, BL_RENDER_OFFLINE,
                                              &timestamp, frames, 0, pointers, input);
    return status == BL_ERROR_NO_CONNECTION ? BL_OK : status;
}

/* Passes the whole input, and `after` frames of the silence after it, to `listen`. */
static inline bl_status bl_offline_pass(bl_unit *unit, const bl_render_host *host, int64_t after,
                                        bl_offline_listen listen) {
    bl_offline_effect *effect = (bl_offline_effect *)unit;
    int64_t end = effect->input_frames + after;
    bl_status status = BL_OK;
    for (int64_t first = 0; first < end && status == BL_OK;) {
        int64_t left = end - first;
        uint32_t most = effect->base.maximum_frames;
        uint32_t frames = left < most ? (uint32_t)left : most;
        float *pointers[BL_MAXIMUM_CHANNELS];
        bl_buffers input;
        status = bl_offline_read(&effect->base, host, first, frames, pointers, &input);
        if (status == BL_OK) {
            listen(unit, input.channels, first, frames);
        }
        first += frames;
    }
    return status;
}

/* Renders one cycle; the other arguments are the descriptor's render's. [render] */
BL_INLINE bl_status bl_offline_render(bl_unit *unit, const bl_timestamp *timestamp, uint32_t frames,
                                      uint32_t bus, bl_buffers *output, const bl_render_host *host,
                                      bl_offline_process process) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    bl_status status = bl_render_check(base, frames, bus);
    if (status != BL_OK) {
        return status;
    }
    bl_unit_base_provide_output(base, output);
    return process(unit, host, timestamp->sample_time, output->channels, frames);
}

/* Defines the `render` of an offline effect. */
#define BL_OFFLINE_RENDER(PROCESS)                                                                 \
    static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,          \
                            uint32_t frames, uint32_t bus, bl_buffers *output,                     \
                            const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {   \
        (void)flags, (void)events;                                                                 \
        return bl_offline_render(unit, timestamp, frames, bus, output, host, PROCESS);             \
    }

/* The `reset` of a unit whose output is a function of its input and of time alone. */
#define BL_OFFLINE_RESET                                                                           \
    static void reset(bl_unit *unit) BL_NONBLOCKING {                                              \
        bl_unit_base_finish_ramps((bl_unit_base *)unit);                                           \
    }

#endif
