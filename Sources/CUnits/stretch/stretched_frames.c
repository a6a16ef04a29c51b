/* A phase vocoder. Each window played is one of the input, whose partials are rotated so that they
 * continue the last: Miller Puckette, "Phase-locked vocoder", WASPAA 1995; Laroche and Dolson,
 * "Improved phase vocoder time-scale modification of audio", 1999.
 *
 * The input can be read anywhere, so a second window is read a hop before each: the rotation of a
 * partial in a hop is then measured and not estimated, and frequencies are exact. The bins around a
 * peak rotate together, and all channels equally, which preserves partials and the stereo image.
 */
#include <stdlib.h>
#include <string.h>

#include "stretch/stretch.h"

bool stretch_create_frames(stretch_unit *stretch, uint32_t length) {
    uint32_t channels = stretch->effect.base.output_channel_count;
    stretch_destroy_frames(stretch);
    stretch->length = length;
    stretch->hop = length / STRETCH_OVERLAP;
    stretch->ring = 2 * length;
    while (stretch->ring < length + 4 * TRANSPOSITION_REACH) {
        stretch->ring *= 2;
    }
    if (!bl_fft_create(&stretch->fft, length)) {
        return false;
    }
    uint32_t half = stretch->fft.half, work = bl_fft_work_floats(&stretch->fft);
    size_t own_floats = length + 6 * half + stretch->ring;
    size_t floats = length + work + half + channels * own_floats;
    stretch->memory = calloc(floats, sizeof(float));
    stretch->channels = calloc(channels, sizeof(stretch_channel));
    if (stretch->memory == NULL || stretch->channels == NULL) {
        stretch_destroy_frames(stretch);
        return false;
    }
    float *next = stretch->memory;
    stretch->window = next, next += length;
    stretch->work = next, next += work;
    stretch->powers = next, next += half;
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        stretch_channel *own = &stretch->channels[channel];
        float **spectra[] = {&own->real,         &own->imaginary,
                             &own->earlier_real, &own->earlier_imaginary,
                             &own->played_real,  &own->played_imaginary};
        for (size_t index = 0; index < sizeof spectra / sizeof spectra[0]; index += 1) {
            *spectra[index] = next, next += half;
        }
        own->samples = next, next += length;
        own->ring = next, next += stretch->ring;
    }
    for (uint32_t frame = 0; frame < length; frame += 1) {
        double turn = 2 * 3.14159265358979324 * frame / length;
        stretch->window[frame] = (float)(0.5 - 0.5 * cos(turn));
    }
    stretch_prepare_transients(stretch);
    return true;
}

void stretch_destroy_frames(stretch_unit *stretch) {
    if (stretch->length > 0) {
        bl_fft_destroy(&stretch->fft);
        free(stretch->memory);
        free(stretch->channels);
        stretch->memory = NULL;
        stretch->channels = NULL;
        stretch->length = 0;
    }
}

void stretch_rewind(stretch_unit *stretch) BL_NONBLOCKING {
    if (stretch->length == 0) {
        return;
    }
    int64_t before = TRANSPOSITION_REACH + stretch->length / 2;
    stretch->next_window = -(before / stretch->hop + 1);
    stretch->transient_middle = 0;
    stretch->transient_time = 0;
    for (uint32_t channel = 0; channel < stretch->effect.base.output_channel_count; channel += 1) {
        stretch_channel *own = &stretch->channels[channel];
        memset(own->ring, 0, stretch->ring * sizeof(float));
        memset(own->played_real, 0, stretch->fft.half * sizeof(float));
        memset(own->played_imaginary, 0, stretch->fft.half * sizeof(float));
    }
}

/* Reads the window of the input with its middle at `place`. [render] */
static bl_status read_window(stretch_unit *stretch, const bl_render_host *host,
                             int64_t place) BL_NONBLOCKING {
    bl_unit_base *base = &stretch->effect.base;
    for (uint32_t done = 0, frames; done < stretch->length; done += frames) {
        frames = bl_fewer(stretch->length - done, base->maximum_frames);
        float *pointers[BL_MAXIMUM_CHANNELS];
        bl_buffers input;
        int64_t first = place - stretch->length / 2 + done;
        bl_status status = bl_offline_read(base, host, first, frames, pointers, &input);
        if (status != BL_OK) {
            return status;
        }
        for (uint32_t channel = 0; channel < input.channel_count; channel += 1) {
            float *to = stretch->channels[channel].samples + done;
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                to[frame] = stretch->window[done + frame] * input.channels[channel][frame];
            }
        }
    }
    return BL_OK;
}

