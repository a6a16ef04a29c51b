/* The delay's parts: delay.c has its table and its life, delay_render.c its sound. */
#ifndef BACKLINE_DELAY_H
#define BACKLINE_DELAY_H

#include "base/effect.h"
#include "dsp/delay_line.h"
#include "dsp/one_pole.h"

enum {
    BL_DELAY_TIME,
    BL_DELAY_FEEDBACK,
    BL_DELAY_TONE,
    BL_DELAY_MIX,
    BL_DELAY_PING_PONG,
    BL_DELAY_SYNC,
    BL_DELAY_PARAMETER_COUNT
};

typedef struct bl_delay_unit {
    bl_unit_base base;
    bl_delay_clock clock;
    float *lines;    /* output_channel_count × stride */
    uint32_t stride; /* floats from line to line: the ring and its guard */
    bl_one_pole tones[BL_MAXIMUM_CHANNELS];
    bl_one_pole_clock tone_clock;
    float tone_scale; /* bl_one_pole_scale's answer */
    bl_delay_head head;
    bl_delay_head next;   /* the head that comes in, while fade_left is above 0 */
    uint32_t fade_left;   /* frames */
    double quarter;       /* seconds that a quarter note lasts */
    uint32_t fade_frames; /* of a whole crossfade */
    bl_ramp crossing;     /* 0: each channel keeps its echoes; 1: they change sides */
} bl_delay_unit;

/* The delay in seconds: as set, or from the tempo. [render, or idle] */
float bl_delay_seconds(const bl_delay_unit *delay) BL_NONBLOCKING;

/* A bl_effect_process. [render] */
void bl_delay_process(bl_unit *unit, float *const *input, float *const *output,
                      uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;

#endif
