#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "player/player_file.h"

enum { PARTS = 256, MOST_FRAMES = 4096 };

/* The peak of up to MOST_FRAMES frames, interleaved, of which `count` are there. */
static float peak_of(const float *samples, size_t count) {
    float peak = 0;
    for (size_t place = 0; place < count; place += 1) {
        peak = fmaxf(peak, fabsf(samples[place]));
    }
    return isfinite(peak) ? peak : 0;
}

bool bl_sound_file_describe(const char *path, char *text, size_t text_size) {
    bl_sound_file *file = bl_sound_file_open(path, text, text_size);
    if (file == NULL) {
        return false;
    }
    float *samples = malloc((size_t)MOST_FRAMES * file->channel_count * sizeof(float));
    size_t length = 0;
    for (uint64_t part = 0; samples != NULL && part < PARTS && length + 4 < text_size; part += 1) {
        uint64_t first = file->frame_count * part / PARTS;
        uint64_t frames = file->frame_count * (part + 1) / PARTS - first;
        frames = frames < MOST_FRAMES ? frames : MOST_FRAMES;
        sf_seek(file->handle, (sf_count_t)first, SEEK_SET);
        sf_count_t got = sf_readf_float(file->handle, samples, (sf_count_t)frames);
        float peak = peak_of(samples, got > 0 ? (size_t)got * file->channel_count : 0);
        int level = (int)(99 * fminf(peak, 1));
        length +=
            (size_t)snprintf(text + length, text_size - length, part == 0 ? "%d" : " %d", level);
    }
    free(samples);
    bl_sound_file_close(file);
    return true;
}
