/* A unit that Faust has made, as a shared library with Benchmarks/faust/harness.c.in around it. */
#ifndef BACKLINE_BENCHMARKS_FAUST_H
#define BACKLINE_BENCHMARKS_FAUST_H

#include <stdint.h>

typedef struct bl_faust bl_faust;

/* Loads a unit from a library; NULL if the library cannot be loaded. */
bl_faust *bl_faust_open(const char *path, int sample_rate);
void bl_faust_close(bl_faust *faust);

/* Renders in blocks: the two inputs again for each further pair of them, two outputs. */
void bl_faust_render(bl_faust *faust, const float *const *inputs, float *const *outputs,
                     uint32_t total_frames, uint32_t block_frames);

#endif
