/* A hit is moved as a whole. It has its own distance from the middle of each window that contains
 * it, and in stretched time that distance times the stretch: a delay of all its bins moves it
 * there, so that all windows play it at one time.
 *
 * A sound that is short beside the window has a spectrum that is broad beside the window's: its
 * peaks are wider than a tone's. Its time is the slope of its phase, the centre of gravity of its
 * energy: Röbel, "A new approach to transient processing in the phase vocoder", DAFx 2003.
 */
#include <math.h>

#include "stretch/stretch.h"

#define PI 3.14159265358979324
/* The share of a hit's peak that remains two bins away, where a tone's has fallen by 14 dB or
   more. */
#define WIDE 0.5f
/* The distance from the last window's hit within which it is the same, in window lengths. */
#define SAME (1.0 / 64)
/* The stretch below which the windows are too far apart for all hits to be equally loud. */
#define LEAST_STRETCH 0.5

/* The number of a hit's windows follows from the product of the window and the stretched one; four
   squared Hann windows would add up to 1.5. */
void stretch_prepare_transients(stretch_unit *stretch) {
    double factor = fmax(LEAST_STRETCH, 1 / stretch->pace), length = stretch->length;
    double sum = 0;
    for (uint32_t frame = 0; frame < stretch->length; frame += 1) {
        double place = (frame - length / 2) * factor;
        if (fabs(place) < length / 2) {
            sum += (double)stretch->window[frame] * (0.5 + 0.5 * cos(2 * PI * place / length));
        }
    }
    stretch->transient_gain = 1.5 / (sum * factor * STRETCH_OVERLAP / length);
}

bool stretch_is_transient(const stretch_unit *stretch, uint32_t peak) BL_NONBLOCKING {
    const float *power = stretch->powers + peak;
    bool is_inside = peak >= 2 && peak + 2 < stretch->fft.half;
    return is_inside && 0.5f * (power[-2] + power[2]) > WIDE * power[0];
}

void stretch_time_transients(stretch_unit *stretch, int64_t middle) BL_NONBLOCKING {
    /* The sum of each bin times the conjugate of the one below; relative to a window's middle, its
       first frame rotates the bins by half a turn. */
    double real = 0, imaginary = 0;
    for (uint32_t peak = 2; peak + 2 < stretch->fft.half; peak += 1) {
        if (!stretch_is_peak(stretch->powers, peak, stretch->fft.half) ||
            !stretch_is_transient(stretch, peak)) {
            continue;
        }
        for (uint32_t channel = 0; channel < stretch->effect.base.output_channel_count;
             channel += 1) {
            const float *x = stretch->channels[channel].real;
            const float *y = stretch->channels[channel].imaginary;
            for (uint32_t bin = peak - 1; bin <= peak; bin += 1) {
                real -= (double)(x[bin + 1] * x[bin] + y[bin + 1] * y[bin]);
                imaginary -= (double)(y[bin + 1] * x[bin] - x[bin + 1] * y[bin]);
            }
        }
    }
    double time = -atan2(imaginary, real) * stretch->length / (2 * PI);
    /* The window weights the hit differently each time: its first time is kept. */
    double last = (double)(stretch->transient_middle - middle) + stretch->transient_time;
    stretch->transient_time = fabs(time - last) < stretch->length * SAME ? last : time;
    stretch->transient_middle = middle;
}

void stretch_move_transient(stretch_unit *stretch, uint32_t first, uint32_t end) BL_NONBLOCKING {
    double place = stretch->transient_time / stretch->pace;
    double turn = -2 * PI * (place - stretch->transient_time) / stretch->length;
    /* A hit outside the stretched window is left to other windows. */
    double gain = fabs(place) < stretch->length / 2.0 ? stretch->transient_gain : 0;
    for (uint32_t bin = first; bin < end; bin += 1) {
        float cosine = (float)(gain * cos(turn * bin)), sine = (float)(gain * sin(turn * bin));
        for (uint32_t channel = 0; channel < stretch->effect.base.output_channel_count;
             channel += 1) {
            stretch_channel *own = &stretch->channels[channel];
            float x = own->real[bin], y = own->imaginary[bin];
            own->played_real[bin] = cosine * x - sine * y;
            own->played_imaginary[bin] = cosine * y + sine * x;
        }
    }
}
