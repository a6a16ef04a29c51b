#include "cycle/delay_line.h"

#include <stdlib.h>
#include <string.h>

#include "backline/memory.h"

bl_delay_line *bl_delay_line_create(uint32_t channel_count, uint32_t delay,
                                    uint32_t maximum_frames) {
    uint32_t capacity = 1;
    while (capacity < delay + maximum_frames) {
        capacity *= 2;
    }
    size_t samples = (size_t)channel_count * capacity;
    bl_delay_line *line = bl_allocate_touched(1, sizeof *line + samples * sizeof(float));
    if (line != NULL) {
        line->references = 1;
        line->channel_count = channel_count;
        line->delay = delay;
        line->capacity = capacity;
    }
    return line;
}

bl_delay_line *bl_delay_line_retain(bl_delay_line *line) {
    line->references += 1;
    return line;
}

void bl_delay_line_release(bl_delay_line *line) {
    if (line != NULL && --line->references == 0) {
        free(line);
    }
}

void bl_delay_line_write(bl_delay_line *line, uint32_t channel, const float *samples,
                         uint32_t frames) BL_NONBLOCKING {
    float *row = line->samples + (size_t)channel * line->capacity;
    uint32_t start = line->position & (line->capacity - 1);
    uint32_t head = line->capacity - start < frames ? line->capacity - start : frames;
    memcpy(row + start, samples, head * sizeof(float));
    memcpy(row, samples + head, (frames - head) * sizeof(float));
}

void bl_delay_line_reset(bl_delay_line *line) BL_NONBLOCKING {
    if (line != NULL) {
        memset(line->samples, 0, (size_t)line->channel_count * line->capacity * sizeof(float));
    }
}

const float *bl_delay_line_read(const bl_delay_line *line, uint32_t channel, float *const *slot,
                                float *memory, uint32_t frames) BL_NONBLOCKING {
    if (line == NULL) {
        return *slot;
    }
    const float *row = line->samples + (size_t)channel * line->capacity;
    uint32_t start = (line->position - line->delay) & (line->capacity - 1);
    uint32_t head = line->capacity - start < frames ? line->capacity - start : frames;
    memcpy(memory, row + start, head * sizeof(float));
    memcpy(memory + head, row, (frames - head) * sizeof(float));
    return memory;
}
