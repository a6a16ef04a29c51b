#define _POSIX_C_SOURCE 200809L
#include "pacer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "host.h"

enum { CHANNELS = 2 };

struct bl_pacer {
    bl_render_block *block;
    uint32_t frames;
    double sample_rate;
    uint32_t cycles;
    pthread_t thread;
    atomic_bool ends;
    /* The first changed frame; -2: not armed; -1: not found yet. */
    _Atomic int64_t change;
    float *output; /* CHANNELS × frames */
    double times[];
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void sleep_until(double time) {
    struct timespec until = {.tv_sec = (time_t)time};
    until.tv_nsec = (long)((time - (double)until.tv_sec) * 1e9);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void *run(void *context) {
    bl_pacer *pacer = context;
    double start = now();
    float last = 0;
    for (uint32_t cycle = 0; cycle < pacer->cycles && !atomic_load(&pacer->ends); cycle += 1) {
        sleep_until(start + cycle * pacer->frames / pacer->sample_rate);
        pacer->times[cycle] = now();
        int64_t first = (int64_t)cycle * pacer->frames;
        bl_timestamp timestamp = {first};
        float *channels[CHANNELS] = {pacer->output, pacer->output + pacer->frames};
        bl_buffers buffers = {CHANNELS, channels};
        bl_render_block_render(pacer->block, 0, &timestamp, pacer->frames, 0, &buffers,
                               bl_pull_steady, NULL);
        for (uint32_t frame = 0; frame < pacer->frames; frame += 1) {
            int64_t unknown = -1;
            if (channels[0][frame] != last) {
                atomic_compare_exchange_strong(&pacer->change, &unknown, first + frame);
            }
            last = channels[0][frame];
        }
    }
    return NULL;
}

bl_pacer *bl_pacer_start(bl_render_block *block, uint32_t frames, double sample_rate,
                         uint32_t cycles) {
    bl_pacer *pacer = calloc(1, sizeof *pacer + cycles * sizeof *pacer->times);
    float *output = calloc((size_t)CHANNELS * frames, sizeof *output);
    if (pacer == NULL || output == NULL) {
        free(pacer);
        free(output);
        return NULL;
    }
    pacer->block = block;
    pacer->frames = frames;
    pacer->sample_rate = sample_rate;
    pacer->cycles = cycles;
    pacer->output = output;
    atomic_store(&pacer->change, -2);
    if (pthread_create(&pacer->thread, NULL, run, pacer) != 0) {
        free(output);
        free(pacer);
        return NULL;
    }
    struct sched_param parameters = {.sched_priority = 65};
    pthread_setschedparam(pacer->thread, SCHED_FIFO, &parameters);
    return pacer;
}

void bl_pacer_stop(bl_pacer *pacer) {
    atomic_store(&pacer->ends, true);
    pthread_join(pacer->thread, NULL);
    free(pacer->output);
    free(pacer);
}

void bl_pacer_arm(bl_pacer *pacer) { atomic_store(&pacer->change, -1); }

int64_t bl_pacer_change(const bl_pacer *pacer) {
    int64_t change = atomic_load(&pacer->change);
    return change < 0 ? -1 : change;
}

double bl_pacer_time(const bl_pacer *pacer, uint32_t cycle) { return pacer->times[cycle]; }
