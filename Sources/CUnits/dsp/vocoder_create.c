/* The memory of a vocoder. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/vocoder_spectrum.h"

#define PI 3.14159265358979324

/* Floats between rings, so that they use different cache lines. */
#define GAP 80

/* The most peaks of a spectrum. */
static size_t most_peaks(const bl_vocoder *vocoder) {
    return vocoder->fft.half / BL_VOCODER_PEAK_REACH + 1;
}

/* Floats of a spectrum with its margins. */
static size_t spectrum_floats(const bl_vocoder *vocoder) {
    return vocoder->fft.half + 2 * BL_VOCODER_MARGIN;
}

/* Bytes that lay_out uses. */
static size_t memory_size(const bl_vocoder *vocoder) {
    size_t half = vocoder->fft.half, peaks = most_peaks(vocoder);
    size_t floats = vocoder->length + (1 + BL_VOCODER_VOICES) * (size_t)(vocoder->ring + GAP) +
                    2 * half + bl_fft_work_floats(&vocoder->fft) + 8 * spectrum_floats(vocoder);
    return floats * sizeof(float) +
           2 * (peaks * (sizeof(bl_vocoder_peak) + BL_VOCODER_VOICES * sizeof(double)) +
                half * sizeof(uint16_t));
}

/* Assigns each array its part of the memory, widest alignment first. */
static void lay_out(bl_vocoder *vocoder) {
    size_t half = vocoder->fft.half, spectrum = spectrum_floats(vocoder);
    size_t peaks = most_peaks(vocoder);
    char *next = (char *)vocoder->memory;
    for (uint32_t turn = 0; turn < 2; turn += 1) {
        for (uint32_t voice = 0; voice < BL_VOCODER_VOICES; voice += 1) {
            vocoder->peaks[turn].phases[voice] = (double *)(void *)next;
            next += peaks * sizeof(double);
        }
        vocoder->peaks[turn].peaks = (bl_vocoder_peak *)(void *)next;
        next += peaks * sizeof(bl_vocoder_peak);
    }
    float *from = (float *)(void *)next;
    vocoder->window = from, from += vocoder->length;
    vocoder->input = from, from += vocoder->ring + GAP;
    for (uint32_t voice = 0; voice < BL_VOCODER_VOICES; voice += 1) {
        vocoder->output[voice] = from, from += vocoder->ring + GAP;
    }
    vocoder->buffer = from, from += 2 * half;
    vocoder->work = from, from += bl_fft_work_floats(&vocoder->fft);
    for (uint32_t turn = 0; turn < 2; turn += 1) {
        vocoder->real[turn] = from + BL_VOCODER_MARGIN, from += spectrum;
        vocoder->imaginary[turn] = from + BL_VOCODER_MARGIN, from += spectrum;
    }
    vocoder->powers = from, from += spectrum;
    vocoder->envelope = from, from += spectrum;
    vocoder->moved_real = from + BL_VOCODER_MARGIN, from += spectrum;
    vocoder->moved_imaginary = from + BL_VOCODER_MARGIN, from += spectrum;
    vocoder->peaks[0].owners = (uint16_t *)(void *)from;
    vocoder->peaks[1].owners = vocoder->peaks[0].owners + half;
}

bool bl_vocoder_create(bl_vocoder *vocoder, double sample_rate, const bl_vocoder_band *band) {
    memset(vocoder, 0, sizeof *vocoder);
    vocoder->length = band->length;
    while (vocoder->length * 48000.0 < 0.9 * band->length * sample_rate) {
        vocoder->length *= 2;
    }
    vocoder->hop = vocoder->length / BL_VOCODER_OVERLAP;
    vocoder->ring = BL_FFT_MINIMUM;
    while (vocoder->ring < 2 * vocoder->length) {
        vocoder->ring *= 2;
    }
    if (!bl_fft_create(&vocoder->fft, vocoder->ring)) {
        return false;
    }
    vocoder->low = band->low / sample_rate * vocoder->fft.size;
    vocoder->high = band->high / sample_rate * vocoder->fft.size;
    size_t size = memory_size(vocoder);
    vocoder->memory = malloc(size);
    if (vocoder->memory == NULL) {
        bl_fft_destroy(&vocoder->fft);
        return false;
    }
    memset(vocoder->memory, 0, size);
    lay_out(vocoder);
    for (uint32_t index = 0; index < vocoder->length; index += 1) {
        vocoder->window[index] = (float)(0.5 - 0.5 * cos(2 * PI * index / vocoder->length));
    }
    bl_vocoder_reset(vocoder);
    return true;
}

void bl_vocoder_destroy(bl_vocoder *vocoder) {
    if (vocoder->memory != NULL) {
        bl_fft_destroy(&vocoder->fft);
        free(vocoder->memory);
        vocoder->memory = NULL;
    }
}
