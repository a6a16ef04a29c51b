/* The floors: the cost of the work itself, in bare loops over the same kind of buffers and files.
 */
#ifndef BACKLINE_BENCHMARKS_FLOORS_H
#define BACKLINE_BENCHMARKS_FLOORS_H

#include <stdint.h>

/* Renders a chain of `unit_count` gains for `cycles` cycles: the first from `inputs` to `outputs`,
   the others in place; channels × frames. */
void bl_floor_chain(const float *const *inputs, float *const *outputs, uint32_t channel_count,
                    uint32_t frames, const float *gains, uint32_t unit_count, uint32_t cycles);

/* Renders `unit_count` gains side by side for `cycles` cycles, each from `inputs` to its own
   buffers ([unit × channel_count + channel]); then sums them into `outputs` with a level each. */
void bl_floor_fan_in(const float *const *inputs, float *const *buffers, float *const *outputs,
                     uint32_t channel_count, uint32_t frames, const float *gains,
                     const float *levels, uint32_t unit_count, uint32_t cycles);

/* Opens, reads and closes each file; returns the sum of their sizes, bytes. */
uint64_t bl_floor_read_files(const char *const *paths, uint32_t count);

#endif
