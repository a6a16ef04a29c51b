#include "../include/spectrum.h"

#include <math.h>
#include <stdlib.h>

#include "dsp/fft.h"

#define PI 3.14159265358979324

enum { FRAMES = BL_SPECTRUM_FRAMES, BINS = FRAMES / 2 };

struct bl_spectrum {
    bl_fft fft;
    uint32_t band_count;
    uint32_t *edges; /* first bin of each band, and the end of the last */
    float *centres;  /* centres of the bands, in bins */
    float *work;
    float window[FRAMES], sound[FRAMES];
    float real[BINS], imaginary[BINS], power[BINS];
};

bl_spectrum *bl_spectrum_create(double sample_rate, uint32_t band_count, double low, double high) {
    bl_spectrum *spectrum = calloc(1, sizeof *spectrum);
    if (spectrum == NULL || !bl_fft_create(&spectrum->fft, FRAMES)) {
        free(spectrum);
        return NULL;
    }
    spectrum->band_count = band_count;
    spectrum->edges = calloc(band_count + 1, sizeof *spectrum->edges);
    spectrum->centres = calloc(band_count, sizeof *spectrum->centres);
    spectrum->work = calloc(bl_fft_work_floats(&spectrum->fft), sizeof(float));
    if (spectrum->edges == NULL || spectrum->centres == NULL || spectrum->work == NULL) {
        bl_spectrum_destroy(spectrum);
        return NULL;
    }
    double first = low * FRAMES / sample_rate, octaves = log2(high / low) / (band_count - 1);
    for (uint32_t band = 0; band <= band_count; band += 1) {
        double edge = first * exp2((band - 0.5) * octaves) + 0.5;
        spectrum->edges[band] = (uint32_t)fmin(edge, BINS - 2);
        if (band < band_count) {
            spectrum->centres[band] = (float)fmin(first * exp2(band * octaves), BINS - 2);
        }
    }
    for (uint32_t frame = 0; frame < FRAMES; frame += 1) {
        spectrum->window[frame] = (float)(0.5 - 0.5 * cos(2 * PI * frame / FRAMES));
    }
    return spectrum;
}

void bl_spectrum_destroy(bl_spectrum *spectrum) {
    bl_fft_destroy(&spectrum->fft);
    free(spectrum->edges);
    free(spectrum->centres);
    free(spectrum->work);
    free(spectrum);
}

/* The power of a sine at a bin: a Hann window spreads it over three. */
static float power_at(const bl_spectrum *spectrum, uint32_t bin) {
    float sum = spectrum->power[bin];
    sum += bin > 0 ? spectrum->power[bin - 1] : 0;
    return sum + (bin + 1 < BINS ? spectrum->power[bin + 1] : 0);
}

/* The power of a band. Narrow bands contain no bin: interpolated bins count, too. */
static float power_of_band(const bl_spectrum *spectrum, uint32_t band) {
    uint32_t below = (uint32_t)spectrum->centres[band];
    float beyond = spectrum->centres[band] - (float)below;
    float loudest =
        (1 - beyond) * power_at(spectrum, below) + beyond * power_at(spectrum, below + 1);
    for (uint32_t bin = spectrum->edges[band]; bin < spectrum->edges[band + 1]; bin += 1) {
        loudest = fmaxf(loudest, power_at(spectrum, bin));
    }
    return loudest;
}

void bl_spectrum_measure(bl_spectrum *spectrum, const float *samples, float *bands) {
    for (uint32_t frame = 0; frame < FRAMES; frame += 1) {
        spectrum->sound[frame] = samples[frame] * spectrum->window[frame];
    }
    const float *const halves[2] = {spectrum->sound, spectrum->sound + FRAMES / 2};
    bl_fft_job job = {0};
    bl_fft_forward(&spectrum->fft, &job, halves, spectrum->real, spectrum->imaginary,
                   spectrum->work, INT32_MAX);
    spectrum->imaginary[0] = 0;
    for (uint32_t bin = 0; bin < BINS; bin += 1) {
        float real = spectrum->real[bin], imaginary = spectrum->imaginary[bin];
        spectrum->power[bin] = real * real + imaginary * imaginary;
    }
    /* The power of the three bins of a sine of amplitude 1 on the middle one. */
    const float full = 1.5f * (FRAMES / 4.0f) * (FRAMES / 4.0f);
    for (uint32_t band = 0; band < spectrum->band_count; band += 1) {
        float level = 10 * log10f(power_of_band(spectrum, band) / full + 1e-20f);
        bands[band] = fmaxf(BL_SPECTRUM_FLOOR, level);
    }
}
