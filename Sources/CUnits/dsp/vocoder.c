/* The job of a vocoder: the work on a frame, step by step. */
#include <string.h>

#include "dsp/chunk.h"
#include "dsp/vocoder_spectrum.h"

enum {
    STEP_WINDOW,
    STEP_FORWARD,
    STEP_POWERS,
    STEP_PEAKS,
    STEP_ENVELOPE,
    STEP_MOVE,
    STEP_TRANSIENTS,
    STEP_INVERSE,
    STEP_ADD,
    STEP_DONE
};
/* Amounts of work that cost about as much as a grain of the transform. */
enum { WINDOW_GRAIN = 128, POWERS_GRAIN = 128, PEAKS_GRAIN = 1, MOVE_GRAIN = 2, ADD_GRAIN = 64 };
enum { ENVELOPE_GRAIN = 16, TRANSIENTS_GRAIN = 4 };

void bl_vocoder_reset(bl_vocoder *vocoder) BL_NONBLOCKING {
    memset(vocoder->input, 0, vocoder->ring * sizeof(float));
    vocoder->time = 0;
    bl_vocoder_silence(vocoder);
}

void bl_vocoder_silence(bl_vocoder *vocoder) BL_NONBLOCKING {
    for (uint32_t voice = 0; voice < BL_VOCODER_VOICES; voice += 1) {
        memset(vocoder->output[voice], 0, vocoder->ring * sizeof(float));
    }
    for (uint32_t turn = 0; turn < 2; turn += 1) {
        size_t size = vocoder->fft.half * sizeof(float);
        memset(vocoder->real[turn], 0, size);
        memset(vocoder->imaginary[turn], 0, size);
        memset(vocoder->peaks[turn].owners, 0, vocoder->fft.half * sizeof(uint16_t));
        vocoder->peaks[turn].count = 0;
        for (uint32_t voice = 0; voice < BL_VOCODER_VOICES; voice += 1) {
            vocoder->peaks[turn].phases[voice][0] = 0;
        }
    }
    vocoder->turn = 0;
    vocoder->transient_time = 0;
    vocoder->step = STEP_DONE;
}

/* Frames, up to `count`, of the window from `place` on that precede the middle of the window, where
   the buffer wraps, and the end of the ring. */
static uint32_t run(const bl_vocoder *vocoder, uint32_t place, uint32_t in_ring,
                    uint32_t count) BL_NONBLOCKING {
    uint32_t half = vocoder->length / 2;
    count = place < half ? bl_fewer(count, half - place) : count;
    return bl_fewer(count, vocoder->ring - in_ring);
}

/* The buffer's index of a frame of the window: the middle of the window comes first. */
static uint32_t in_buffer(const bl_vocoder *vocoder, uint32_t place) BL_NONBLOCKING {
    return (place - vocoder->length / 2) & (vocoder->fft.size - 1);
}

/* The window's frames, then zeros. */
static BL_VECTOR_CLONES void fill_buffer(bl_vocoder *vocoder, uint32_t first,
                                         uint32_t count) BL_NONBLOCKING {
    uint32_t oldest = (uint32_t)vocoder->start - vocoder->delay - vocoder->length;
    for (uint32_t place = first, end = first + count, frames; place < end; place += frames) {
        uint32_t in_ring = (oldest + place) & (vocoder->ring - 1);
        frames = run(vocoder, place, in_ring, end - place);
        float *BL_RESTRICT to = vocoder->buffer + in_buffer(vocoder, place);
        if (place >= vocoder->length) {
            memset(to, 0, frames * sizeof(float));
            continue;
        }
        frames = bl_fewer(frames, vocoder->length - place);
        const float *window = vocoder->window + place, *from = vocoder->input + in_ring;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = window[frame] * from[frame];
        }
    }
}

/* Adds the window's frames to the voice's output. */
static BL_VECTOR_CLONES void add_frame(bl_vocoder *vocoder, uint32_t first,
                                       uint32_t count) BL_NONBLOCKING {
    float scale = 1.0f / (1.5f * (float)vocoder->fft.size); /* four squared Hann windows: 1.5 */
    uint32_t start = (uint32_t)vocoder->start + vocoder->hop;
    for (uint32_t place = first, end = first + count, frames; place < end; place += frames) {
        uint32_t in_ring = (start + place) & (vocoder->ring - 1);
        frames = run(vocoder, place, in_ring, end - place);
        float *BL_RESTRICT to = vocoder->output[vocoder->voice] + in_ring;
        const float *window = vocoder->window + place;
        const float *from = vocoder->buffer + in_buffer(vocoder, place);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] += scale * window[frame] * from[frame];
        }
    }
}

/* Advances to the next step. */
static void finish_step(bl_vocoder *vocoder) BL_NONBLOCKING {
    vocoder->place = 0;
    vocoder->step += 1;
    if (vocoder->step == STEP_ENVELOPE && vocoder->voices.formants <= 0) {
        vocoder->step = STEP_MOVE;
    }
    if (vocoder->step == STEP_MOVE && vocoder->voices.count == 0) {
        vocoder->step = STEP_DONE;
    }
    if (vocoder->step == STEP_TRANSIENTS && !vocoder->has_transients) {
        vocoder->step = STEP_INVERSE;
    }
    if (vocoder->step == STEP_DONE && vocoder->voice + 1 < vocoder->voices.count) {
        vocoder->voice += 1;
        vocoder->step = STEP_MOVE;
    }
}