/* Transforms the window at `place`: the one to be played, or the one a hop earlier. [render] */
static bl_status analyse(stretch_unit *stretch, const bl_render_host *host, int64_t place,
                         bool is_earlier) BL_NONBLOCKING {
    uint32_t half = stretch->fft.half;
    float *powers = stretch->powers;
    bl_status status = read_window(stretch, host, place);
    if (status != BL_OK) {
        return status;
    }
    if (!is_earlier) {
        memset(powers, 0, half * sizeof(float));
    }
    for (uint32_t channel = 0; channel < stretch->effect.base.output_channel_count; channel += 1) {
        stretch_channel *own = &stretch->channels[channel];
        float *real = is_earlier ? own->earlier_real : own->real;
        float *imaginary = is_earlier ? own->earlier_imaginary : own->imaginary;
        const float *const halves[2] = {own->samples, own->samples + half};
        bl_fft_job job = {0};
        bl_fft_forward(&stretch->fft, &job, halves, real, imaginary, stretch->work, INT32_MAX);
        if (is_earlier) {
            continue;
        }
        powers[0] += real[0] * real[0];
        for (uint32_t bin = 1; bin < half; bin += 1) {
            powers[bin] += real[bin] * real[bin] + imaginary[bin] * imaginary[bin];
        }
    }
    return BL_OK;
}

/* Rotates the bins from `first` up to `end` like the peak at `peak`; never bin 0, a constant.
   [render] */
static void turn(stretch_unit *stretch, uint32_t peak, uint32_t first,
                 uint32_t end) BL_NONBLOCKING {
    if (stretch_is_transient(stretch, peak)) {
        stretch_move_transient(stretch, first, end);
        return;
    }
    uint32_t channels = stretch->effect.base.output_channel_count;
    double real = 0, imaginary = 0;
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        const stretch_channel *own = &stretch->channels[channel];
        double played_real = (double)own->played_real[peak];
        double played_imaginary = (double)own->played_imaginary[peak];
        double earlier_real = (double)own->earlier_real[peak];
        double earlier_imaginary = (double)own->earlier_imaginary[peak];
        real += played_real * earlier_real + played_imaginary * earlier_imaginary;
        imaginary += played_imaginary * earlier_real - played_real * earlier_imaginary;
    }
    double size = sqrt(real * real + imaginary * imaginary);
    bool begins = peak == 0 || size < 1e-30;
    float cosine = begins ? 1 : (float)(real / size);
    float sine = begins ? 0 : (float)(imaginary / size);
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        stretch_channel *own = &stretch->channels[channel];
        for (uint32_t bin = first; bin < end; bin += 1) {
            float x = own->real[bin], y = own->imaginary[bin];
            own->played_real[bin] = cosine * x - sine * y;
            own->played_imaginary[bin] = cosine * y + sine * x;
        }
    }
}

bool stretch_is_peak(const float *powers, uint32_t bin, uint32_t half) BL_NONBLOCKING {
    float power = powers[bin];
    return power >= powers[bin - 1] && power > powers[bin + 1] &&
           (bin < 2 || power >= powers[bin - 2]) && (bin + 2 >= half || power > powers[bin + 2]);
}

/* Computes the spectra to be played. [render] */
static void turn_all(stretch_unit *stretch, int64_t middle) BL_NONBLOCKING {
    uint32_t half = stretch->fft.half, first = 1, peak = 0;
    stretch_time_transients(stretch, middle);
    bool has_offset = stretch->powers[0] > stretch->powers[1];
    for (uint32_t bin = 1; bin + 1 < half; bin += 1) {
        if (!stretch_is_peak(stretch->powers, bin, half)) {
            continue;
        }
        if (peak > 0 || has_offset) {
            uint32_t end = (peak + bin + 1) / 2;
            turn(stretch, peak, first, end);
            first = end;
        }
        peak = bin;
    }
    turn(stretch, peak, first, half);
    for (uint32_t channel = 0; channel < stretch->effect.base.output_channel_count; channel += 1) {
        stretch_channel *own = &stretch->channels[channel];
        own->played_real[0] = own->real[0];
        own->played_imaginary[0] = own->imaginary[0];
    }
}

/* Adds a channel's spectrum to its ring. [render] */
static void add(stretch_unit *stretch, stretch_channel *own) BL_NONBLOCKING {
    uint32_t half = stretch->fft.half, length = stretch->length, mask = stretch->ring - 1;
    float *const halves[2] = {own->samples, own->samples + half};
    bl_fft_job job = {0};
    bl_fft_inverse(&stretch->fft, &job, own->played_real, own->played_imaginary, halves,
                   stretch->work, INT32_MAX);
    float scale = 1.0f / (1.5f * (float)length); /* four squared Hann windows: 1.5 */
    uint64_t start = (uint64_t)stretch_end(stretch);
    for (uint32_t frame = 0; frame < length; frame += 1) {
        float *to = &own->ring[(start + frame) & mask];
        float before = frame + stretch->hop < length ? *to : 0;
        *to = before + scale * stretch->window[frame] * own->samples[frame];
    }
}

bl_status stretch_add_window(stretch_unit *stretch, const bl_render_host *host) BL_NONBLOCKING {
    double middle = (double)(stretch->next_window * stretch->hop) * stretch->pace;
    int64_t place = (int64_t)floor(middle + 0.5);
    bl_status status = analyse(stretch, host, place, false);
    if (status == BL_OK) {
        status = analyse(stretch, host, place - stretch->hop, true);
    }
    if (status == BL_OK) {
        turn_all(stretch, place);
        for (uint32_t index = 0; index < stretch->effect.base.output_channel_count; index += 1) {
            add(stretch, &stretch->channels[index]);
        }
        stretch->next_window += 1;
    }
    return status;
}
