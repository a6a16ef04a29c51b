/* A transient is moved as a whole. Moved peak by peak, it would be split into as many bands, each
 * of which rings for the inverse of its width; so its spectrum is stretched by the factor instead,
 * around its time, which makes the transient shorter or longer and leaves it in place (the scaling
 * theorem).
 *
 * A sound that is short beside the window has a spectrum that is broad beside the window's: its
 * peaks are wider than a tone's. Its time is the slope of its phase, the centre of gravity of its
 * energy: Röbel, "A new approach to transient processing in the phase vocoder", DAFx 2003.
 */
#include <math.h>

#include "dsp/lagrange.h"
#include "dsp/sine.h"
#include "dsp/vocoder_spectrum.h"

#define PI 3.14159265358979324
/* The share of a transient peak's power that remains where a tone's has fallen by 15 dB or more. */
#define WIDE 0.5f
/* The distance from the last frame's transient within which it is the same, in window lengths. */
#define SAME (1.0 / 64)

void bl_vocoder_look_for_transient(bl_vocoder *vocoder, bl_vocoder_peak *peak) BL_NONBLOCKING {
    const float *power = vocoder->powers + peak->place;
    float beside = 0.5f * (power[-BL_VOCODER_PEAK_REACH] + power[BL_VOCODER_PEAK_REACH]);
    bool is_heard = peak->start < vocoder->high && peak->place >= vocoder->low;
    peak->is_transient = is_heard && beside > WIDE * power[0];
    if (!peak->is_transient) {
        return;
    }
    vocoder->has_transients = true;
    /* The phase change of its bin since the last frame says nothing about it. */
    peak->frequency = peak->place;
    const float *real = vocoder->real[vocoder->turn] + peak->place;
    const float *imaginary = vocoder->imaginary[vocoder->turn] + peak->place;
    for (int bin = -2; bin < 2; bin += 1) {
        double re = (double)real[bin], im = (double)imaginary[bin];
        double next_re = (double)real[bin + 1], next_im = (double)imaginary[bin + 1];
        vocoder->transient_real += next_re * re + next_im * im;
        vocoder->transient_imaginary += next_im * re - next_re * im;
    }
}

void bl_vocoder_time_transients(bl_vocoder *vocoder) BL_NONBLOCKING {
    double slope = atan2(vocoder->transient_imaginary, vocoder->transient_real);
    double time = -slope * vocoder->fft.size / (2 * PI);
    /* The window weights the transient differently each time: its first time is kept. */
    double last = vocoder->transient_time - vocoder->hop;
    vocoder->transient_time = fabs(time - last) < vocoder->length * SAME ? last : time;
}

void bl_vocoder_move_transients(bl_vocoder *vocoder, uint32_t first,
                                uint32_t count) BL_NONBLOCKING {
    const bl_vocoder_peaks *peaks = &vocoder->peaks[vocoder->turn];
    double factor = vocoder->voices.factors[vocoder->voice];
    /* The rotation of a bin relative to the one below, 2^32 for a turn. */
    uint32_t turn = (uint32_t)(int64_t)(vocoder->transient_time / vocoder->fft.size * 0x1p32);
    float cosines[BL_LAGRANGE_TAPS], sines[BL_LAGRANGE_TAPS];
    for (uint32_t tap = 0; tap < BL_LAGRANGE_TAPS; tap += 1) {
        cosines[tap] = bl_cosine(turn * (tap - BL_LAGRANGE_BEFORE));
        sines[tap] = bl_sine(turn * (tap - BL_LAGRANGE_BEFORE));
    }
    for (uint32_t bin = first; bin < first + count; bin += 1) {
        double from = bin / factor;
        uint32_t whole = (uint32_t)from;
        if (whole >= vocoder->fft.half) {
            return;
        }
        const bl_vocoder_peak *peak = &peaks->peaks[peaks->owners[whole]];
        if (!peak->is_transient || from < vocoder->low || from >= vocoder->high) {
            continue;
        }
        /* Interpolates between bins as if the transient were in the middle of the window. */
        float taps[BL_LAGRANGE_TAPS], re = 0, im = 0;
        bl_lagrange_taps((float)(from - whole), taps);
        const float *real = vocoder->real[vocoder->turn] + whole - BL_LAGRANGE_BEFORE;
        const float *imaginary = vocoder->imaginary[vocoder->turn] + whole - BL_LAGRANGE_BEFORE;
        for (uint32_t tap = 0; tap < BL_LAGRANGE_TAPS; tap += 1) {
            re += taps[tap] * (real[tap] * cosines[tap] - imaginary[tap] * sines[tap]);
            im += taps[tap] * (real[tap] * sines[tap] + imaginary[tap] * cosines[tap]);
        }
        float cosine = bl_cosine(turn * (whole - bin)), sine = bl_sine(turn * (whole - bin));
        float gain = peak->gain / (float)factor;
        vocoder->moved_real[bin] += gain * (re * cosine - im * sine);
        vocoder->moved_imaginary[bin] += gain * (re * sine + im * cosine);
    }
}
