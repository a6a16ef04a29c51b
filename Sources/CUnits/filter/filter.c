#include "filter/filter.h"

#include <math.h>
#include <string.h>

bl_unit *filter_create(const bl_unit_descriptor *descriptor) {
    return bl_unit_base_create(descriptor, sizeof(filter_unit));
}

void filter_set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_unit_base_set_parameter(unit, address, value);
    ((filter_unit *)unit)->coefficients_known = false;
}

void filter_reset(bl_unit *unit) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_unit_base_finish_ramps(&filter->base);
    filter->coefficients_known = false;
    memset(filter->states, 0, sizeof filter->states);
}

bl_status filter_allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status == BL_OK) {
        filter_reset(unit);
    }
    return status;
}

void filter_apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_unit_base_apply(&filter->base, event);
    filter->coefficients_known = false;
}

/* The slower pole's way to -60 dB: exp(-damping · t) = 1/1000. */
double filter_tail_time(const bl_unit *unit) BL_NONBLOCKING {
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
                   float *const *input, float *const *output, uint32_t first_frame, uint32_t frames,
                   filter_response response) BL_NONBLOCKING {
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
            bl_double2 chosen = response == FILTER_LOW_PASS ? outputs.low : outputs.high;
            to[0][frame] = (float)chosen[0];
            to[1][frame] = (float)chosen[1];
        }
        filter->states[channel / 2] = state;
    }
}

BL_INLINE void process(bl_unit *unit, float *const *input, float *const *output,
                       uint32_t first_frame, uint32_t frames,
                       filter_response response) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_unit_base *base = &filter->base;
    if (!bl_ramp_is_moving(&base->parameters[FILTER_CUTOFF]) &&
        !bl_ramp_is_moving(&base->parameters[FILTER_RESONANCE])) {
        if (!filter->coefficients_known) {
            tune(base, &filter->coefficients, 1);
            filter->coefficients_known = true;
        }
        bl_svf_coefficients coefficients = filter->coefficients;
        run(filter, &coefficients, 0, input, output, first_frame, frames, response);
        return;
    }
    bl_svf_coefficients coefficients[BL_CHUNK_FRAMES];
    for (uint32_t done = 0; done < frames; done += BL_CHUNK_FRAMES) {
        uint32_t count = frames - done < BL_CHUNK_FRAMES ? frames - done : BL_CHUNK_FRAMES;
        tune(base, coefficients, count);
        run(filter, coefficients, 1, input, output, first_frame + done, count, response);
    }
    filter->coefficients_known = false;
}

BL_VECTOR_CLONES
void filter_process_low_pass(bl_unit *unit, float *const *input, float *const *output,
                             uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    process(unit, input, output, first_frame, frames, FILTER_LOW_PASS);
}

BL_VECTOR_CLONES
void filter_process_high_pass(bl_unit *unit, float *const *input, float *const *output,
                              uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    process(unit, input, output, first_frame, frames, FILTER_HIGH_PASS);
}
