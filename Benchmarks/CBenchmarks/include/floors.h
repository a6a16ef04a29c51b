/* The floors: what the work itself costs, in bare loops over the same kind of buffers and files. */
#ifndef BACKLINE_BENCHMARKS_FLOORS_H
#define BACKLINE_BENCHMARKS_FLOORS_H

#include <stdint.h>

/* A chain of `unit_count` gains over `cycles` cycles: the first from `inputs` to `outputs`, the
   others in place; channels × frames. */
void bl_floor_chain(const float *const *inputs, float *const *outputs, uint32_t channel_count,
                    uint32_t frames, const float *gains, uint32_t unit_count, uint32_t cycles);

/* `unit_count` gains side by side, each from `inputs` to buffers of its own ([unit × channel_count
   + channel]), then summed into `outputs` with a level for each; over `cycles` cycles. */
void bl_floor_fan_in(const float *const *inputs, float *const *buffers, float *const *outputs,
                     uint32_t channel_count, uint32_t frames, const float *gains,
                     const float *levels, uint32_t unit_count, uint32_t cycles);

/* Opens, reads and closes each file; answers the bytes of all. */
uint64_t bl_floor_read_files(const char *const *paths, uint32_t count);

#endif
