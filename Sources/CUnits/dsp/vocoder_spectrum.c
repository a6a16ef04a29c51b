#include "dsp/vocoder_spectrum.h"

#include <math.h>

#define PI 3.14159265358979324
/* The distance to each side within which a crest of the envelope is the highest peak: in spacings
   of the partials, and in bins at most. */
#define CREST_REACH 0.6
#define MOST_CREST_REACH 256.0
/* The logarithmic distance from the border within which both vocoders play a partial: a
   semitone. */
#define BORDER 0.0578

void bl_vocoder_fill_margins(bl_vocoder *vocoder) BL_NONBLOCKING {
    float *real = vocoder->real[vocoder->turn], *imaginary = vocoder->imaginary[vocoder->turn];
    uint32_t last = vocoder->fft.half;
    real[last] = imaginary[0];
    imaginary[0] = imaginary[last] = 0;
    for (int index = 1; index < BL_VOCODER_MARGIN; index += 1) {
        real[-index] = real[index];
        imaginary[-index] = -imaginary[index];
        real[last + (uint32_t)index] = 0;
        imaginary[last + (uint32_t)index] = 0;
    }
}

BL_VECTOR_CLONES void bl_vocoder_fill_powers(bl_vocoder *vocoder, uint32_t first,
                                             uint32_t count) BL_NONBLOCKING {
    const float *real = vocoder->real[vocoder->turn];
    const float *imaginary = vocoder->imaginary[vocoder->turn];
    float *BL_RESTRICT powers = vocoder->powers;
    for (uint32_t bin = first; bin < first + count; bin += 1) {
        powers[bin] = real[bin] * real[bin] + imaginary[bin] * imaginary[bin];
    }
}

/* The power at a bin and beside it: a side lobe's zero is not a valley. */
static float around(const float *power) BL_NONBLOCKING { return power[-1] + power[0] + power[1]; }

static bool is_peak(const float *power) BL_NONBLOCKING {
    bool highest = power[0] > 1e-16f;
    for (int reach = 1; highest && reach <= BL_VOCODER_PEAK_REACH; reach += 1) {
        highest = power[0] >= power[-reach] && power[0] > power[reach];
    }
    return highest;
}

/* The share of a partial that this vocoder plays; towards the band's border it falls, and the
   neighbour's rises. */
static float share_of(const bl_vocoder *vocoder, double frequency) BL_NONBLOCKING {
    double inside = fmin(log(frequency / vocoder->low), log(vocoder->high / frequency));
    /* 0 without a logarithm: below 0 Hz. */
    return (float)fmin(1, fmax(0, 0.5 + 0.5 * inside / BORDER));
}

/* Finds the frequency of a peak, from its bin's phase change since the last frame. */
static void measure(const bl_vocoder *vocoder, bl_vocoder_peak *peak) BL_NONBLOCKING {
    const float *real = vocoder->real[vocoder->turn], *last_real = vocoder->real[1 - vocoder->turn];
    const float *imaginary = vocoder->imaginary[vocoder->turn];
    const float *last_imaginary = vocoder->imaginary[1 - vocoder->turn];
    uint32_t bin = peak->place;
    double re = (double)real[bin], im = (double)imaginary[bin];
    double last_re = (double)last_real[bin], last_im = (double)last_imaginary[bin];
    double turned =
        atan2(im * last_re - re * last_im, re * last_re + im * last_im) * (1 / (2 * PI));
    double hops = (double)vocoder->fft.size / vocoder->hop; /* bins that turn once in a hop */
    double off = turned - bin / hops;
    peak->frequency = bin + (off - rint(off)) * hops;
    peak->share = share_of(vocoder, peak->frequency);
}

