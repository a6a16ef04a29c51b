#include "filter.h"

#include <math.h>
#include <string.h>

bl_unit *filter_create(const bl_unit_descriptor *descriptor) {
    return bl_unit_base_create(descriptor, sizeof(filter_unit));
}

void filter_reset(bl_unit *unit) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_unit_base_settle(&filter->base);
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
    bl_unit_base_apply((bl_unit_base *)unit, event);
}

/* The slower pole's way to -60 dB: exp(-damping · t) = 1/1000. */
double filter_tail_time(const bl_unit *unit) {
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

/* Two channels through the filter; `step` is 1 where every frame has its own coefficients and 0
   where one set serves all. */
BL_INLINE void run(bl_svf_state *state, const bl_svf_coefficients *coefficients, uint32_t step,
                   const float *const from[2], float *const to[2], uint32_t frames,
                   filter_response response) BL_NONBLOCKING {
    bl_svf_state now = *state;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 input = {(double)from[0][frame], (double)from[1][frame]};
        bl_svf_outputs outputs = bl_svf_tick(&now, coefficients + frame * step, input);
        bl_double2 output = response == FILTER_LOW_PASS ? outputs.low : outputs.high;
        to[0][frame] = (float)output[0];
        to[1][frame] = (float)output[1];
    }
    *state = now;
}

BL_INLINE void process(bl_unit *unit, float *const *input, float *const *output,
                       uint32_t first_frame, uint32_t frames,
                       filter_response response) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_unit_base *base = &filter->base;
    bl_svf_coefficients coefficients[BL_CHUNK_FRAMES];
    bool moving = bl_ramp_is_moving(&base->parameters[FILTER_CUTOFF]) ||
                  bl_ramp_is_moving(&base->parameters[FILTER_RESONANCE]);
    uint32_t chunk = moving ? BL_CHUNK_FRAMES : frames;
    for (uint32_t done = 0; done < frames; done += chunk) {
        uint32_t count = frames - done < chunk ? frames - done : chunk;
        if (moving) {
            tune(base, coefficients, count);
        } else {
            tune(base, coefficients, 1);
        }
        uint32_t channels = base->output_channel_count;
        for (uint32_t channel = 0; channel < channels; channel += 2) {
            /* An odd last channel goes through as both of its pair. */
            uint32_t other = channel + 1 < channels ? channel + 1 : channel;
            uint32_t offset = first_frame + done;
            const float *const from[2] = {input[channel] + offset, input[other] + offset};
            float *const to[2] = {output[channel] + offset, output[other] + offset};
            bl_svf_state *state = &filter->states[channel / 2];
            if (moving) {
                run(state, coefficients, 1, from, to, count, response);
            } else {
                run(state, coefficients, 0, from, to, count, response);
            }
        }
    }
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
