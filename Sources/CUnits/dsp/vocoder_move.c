/* Moves the peaks of a spectrum, voice by voice. */
#include <math.h>
#include <string.h>

#include "dsp/lagrange.h"
#include "dsp/vocoder_spectrum.h"

#define PI 3.14159265358979324
/* The envelope raises a peak by 30 dB at most. */
#define MOST_ENVELOPE_GAIN 32.0

/* The gain of a moved peak. A tone has fewer partials the higher it is: its power is kept. */
static double gain_of(const bl_vocoder *vocoder, const bl_vocoder_peak *peak) BL_NONBLOCKING {
    double factor = vocoder->voices.factors[vocoder->voice], formants = vocoder->voices.formants;
    if (formants <= 0) {
        return 1;
    }
    double bin = fmax(0, fmin(peak->frequency * factor / formants, vocoder->fft.half - 1.0));
    double here = (double)vocoder->envelope[peak->place];
    double there = (double)vocoder->envelope[(uint32_t)bin];
    return sqrt(factor) * fmin(MOST_ENVELOPE_GAIN, there / here);
}

/* The middle of the window, frames of the input since the reset. */
static double middle_of_window(const bl_vocoder *vocoder) BL_NONBLOCKING {
    return (double)vocoder->start - vocoder->delay - 0.5 * vocoder->length;
}

static uint32_t end_of(const bl_vocoder *vocoder, uint32_t index) BL_NONBLOCKING {
    const bl_vocoder_peaks *peaks = &vocoder->peaks[vocoder->turn];
    return index + 1 < peaks->count ? peaks->peaks[index + 1].start : vocoder->fft.half;
}

/* Adds the bins of a peak, moved by `whole` bins and the taps' part of a bin, and rotated. */
static BL_VECTOR_CLONES void add_bins(const float *BL_RESTRICT real,
                                      const float *BL_RESTRICT imaginary,
                                      float *BL_RESTRICT to_real, float *BL_RESTRICT to_imaginary,
                                      const float *taps, float cosine, float sine,
                                      uint32_t count) BL_NONBLOCKING {
    for (uint32_t bin = 0; bin < count; bin += 1) {
        float re = 0, im = 0;
        for (uint32_t tap = 0; tap < BL_LAGRANGE_TAPS; tap += 1) {
            re += taps[tap] * real[bin + tap];
            im += taps[tap] * imaginary[bin + tap];
        }
        to_real[bin] += re * cosine - im * sine;
        to_imaginary[bin] += re * sine + im * cosine;
    }
}

/* The neighbour's peak of a partial in its last completed frame; NULL if there is none. */
static const bl_vocoder_peak *neighbours_peak(const bl_vocoder *vocoder,
                                              const bl_vocoder_peak *peak) BL_NONBLOCKING {
    const bl_vocoder *other = vocoder->neighbour;
    const bl_vocoder_peaks *peaks = &other->peaks[1 - other->turn];
    double place = rint(peak->frequency / vocoder->fft.size * other->fft.size);
    uint32_t bin = (uint32_t)fmax(0, fmin(place, other->fft.half - 1.0));
    const bl_vocoder_peak *same = &peaks->peaks[peaks->owners[bin]];
    bool is_played = peaks->count > 0 && same->share > 0 && !same->is_transient;
    return is_played ? same : NULL;
}

/* The mean factor of the present voice since the last frame of this vocoder or its neighbour: with
   it frames stay in phase where they meet, even while the factor moves. */
static double factor_since(const bl_vocoder *vocoder, const bl_vocoder *last) BL_NONBLOCKING {
    return 0.5 * (last->former[vocoder->voice] + vocoder->voices.factors[vocoder->voice]);
}