void bl_vocoder_find_peaks(bl_vocoder *vocoder, uint32_t first, uint32_t count) BL_NONBLOCKING {
    bl_vocoder_peaks *peaks = &vocoder->peaks[vocoder->turn];
    const float *powers = vocoder->powers;
    if (first == 0) {
        peaks->count = 0;
        vocoder->least = 0;
        vocoder->least_power = INFINITY;
        vocoder->has_transients = false;
        vocoder->transient_real = vocoder->transient_imaginary = 0;
    }
    for (uint32_t bin = first; bin < first + count; bin += 1) {
        peaks->owners[bin] = peaks->count > 0 ? (uint16_t)(peaks->count - 1) : 0;
        if (bin < BL_VOCODER_PEAK_REACH || bin + BL_VOCODER_PEAK_REACH >= vocoder->fft.half) {
            continue;
        }
        if (around(&powers[bin]) < vocoder->least_power) {
            vocoder->least = bin;
            vocoder->least_power = around(&powers[bin]);
        }
        if (is_peak(&powers[bin])) {
            bl_vocoder_peak *peak = &peaks->peaks[peaks->count];
            *peak =
                (bl_vocoder_peak){.start = peaks->count == 0 ? 0 : vocoder->least, .place = bin};
            measure(vocoder, peak);
            bl_vocoder_look_for_transient(vocoder, peak);
            for (uint32_t owned = peak->start; owned <= bin; owned += 1) {
                peaks->owners[owned] = (uint16_t)peaks->count;
            }
            peaks->count += 1;
            vocoder->least = bin + 1;
            vocoder->least_power = INFINITY;
        }
    }
    if (first + count == vocoder->fft.half) {
        bl_vocoder_time_transients(vocoder);
    }
}

/* Whether a peak is the highest within its reach. */
static bool is_crest(const bl_vocoder *vocoder, uint32_t index) BL_NONBLOCKING {
    const bl_vocoder_peaks *peaks = &vocoder->peaks[vocoder->turn];
    double bins = CREST_REACH * vocoder->voices.spacing * vocoder->fft.size;
    uint32_t reach = (uint32_t)fmin(bins, MOST_CREST_REACH), place = peaks->peaks[index].place;
    float power = vocoder->powers[place];
    bool highest = true;
    for (uint32_t other = index; highest && other > 0; other -= 1) {
        uint32_t below = peaks->peaks[other - 1].place;
        if (below + reach < place) {
            break;
        }
        highest = vocoder->powers[below] <= power;
    }
    for (uint32_t other = index + 1; highest && other < peaks->count; other += 1) {
        uint32_t above = peaks->peaks[other].place;
        if (above > place + reach) {
            break;
        }
        highest = vocoder->powers[above] <= power;
    }
    return highest;
}

/* Draws a line from the last crest to `amplitude` at `place`. */
static void draw_to(bl_vocoder *vocoder, uint32_t place, float amplitude) BL_NONBLOCKING {
    float from = vocoder->envelope[vocoder->crest];
    float step = (amplitude - from) / (float)(int32_t)(place - vocoder->crest);
    for (uint32_t bin = vocoder->crest + 1; bin <= place; bin += 1) {
        vocoder->envelope[bin] = from + step * (float)(int32_t)(bin - vocoder->crest);
    }
    vocoder->crest = place;
}

void bl_vocoder_draw_envelope(bl_vocoder *vocoder, uint32_t first, uint32_t count) BL_NONBLOCKING {
    const bl_vocoder_peaks *peaks = &vocoder->peaks[vocoder->turn];
    if (first == 0) {
        vocoder->crest = 0;
        vocoder->envelope[0] = 0;
    }
    for (uint32_t bin = first; bin < first + count && peaks->count > 0; bin += 1) {
        uint32_t index = peaks->owners[bin];
        if (peaks->peaks[index].place == bin && is_crest(vocoder, index)) {
            float amplitude = sqrtf(vocoder->powers[bin]);
            /* The envelope is constant up to the first crest. */
            vocoder->envelope[0] = vocoder->crest == 0 ? amplitude : vocoder->envelope[0];
            draw_to(vocoder, bin, amplitude);
        }
    }
    if (first + count == vocoder->fft.half) {
        draw_to(vocoder, vocoder->fft.half - 1, vocoder->envelope[vocoder->crest]);
    }
}
