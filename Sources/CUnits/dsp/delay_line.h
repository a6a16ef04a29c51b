/* A delay line that is read at one place per frame, in stretches of contiguous frames, and is
   emptied in constant time. */
#ifndef BACKLINE_DSP_DELAY_LINE_H
#define BACKLINE_DSP_DELAY_LINE_H

#include "chunk.h"

enum {
    BL_DELAY_TAPS = 4,
    /* The first frames of the ring are kept again past its end, so that no stretch of taps wraps.
     */
    BL_DELAY_GUARD = BL_DELAY_TAPS - 1,
    /* The most frames that are read and written at a time. */
    BL_DELAY_STRETCH = 64,
    /* Frames of the ring beyond the longest delay, so that writing never reaches frames that are
       read. */
    BL_DELAY_MARGIN = BL_DELAY_TAPS + BL_DELAY_STRETCH
};

/* Where all channels of a delay stand. */
typedef struct bl_delay_clock {
    uint32_t capacity; /* frames in the ring */
    uint32_t write;    /* where the next frame goes */
    uint32_t valid;    /* frames written since the line was emptied; stays at capacity */
} bl_delay_clock;

/* A place to read: a whole number of frames back, or between two of them. */
typedef struct bl_delay_head {
    float seconds; /* what was asked for */
    bool whole;
    uint32_t newest; /* delay of the youngest frame that is read, frames */
    uint32_t oldest; /* delay of the oldest, frames */
    /* Lagrange's interpolation of third order, oldest frame first; unused when whole. */
    float taps[BL_DELAY_TAPS];
} bl_delay_head;

/* The head for a delay in seconds, held within the ring. [render] */
BL_INLINE bl_delay_head bl_delay_head_at(float seconds, double sample_rate,
                                         const bl_delay_clock *clock) BL_NONBLOCKING {
    double frames = (double)seconds * sample_rate;
    double longest = (double)clock->capacity - BL_DELAY_MARGIN;
    frames = frames > 2 ? frames : 2;
    frames = frames < longest ? frames : longest;
    uint32_t nearest = (uint32_t)(frames + 0.5);
    double off = frames - nearest;
    bl_delay_head head = {.seconds = seconds, .whole = true, .newest = nearest, .oldest = nearest};
    /* A 32-bit number of seconds misses the whole frame that was meant by up to 2^-24 of it. */
    if (off > frames * 0x1p-23 || off < frames * -0x1p-23) {
        uint32_t below = (uint32_t)frames;
        float x = (float)(frames - below);
        head.whole = false;
        head.newest = below - 1;
        head.oldest = below + 2;
        head.taps[0] = (x + 1) * x * (x - 1) / 6;
        head.taps[1] = (x + 1) * x * (2 - x) / 2;
        head.taps[2] = (x + 1) * (x - 1) * (x - 2) / 2;
        head.taps[3] = x * (x - 1) * (2 - x) / 6;
    }
    return head;
}

/* Has nothing been written yet that this head would read? [render] */
BL_INLINE bool bl_delay_is_silent(const bl_delay_head *head,
                                  const bl_delay_clock *clock) BL_NONBLOCKING {
    return clock->valid < head->newest;
}

/* The place of the head's oldest frame in the ring. [render] */
BL_INLINE uint32_t bl_delay_place(const bl_delay_head *head,
                                  const bl_delay_clock *clock) BL_NONBLOCKING {
    uint32_t write = clock->write;
    return write >= head->oldest ? write - head->oldest : write + clock->capacity - head->oldest;
}

/* At most `frames` frames that can be read at once: contiguous, written already, and either all
   before the first frame that was ever written or all after. 1 or more. [render] */
BL_INLINE uint32_t bl_delay_readable(const bl_delay_head *head, const bl_delay_clock *clock,
                                     uint32_t frames) BL_NONBLOCKING {
    frames = bl_fewer(frames, head->newest);
    frames = bl_fewer(frames, clock->capacity - bl_delay_place(head, clock));
    return bl_delay_is_silent(head, clock) ? bl_fewer(frames, head->newest - clock->valid) : frames;
}

/* At most `frames` frames that can be written at once. [render] */
BL_INLINE uint32_t bl_delay_writable(const bl_delay_clock *clock, uint32_t frames) BL_NONBLOCKING {
    return bl_fewer(frames, clock->capacity - clock->write);
}

/* The next `frames` frames that a head reads from `line`, as far as bl_delay_readable allows: a
   place in the line itself, or `scratch` filled. [render] */
BL_INLINE const float *bl_delay_read(const bl_delay_head *head, const bl_delay_clock *clock,
                                     const float *line, float *scratch,
                                     uint32_t frames) BL_NONBLOCKING {
    if (bl_delay_is_silent(head, clock)) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            scratch[frame] = 0;
        }
        return scratch;
    }
    const float *from = line + bl_delay_place(head, clock);
    if (head->whole) {
        return from;
    }
    const float *taps = head->taps;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        scratch[frame] = (taps[0] * from[frame] + taps[1] * from[frame + 1]) +
                         (taps[2] * from[frame + 2] + taps[3] * from[frame + 3]);
    }
    return scratch;
}

/* Keeps the guard true after `frames` frames were written to `line`, before the clock moves on.
   [render] */
BL_INLINE void bl_delay_guard(const bl_delay_clock *clock, float *line,
                              uint32_t frames) BL_NONBLOCKING {
    uint32_t end = bl_fewer(clock->write + frames, BL_DELAY_GUARD);
    for (uint32_t place = clock->write; place < end; place += 1) {
        line[clock->capacity + place] = line[place];
    }
}

/* Lets `frames` frames pass. [render] */
BL_INLINE void bl_delay_advance(bl_delay_clock *clock, uint32_t frames) BL_NONBLOCKING {
    clock->write += frames;
    clock->write = clock->write == clock->capacity ? 0 : clock->write;
    clock->valid = bl_fewer(clock->valid + frames, clock->capacity);
}

/* Empties the lines (`lines` holds `channels` of them, `stride` floats apart): from here
   on only what comes now counts, and before it the few frames of silence that taps may touch.
   [render] */
BL_INLINE void bl_delay_empty(bl_delay_clock *clock, float *lines, uint32_t channels,
                              uint32_t stride) BL_NONBLOCKING {
    for (uint32_t tap = 0; tap < BL_DELAY_TAPS; tap += 1) {
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            float *line = lines + (size_t)channel * stride;
            line[clock->write] = 0;
            bl_delay_guard(clock, line, 1);
        }
        bl_delay_advance(clock, 1);
    }
    clock->valid = 0;
}

#endif
