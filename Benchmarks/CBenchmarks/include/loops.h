/* The timed loops, in C so that only the calls themselves are timed. */
#ifndef BACKLINE_BENCHMARKS_LOOPS_H
#define BACKLINE_BENCHMARKS_LOOPS_H

#include "backline/unit.h"
#include "kernel/kernel.h"

/* Plays the same cycle again and again, without reading reports. */
void bl_loop_kernel(bl_kernel *kernel, const bl_cycle *cycle, uint32_t cycles);

/* A unit of two channels each way with one block after another to render. */
typedef struct bl_loop_unit {
    const bl_unit_descriptor *descriptor;
    bl_unit *unit;
    const float *const *inputs; /* channels × total_frames, the same for every input bus */
    float *const *outputs;      /* channels × total_frames */
    uint32_t total_frames;
    uint32_t block_frames; /* a divisor of total_frames */
    int64_t sample_time;   /* moves on */
} bl_loop_unit;

/* Renders total_frames frames in blocks of block_frames. */
bl_status bl_loop_render(bl_loop_unit *loop);

/* Renders like bl_loop_render, and writes the time of each block: total_frames / block_frames
 * numbers. */
void bl_loop_time(bl_loop_unit *loop, double *nanoseconds);

/* Sends the unit a message at the first frame of a block, and renders that block. */
bl_status bl_loop_send(bl_loop_unit *loop, uint8_t status, uint8_t first, uint8_t second);

#endif