/* A step through `end` elements, `grain` of them for a grain of work. */
typedef void (*stretch)(bl_vocoder *vocoder, uint32_t first, uint32_t count) BL_NONBLOCKING;

static int32_t walk(bl_vocoder *vocoder, stretch function, uint32_t end, uint32_t grain,
                    int32_t grains) BL_NONBLOCKING {
    uint32_t count = bl_fewer(end - vocoder->place, (uint32_t)grains * grain);
    function(vocoder, vocoder->place, count);
    vocoder->place += count;
    if (vocoder->place == end) {
        finish_step(vocoder);
    }
    return grains - (int32_t)((count + grain - 1) / grain);
}

/* Does a part of the transform; returns the grains left over when it has ended. */
static int32_t transform(bl_vocoder *vocoder, int32_t grains) BL_NONBLOCKING {
    float *const halves[2] = {vocoder->buffer, vocoder->buffer + vocoder->fft.half};
    uint32_t turn = vocoder->turn;
    int32_t left =
        vocoder->step == STEP_FORWARD
            ? bl_fft_forward(&vocoder->fft, &vocoder->transform, (const float *const *)halves,
                             vocoder->real[turn], vocoder->imaginary[turn], vocoder->work, grains)
            : bl_fft_inverse(&vocoder->fft, &vocoder->transform, vocoder->moved_real,
                             vocoder->moved_imaginary, halves, vocoder->work, grains);
    if (left < 0) {
        return 0;
    }
    if (vocoder->step == STEP_FORWARD) {
        bl_vocoder_fill_margins(vocoder);
    }
    finish_step(vocoder);
    return left;
}

static void work(bl_vocoder *vocoder, int32_t grains) BL_NONBLOCKING {
    while (grains > 0 && vocoder->step != STEP_DONE) {
        switch (vocoder->step) {
        case STEP_WINDOW:
            grains = walk(vocoder, fill_buffer, vocoder->fft.size, WINDOW_GRAIN, grains);
            break;
        case STEP_POWERS:
            grains = walk(vocoder, bl_vocoder_fill_powers, vocoder->fft.half, POWERS_GRAIN, grains);
            break;
        case STEP_PEAKS:
            grains = walk(vocoder, bl_vocoder_find_peaks, vocoder->fft.half, PEAKS_GRAIN, grains);
            break;
        case STEP_ENVELOPE:
            grains =
                walk(vocoder, bl_vocoder_draw_envelope, vocoder->fft.half, ENVELOPE_GRAIN, grains);
            break;
        case STEP_MOVE:
            grains = walk(vocoder, bl_vocoder_move_peaks, vocoder->fft.half, MOVE_GRAIN, grains);
            break;
        case STEP_TRANSIENTS:
            grains = walk(vocoder, bl_vocoder_move_transients, vocoder->fft.half, TRANSIENTS_GRAIN,
                          grains);
            break;
        case STEP_ADD: grains = walk(vocoder, add_frame, vocoder->length, ADD_GRAIN, grains); break;
        default: grains = transform(vocoder, grains);
        }
    }
}

/* Grains of a slice, so that a job ends before the next begins. */
static int32_t slice(const bl_vocoder *vocoder) BL_NONBLOCKING {
    uint32_t transform = bl_fft_grains(&vocoder->fft), half = vocoder->fft.half;
    uint32_t analysis = vocoder->fft.size / WINDOW_GRAIN + transform + half / POWERS_GRAIN +
                        half / PEAKS_GRAIN + half / ENVELOPE_GRAIN;
    uint32_t voice =
        half / MOVE_GRAIN + half / TRANSIENTS_GRAIN + transform + vocoder->length / ADD_GRAIN;
    uint32_t slices = vocoder->hop / BL_VOCODER_STEP;
    return (int32_t)((analysis + vocoder->voices.count * voice) / slices + 1);
}

static void begin(bl_vocoder *vocoder, const bl_vocoder_voices *voices) BL_NONBLOCKING {
    /* After a frame without peaks there is no phase to continue. */
    const double *former =
        vocoder->peaks[vocoder->turn].count > 0 ? vocoder->voices.factors : voices->factors;
    memcpy(vocoder->former, former, sizeof vocoder->former);
    vocoder->start = vocoder->time;
    vocoder->turn = 1 - vocoder->turn;
    vocoder->voices = *voices;
    vocoder->step = STEP_WINDOW;
    vocoder->voice = 0;
    vocoder->place = 0;
    vocoder->transform = (bl_fft_job){0};
}

void bl_vocoder_listen(bl_vocoder *vocoder, const float *input, uint32_t frames) BL_NONBLOCKING {
    uint32_t place = (uint32_t)vocoder->time & (vocoder->ring - 1);
    memcpy(vocoder->input + place, input, frames * sizeof(float));
    vocoder->time += frames;
}

void bl_vocoder_process(bl_vocoder *vocoder, const bl_vocoder_voices *voices, const float *input,
                        float *const *output, uint32_t frames) BL_NONBLOCKING {
    uint32_t place = (uint32_t)vocoder->time & (vocoder->ring - 1);
    if (vocoder->time % vocoder->hop == 0) {
        begin(vocoder, voices);
    }
    if (vocoder->time % BL_VOCODER_STEP == 0) {
        work(vocoder, slice(vocoder));
    }
    for (uint32_t voice = 0; voice < BL_VOCODER_VOICES; voice += 1) {
        memcpy(output[voice], vocoder->output[voice] + place, frames * sizeof(float));
        memset(vocoder->output[voice] + place, 0, frames * sizeof(float));
    }
    bl_vocoder_listen(vocoder, input, frames);
}
