/* A delay line that is read a whole number of frames back, or at any position, which may move. It
   is cleared in constant time. */
#pragma once

#include "chunk.h"
#include "sinc.h"

enum {
    /* The shortest readable delay between two frames, frames. */
    BL_MODDELAY_SHORTEST = BL_SINC_TAPS / 2,
    /* Frames of the ring beyond the longest delay: the taps, and a written stretch. */
    BL_MODDELAY_MARGIN = BL_SINC_TAPS + 64
};

/* The position of a delay, for all channels. */
typedef struct bl_moddelay {
    uint32_t mask;  /* frames of the ring, a power of two, less 1 */
    uint32_t write; /* index of the next frame */
    uint32_t valid; /* frames written since it was cleared */
} bl_moddelay;

/* Sizes the ring for delays up to `longest` frames. [control] */
BL_INLINE void bl_moddelay_size(bl_moddelay *delay, double longest) {
    uint32_t frames = 256;
    while (frames < longest + BL_MODDELAY_MARGIN) {
        frames *= 2;
    }
    *delay = (bl_moddelay){.mask = frames - 1};
}

/* Floats of one channel's line: the first frames of the ring are repeated past its end, so that no
   taps wrap. [any] */
BL_INLINE uint32_t bl_moddelay_floats(const bl_moddelay *delay) BL_NONBLOCKING {
    return delay->mask + 1 + BL_SINC_TAPS;
}

/* Clears the ring: only later frames count, and the silence before them that taps may touch.
   `lines` holds `channels` lines. [render] */
BL_INLINE void bl_moddelay_empty(bl_moddelay *delay, float *lines,
                                 uint32_t channels) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        float *line = lines + (size_t)channel * bl_moddelay_floats(delay);
        for (uint32_t frame = 0; frame < 2 * BL_SINC_TAPS; frame += 1) {
            line[frame] = 0;
        }
    }
    delay->write = 2 * BL_SINC_TAPS;
    delay->valid = 2 * BL_SINC_TAPS;
}

/* Frames, up to `frames`, that can be read before the first of them is written, with no delay below
   `shortest` frames. [render] */
BL_INLINE uint32_t bl_moddelay_readable(double shortest, uint32_t frames) BL_NONBLOCKING {
    uint32_t whole = shortest > 0 ? (uint32_t)shortest : 0;
    return bl_fewer(frames, whole > BL_MODDELAY_SHORTEST ? whole - (BL_MODDELAY_SHORTEST - 1) : 1);
}

/* Writes the next frames of a channel. [render] */
BL_INLINE void bl_moddelay_write(const bl_moddelay *delay, float *line, const float *samples,
                                 uint32_t frames) BL_NONBLOCKING {
    uint32_t first = bl_fewer(frames, delay->mask + 1 - delay->write);
    memcpy(line + delay->write, samples, first * sizeof(float));
    memcpy(line, samples + first, (frames - first) * sizeof(float));
    if (delay->write < BL_SINC_TAPS || first < frames) {
        memcpy(line + delay->mask + 1, line, BL_SINC_TAPS * sizeof(float));
    }
}

/* Copies the frames `back` frames before the next ones, `back` being at least `frames`. [render] */
BL_INLINE void bl_moddelay_copy(const bl_moddelay *delay, const float *line, uint32_t back,
                                float *samples, uint32_t frames) BL_NONBLOCKING {
    uint32_t place = (delay->write - back) & delay->mask;
    uint32_t silent = back > delay->valid ? bl_fewer(back - delay->valid, frames) : 0;
    uint32_t first = bl_fewer(frames, delay->mask + 1 - place);
    memcpy(samples, line + place, first * sizeof(float));
    memcpy(samples + first, line, (frames - first) * sizeof(float));
    memset(samples, 0, silent * sizeof(float));
}

/* Reads each frame at its own position: `backs` in frames, BL_MODDELAY_SHORTEST or more; `frames`
   at most bl_moddelay_readable's. [render] */
BL_INLINE void bl_moddelay_read(const bl_moddelay *delay, const bl_sinc *sinc, const float *line,
                                const double *backs, float *samples,
                                uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        uint32_t whole = (uint32_t)backs[frame];
        float part = (float)(1 - (backs[frame] - whole));
        uint32_t oldest = whole + BL_SINC_TAPS / 2; /* frames back */
        bool written = oldest <= delay->valid + frame;
        const float *taps = line + ((delay->write + frame - oldest) & delay->mask);
        samples[frame] = written ? bl_sinc_read(sinc, taps, part) : 0;
    }
}

/* Advances by `frames` frames, after all channels were written. [render] */
BL_INLINE void bl_moddelay_advance(bl_moddelay *delay, uint32_t frames) BL_NONBLOCKING {
    delay->write = (delay->write + frames) & delay->mask;
    delay->valid = bl_fewer(delay->valid + frames, delay->mask + 1);
}
