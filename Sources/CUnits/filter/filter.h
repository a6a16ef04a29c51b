/* All of the low-pass and of the high-pass unit but the output of the filter that they play. The
   including file defines FILTER_OUTPUT, `low` or `high`, and FILTER_DEFAULT_CUTOFF in Hz. */
#include <math.h>
#include <string.h>

#include "base/built_in.h"
#include "base/effect.h"
#include "dsp/svf.h"

enum { FILTER_CUTOFF, FILTER_RESONANCE, FILTER_PARAMETER_COUNT };

static const bl_parameter_info parameters[FILTER_PARAMETER_COUNT] = {
    [FILTER_CUTOFF] = {"cutoff", NULL, "Cutoff", BL_UNIT_HERTZ, 10, 20000, FILTER_DEFAULT_CUTOFF,
                       BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    /* The gain at the cutoff beyond a Butterworth filter's -3 dB. */
    [FILTER_RESONANCE] = {"resonance", NULL, "Resonance", BL_UNIT_DECIBELS, -20, 40, 0,
                          BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 2},
};

typedef struct filter_unit {
    bl_unit_base base;
    bl_svf_coefficients coefficients;                   /* while the parameters stand still */
    bool coefficients_known;                            /* false after each change */
    bl_svf_state states[(BL_MAXIMUM_CHANNELS + 1) / 2]; /* one a pair of channels */
} filter_unit;

BL_CREATE(filter_unit)

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_unit_base_set_parameter(unit, address, value);
    ((filter_unit *)unit)->coefficients_known = false;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_unit_base_finish_ramps(&filter->base);
    filter->coefficients_known = false;
    memset(filter->states, 0, sizeof filter->states);
}

static void apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_unit_base_apply(&filter->base, event);
    filter->coefficients_known = false;
}

/* The slower pole's way to -60 dB: exp(-damping · t) = 1/1000. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    double cutoff = fmin((double)base->parameters[FILTER_CUTOFF].target,
                         (double)BL_SVF_MAXIMUM_CUTOFF * base->sample_rate);
    double resonance = (double)base->parameters[FILTER_RESONANCE].target;
    double half_k = sqrt(0.5) * pow(10, -resonance / 20);
    double damping = half_k > 1 ? half_k - sqrt(half_k * half_k - 1) : half_k;
    return log(1000) / (2 * 3.14159265358979 * cutoff * damping);
}

/* The coefficients of `frames` frames, and on past them. */
BL_INLINE void tune(bl_unit_base *base, bl_svf_coefficients *coefficients,
                    uint32_t frames) BL_NONBLOCKING {
    bl_ramp cutoff = base->parameters[FILTER_CUTOFF];
    bl_ramp resonance = base->parameters[FILTER_RESONANCE];
    float period = (float)(1 / base->sample_rate);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_svf_tune(&coefficients[frame], bl_ramp_value(&cutoff, frame) * period,
                    bl_ramp_value(&resonance, frame));
    }
    bl_ramp_advance(&base->parameters[FILTER_CUTOFF], frames);
    bl_ramp_advance(&base->parameters[FILTER_RESONANCE], frames);
}

/* All channels through the filter, two at a time, from `first_frame` on; `step` is 1 where every
   frame has its own coefficients and 0 where one set serves all. */
BL_INLINE void run(filter_unit *filter, const bl_svf_coefficients *coefficients, uint32_t step,
                   float *const *input, float *const *output, uint32_t first_frame,
                   uint32_t frames) BL_NONBLOCKING {
    uint32_t channels = filter->base.output_channel_count;
    for (uint32_t channel = 0; channel < channels; channel += 2) {
        /* An odd last channel goes through as both of its pair. */
        uint32_t other = channel + 1 < channels ? channel + 1 : channel;
        const float *from[2] = {input[channel] + first_frame, input[other] + first_frame};
        float *to[2] = {output[channel] + first_frame, output[other] + first_frame};
        bl_svf_state state = filter->states[channel / 2];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            bl_double2 sample = {(double)from[0][frame], (double)from[1][frame]};
            bl_svf_outputs outputs = bl_svf_tick(&state, coefficients + frame * step, sample);
            to[0][frame] = (float)outputs.FILTER_OUTPUT[0];
            to[1][frame] = (float)outputs.FILTER_OUTPUT[1];
        }
        filter->states[channel / 2] = state;
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, float *const *input, float *const *output,
                                     uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_unit_base *base = &filter->base;
    if (!bl_ramp_is_moving(&base->parameters[FILTER_CUTOFF]) &&
        !bl_ramp_is_moving(&base->parameters[FILTER_RESONANCE])) {
        if (!filter->coefficients_known) {
            tune(base, &filter->coefficients, 1);
            filter->coefficients_known = true;
        }
        bl_svf_coefficients coefficients = filter->coefficients;
        run(filter, &coefficients, 0, input, output, first_frame, frames);
        return;
    }
    bl_svf_coefficients coefficients[BL_CHUNK_FRAMES];
    for (uint32_t done = 0; done < frames; done += BL_CHUNK_FRAMES) {
        uint32_t count = frames - done < BL_CHUNK_FRAMES ? frames - done : BL_CHUNK_FRAMES;
        tune(base, coefficients, count);
        run(filter, coefficients, 1, input, output, first_frame + done, count);
    }
    filter->coefficients_known = false;
}

BL_EFFECT_RENDER(apply, process)

static const char *const tags[] = {"Filter", "Tone", "Guitar", "Voice", NULL};

/* The rest of the descriptor. */
#define FILTER_DESCRIPTOR                                                                          \
    BL_EFFECT_BUSSES, .destroy = bl_unit_base_destroy, .set_parameter = set_parameter,             \
                      .parameter_value = bl_unit_base_parameter_value,                             \
                      .allocate_render_resources = bl_unit_base_allocate_and_reset,                \
                      .deallocate_render_resources = bl_unit_base_deallocate,                      \
                      .tail_time = tail_time