/* The phase shift that the neighbour's peak would have by now, turns. */
static double neighbours_phase(const bl_vocoder *vocoder, const bl_vocoder_peak *peak,
                               const bl_vocoder_peak *same) BL_NONBLOCKING {
    const bl_vocoder *other = vocoder->neighbour;
    uint32_t turn = vocoder->turn, last = 1 - other->turn, voice = vocoder->voice;
    double re = (double)vocoder->real[turn][peak->place];
    double im = (double)vocoder->imaginary[turn][peak->place];
    double last_re = (double)other->real[last][same->place];
    double last_im = (double)other->imaginary[last][same->place];
    /* The bins give the fraction of a turn since the last frame, the frequencies the whole
       turns. */
    double part = atan2(im * last_re - re * last_im, re * last_re + im * last_im) * (1 / (2 * PI));
    double frames = middle_of_window(vocoder) - (middle_of_window(other) - other->hop);
    double mean = 0.5 * (peak->frequency / vocoder->fft.size + same->frequency / other->fft.size);
    double turns = part + rint(mean * frames - part);
    const bl_vocoder_peaks *peaks = &other->peaks[last];
    double phase = peaks->phases[voice][same - peaks->peaks];
    return phase + (factor_since(vocoder, other) - 1) * turns;
}

/* Continues the phase of a partial. A partial that enters the band continues the phase of its
   neighbour; while both play it, the lower vocoder leads. */
static double phase_of(const bl_vocoder *vocoder, const bl_vocoder_peak *peak,
                       double distance) BL_NONBLOCKING {
    const bl_vocoder_peaks *last = &vocoder->peaks[1 - vocoder->turn];
    if (peak->is_transient) { /* in phase with the input at its time */
        return -distance * vocoder->transient_time / vocoder->fft.size;
    }
    uint32_t former = last->owners[peak->place];
    bool is_new = last->count == 0 || last->peaks[former].share <= 0;
    bool follows = vocoder->neighbour != NULL && (is_new || vocoder->low > 0);
    const bl_vocoder_peak *same = follows ? neighbours_peak(vocoder, peak) : NULL;
    if (same != NULL) {
        return neighbours_phase(vocoder, peak, same);
    }
    double hop = (double)vocoder->hop / vocoder->fft.size;
    double turns = peak->frequency * hop;
    return last->phases[vocoder->voice][former] + (factor_since(vocoder, vocoder) - 1) * turns;
}

static void move_peak(bl_vocoder *vocoder, uint32_t index) BL_NONBLOCKING {
    bl_vocoder_peaks *now = &vocoder->peaks[vocoder->turn];
    bl_vocoder_peak *peak = &now->peaks[index];
    double distance = (vocoder->voices.factors[vocoder->voice] - 1) * peak->frequency; /* bins */
    double phase = phase_of(vocoder, peak, distance);
    phase -= rint(phase);
    now->phases[vocoder->voice][index] = phase;
    peak->gain = (float)gain_of(vocoder, peak);
    if (peak->is_transient) {
        return;
    }
    double whole = floor(distance);
    float taps[BL_LAGRANGE_TAPS];
    /* A bin comes from `distance` below it: from 1 - fraction above the bin below that. */
    bl_lagrange_taps((float)(1 - (distance - whole)), taps);
    int32_t by = (int32_t)whole + 1;
    int32_t first = (int32_t)peak->start + by, end = (int32_t)end_of(vocoder, index) + by;
    first = first < 0 ? 0 : first;
    end = end > (int32_t)vocoder->fft.half ? (int32_t)vocoder->fft.half : end;
    if (first >= end) {
        return;
    }
    int32_t from = first - by - BL_LAGRANGE_BEFORE;
    double gain = (double)(peak->share * peak->gain);
    add_bins(vocoder->real[vocoder->turn] + from, vocoder->imaginary[vocoder->turn] + from,
             vocoder->moved_real + first, vocoder->moved_imaginary + first, taps,
             (float)(gain * cos(2 * PI * phase)), (float)(gain * sin(2 * PI * phase)),
             (uint32_t)(end - first));
}

void bl_vocoder_move_peaks(bl_vocoder *vocoder, uint32_t first, uint32_t count) BL_NONBLOCKING {
    const bl_vocoder_peaks *peaks = &vocoder->peaks[vocoder->turn];
    if (first == 0) {
        size_t size = vocoder->fft.half * sizeof(float);
        memset(vocoder->moved_real, 0, size);
        memset(vocoder->moved_imaginary, 0, size);
    }
    for (uint32_t bin = first; bin < first + count && peaks->count > 0; bin += 1) {
        uint32_t index = peaks->owners[bin];
        const bl_vocoder_peak *peak = &peaks->peaks[index];
        if (peak->place == bin && (peak->share > 0 || peak->is_transient)) {
            move_peak(vocoder, index);
        }
    }
    vocoder->moved_imaginary[0] = 0; /* there the transform expects half the sample rate */
}
