#include "granular/grain_cloud.h"

#include "dsp/pan.h"

void grain_cloud_begin(grain_cloud *cloud, const grain_settings *settings, uint32_t seed,
                       float jitter, bool past_moves) BL_NONBLOCKING {
    int64_t place = 4 * (int64_t)cloud->begun;
    float values[4];
    for (int index = 0; index < 4; index += 1) {
        values[index] = bl_random_value(seed, place + index); /* -1 to 1 */
    }
    cloud->begun += 1;
    cloud->wait += 1 + (double)(jitter * values[0]);
    if (cloud->count >= settings->most) {
        return;
    }
    bool backwards = 0.5f + 0.5f * values[2] < settings->reverse;
    double speed = backwards ? -settings->speed : settings->speed;
    /* The frames by which it approaches the present until its end. */
    double approach = settings->length * (past_moves ? speed - 1 : speed);
    double nearest = GRAIN_NEAREST + (approach > 0 ? approach : 0);
    double back = settings->position + (0.5 + 0.5 * (double)values[1]) * settings->spray;
    uint32_t length = (uint32_t)settings->length;
    grain *begun = &cloud->grains[cloud->count];
    cloud->count += 1;
    *begun = (grain){.back = back > nearest ? back : nearest,
                     .speed = speed,
                     .length = length,
                     .step = 0.5f / (float)length};
    /* The mean square of a Hann window is 3/8. */
    float power = 0.375f * settings->overlap;
    float gain = power > 1 ? 1 / sqrtf(power) : 1;
    bl_pan_gains gains;
    bl_pan(&gains, 2, 2, settings->spread * values[3], gain);
    begun->gains[0] = gains.left;
    begun->gains[1] = gains.right;
}

/* Adds one grain; at the ends of the past it reverses. */
BL_INLINE void play(grain *grain, const bl_moddelay *past, const bl_sinc *sinc, const float *lines,
                    uint32_t inputs, bool past_moves, float *sums, uint32_t outputs,
                    uint32_t frames) BL_NONBLOCKING {
    double backs[BL_CHUNK_FRAMES];
    float samples[BL_CHUNK_FRAMES], window[BL_CHUNK_FRAMES];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        backs[frame] = past_moves ? grain->back : grain->back + frame;
        double approach = past_moves ? grain->speed - 1 : grain->speed;
        if (grain->back - approach < GRAIN_NEAREST && approach > 0) {
            grain->speed = -grain->speed;
            approach = past_moves ? grain->speed - 1 : grain->speed;
        }
        grain->back -= approach;
        float sine = bl_sine_of_turns((float)(grain->frame + frame) * grain->step);
        window[frame] = sine * sine;
    }
    grain->frame += frames;
    for (uint32_t channel = 0; channel < outputs; channel += 1) {
        if (channel < inputs) {
            const float *line = lines + (size_t)channel * bl_moddelay_floats(past);
            bl_moddelay_read(past, sinc, line, backs, samples, frames);
        }
        float *sum = sums + (size_t)channel * BL_CHUNK_FRAMES;
        float gain = grain->gains[channel];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            sum[frame] += gain * window[frame] * samples[frame];
        }
    }
}

BL_VECTOR_CLONES
void grain_cloud_play(grain_cloud *cloud, const bl_moddelay *past, const bl_sinc *sinc,
                      const float *lines, uint32_t inputs, bool past_moves, float *sums,
                      uint32_t outputs, const double *distances, uint32_t frames) BL_NONBLOCKING {
    uint32_t kept = 0;
    for (uint32_t index = 0; index < cloud->count; index += 1) {
        grain *grain = &cloud->grains[index];
        uint32_t left = grain->length - grain->frame;
        play(grain, past, sinc, lines, inputs, past_moves, sums, outputs, bl_fewer(left, frames));
        if (grain->frame < grain->length) {
            cloud->grains[kept] = *grain;
            kept += 1;
        }
    }
    cloud->count = kept;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        cloud->wait -= distances[frame];
    }
}
