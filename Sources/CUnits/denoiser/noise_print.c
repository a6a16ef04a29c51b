/* The data of a noise print, little-endian: a header of four 32-bit words (1 for the form, Hz as a
   float, channels, bins), then the powers, channel after channel, as 16-bit hundredths of a
   decibel. */
#include "denoiser/noise_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORM = 1, MOST_BINS = 1 << 16, SILENT = INT16_MIN };

typedef struct head {
    uint32_t form;
    float sample_rate;
    uint32_t channels, bins;
} head;

noise_print *noise_print_create(double sample_rate, uint32_t channels, uint32_t bins) {
    size_t count = (size_t)channels * bins;
    noise_print *print = bl_allocate_touched(1, sizeof *print + count * sizeof(float));
    if (print != NULL) {
        print->sample_rate = sample_rate;
        print->channels = channels;
        print->bins = bins;
    }
    return print;
}

noise_print *noise_print_convert(const noise_print *print, double sample_rate, uint32_t channels,
                                 uint32_t bins) {
    noise_print *converted = noise_print_create(sample_rate, channels, bins);
    double ratio = sample_rate / print->sample_rate * print->bins / bins;
    /* A bin has the power of one bin's width, times the window's frames and the sample rate. */
    float scale = (float)(bins * sample_rate / (print->bins * print->sample_rate));
    for (uint32_t channel = 0; converted != NULL && channel < channels; channel += 1) {
        uint32_t source = channel < print->channels ? channel : print->channels - 1;
        const float *from = print->powers + (size_t)source * print->bins;
        float *to = converted->powers + (size_t)channel * bins;
        for (uint32_t bin = 0; bin < bins; bin += 1) {
            double place = fmin(bin * ratio, print->bins - 1);
            uint32_t below = (uint32_t)place;
            uint32_t above = below + 1 < print->bins ? below + 1 : below;
            float part = (float)(place - below);
            to[bin] = scale * (from[below] + part * (from[above] - from[below]));
        }
    }
    return converted;
}

bl_status noise_print_save(const noise_print *print, const bl_data_writer *writer) {
    head head = {FORM, (float)print->sample_rate, print->channels, print->bins};
    bl_status status = writer->write(writer->context, &head, sizeof head);
    size_t count = (size_t)print->channels * print->bins;
    for (size_t place = 0; place < count && status == BL_OK; place += 1) {
        float level = 1000 * log10f(print->powers[place]);
        int16_t word = level > SILENT ? (int16_t)fminf(roundf(level), INT16_MAX) : SILENT;
        status = writer->write(writer->context, &word, sizeof word);
    }
    return status;
}

noise_print *noise_print_load(const void *bytes, size_t count, char *message, size_t message_size) {
    head head = {0};
    memcpy(&head, bytes, count < sizeof head ? count : sizeof head);
    bool is_known = head.form == FORM && head.sample_rate >= 1 && head.sample_rate < 1e7f &&
                    head.channels > 0 && head.channels <= BL_MAXIMUM_CHANNELS && head.bins > 0 &&
                    head.bins <= MOST_BINS;
    size_t powers = is_known ? (size_t)head.channels * head.bins : 0;
    if (!is_known || count != sizeof head + powers * sizeof(int16_t)) {
        snprintf(message, message_size, "this is no noise print");
        return NULL;
    }
    noise_print *print = noise_print_create((double)head.sample_rate, head.channels, head.bins);
    if (print == NULL) {
        snprintf(message, message_size, "memory is short");
    }
    for (size_t place = 0; print != NULL && place < powers; place += 1) {
        int16_t word;
        memcpy(&word, (const char *)bytes + sizeof head + place * sizeof word, sizeof word);
        print->powers[place] = word > SILENT ? powf(10, 0.001f * word) : 0;
    }
    return print;
}
