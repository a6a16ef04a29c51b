#include "convolver/impulse_response.h"

#include "loudness/k_weighting.h"

/* Ringing of the filters after the response, seconds. */
#define RING 0.5

/* A filter from white to pink noise, within 0.3 dB of 3 dB per octave: Julius O. Smith, "Spectral
   Audio Signal Processing", 2011. */
static const double pink_b[] = {0.049922035, -0.095993537, 0.050612699, -0.004408786};
static const double pink_a[] = {1, -2.494956002, 2.017265875, -0.522189400};

/* The energy of a response after both filters. */
static double weighted_energy(const float *samples, uint32_t frames, double sample_rate) {
    k_weighting weighting = k_weighting_at(sample_rate);
    k_memory shelf = {0}, high_pass = {0};
    double past[3] = {0}, energy = 0;
    uint32_t end = frames + (uint32_t)(RING * sample_rate);
    for (uint32_t frame = 0; frame < end; frame += 1) {
        double input = frame < frames ? (double)samples[frame] : 0;
        double pink = pink_b[0] * input + past[0];
        past[0] = pink_b[1] * input - pink_a[1] * pink + past[1];
        past[1] = pink_b[2] * input - pink_a[2] * pink + past[2];
        past[2] = pink_b[3] * input - pink_a[3] * pink;
        bl_double2 both = {pink, 0};
        both = k_stage_tick(&weighting.shelf, &shelf, both);
        both = k_stage_tick(&weighting.high_pass, &high_pass, both);
        energy += both[0] * both[0];
    }
    return energy;
}

double bl_response_loudness(const float *samples, uint32_t paths, uint32_t frames,
                            double sample_rate) {
    double energy = 0, weighted = 0;
    for (uint32_t path = 0; path < paths; path += 1) {
        const float *response = samples + (size_t)path * frames;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            energy += (double)response[frame] * (double)response[frame];
        }
        weighted += weighted_energy(response, frames, sample_rate);
    }
    float impulse = 1;
    return weighted > 0 ? sqrt(weighted / (energy * weighted_energy(&impulse, 1, sample_rate))) : 1;
}
