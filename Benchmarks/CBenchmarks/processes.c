#define _GNU_SOURCE
#include "processes.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host.h"
#include "unit_service/link.h"

enum { CHANNELS = 2, MOST_FRAMES = 1024, PAUSE = 100 /* microseconds between cycles */ };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

bool bl_process_take_processor(int processor, int priority) {
    cpu_set_t processors;
    struct sched_param parameters = {.sched_priority = priority};
    CPU_ZERO(&processors);
    CPU_SET(processor, &processors);
    return sched_setaffinity(0, sizeof processors, &processors) == 0 &&
           sched_setscheduler(0, priority > 0 ? SCHED_FIFO : SCHED_OTHER, &parameters) == 0;
}

static uint32_t play(const bl_process_unit *units, uint32_t count, bl_process_order order,
                     const bl_timestamp *timestamp, uint32_t frames) {
    static float output[CHANNELS][MOST_FRAMES];
    float *channels[CHANNELS] = {output[0], output[1]};
    bl_buffers buffers = {CHANNELS, channels};
    bl_render_host host = {
        .size = sizeof host, .pull_input = bl_pull_steady, .send_midi = bl_send_nowhere};
    uint32_t missing = 0;
    for (uint32_t index = 0; index < count && order != BL_ORDER_IN_TURN; index += 1) {
        const bl_unit *preceding =
            order == BL_ORDER_HANDED_ON && index > 0 ? units[index - 1].unit : NULL;
        bl_service_link_dispatch(units[index].unit, 0, timestamp, frames, 1, NULL, &host,
                                 preceding);
    }
    for (uint32_t index = 0; index < count; index += 1) {
        missing += units[index].descriptor->render(units[index].unit, 0, timestamp, frames, 0,
                                                   &buffers, NULL, &host) != BL_OK;
    }
    return missing;
}

uint32_t bl_loop_processes(const bl_process_unit *units, uint32_t count, bl_process_order order,
                           uint32_t frames, uint32_t cycles, double *times) {
    static int64_t sample_time = 0;
    uint32_t missing = 0;
    for (uint32_t cycle = 0; cycle < cycles; cycle += 1) {
        bl_timestamp timestamp = {sample_time};
        usleep(PAUSE);
        double begin = now();
        missing += play(units, count, order, &timestamp, frames);
        times[cycle] = now() - begin;
        sample_time += frames;
    }
    return missing;
}

static void wake(_Atomic uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

static void wait_for(_Atomic uint32_t *word, uint32_t value) {
    uint32_t seen;
    while ((seen = atomic_load(word)) != value) {
        syscall(SYS_futex, word, FUTEX_WAIT, seen, NULL, NULL, 0);
    }
}

bool bl_floor_ping_pong(int priority, uint32_t rounds, double *times) {
    _Atomic uint32_t *words =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (words == MAP_FAILED) {
        return false;
    }
    _Atomic uint32_t *there = words, *back = words + 64;
    pid_t other = fork();
    if (other == 0) {
        struct sched_param parameters = {.sched_priority = priority};
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sched_setscheduler(0, priority > 0 ? SCHED_FIFO : SCHED_OTHER, &parameters);
        for (uint32_t round = 1;; round += 1) {
            wait_for(there, round);
            atomic_store(back, round);
            wake(back);
        }
    }
    for (uint32_t round = 1; other > 0 && round <= rounds; round += 1) {
        usleep(PAUSE);
        double begin = now();
        atomic_store(there, round);
        wake(there);
        wait_for(back, round);
        times[round - 1] = now() - begin;
    }
    if (other > 0) {
        kill(other, SIGKILL);
        waitpid(other, NULL, 0);
    }
    munmap(words, 4096);
    return other > 0;
}
