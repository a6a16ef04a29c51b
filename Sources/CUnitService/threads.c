#define _GNU_SOURCE
#include "unit_service/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "futex.h"

int bl_service_place_thread(pid_t thread, int priority, int processor) {
    struct sched_param parameters = {.sched_priority = priority};
    /* Threads that this one starts do not inherit the priority. */
    int policy = priority > 0 ? SCHED_FIFO | SCHED_RESET_ON_FORK : SCHED_OTHER;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    for (int index = 0; index < CPU_SETSIZE; index += 1) {
        if (processor < 0 || index == processor) {
            CPU_SET(index, &processors);
        }
    }
    int placed = sched_setaffinity(thread, sizeof processors, &processors);
    return sched_setscheduler(thread, policy, &parameters) == 0 ? placed : -1;
}

enum { ROUNDS = 200, LEAST_ROUNDS = 20 };
static const int64_t most_time = 100000000;

typedef struct trial {
    int processors[2], priority;
    _Atomic bool is_misplaced; /* a thread may not run on its processor */
    /* The number of a round trip, at the second thread and back at the first. */
    _Atomic uint32_t there, back;
    int64_t until;
    uint32_t count;
    uint32_t times[ROUNDS]; /* both ways */
} trial;

/* Waits; false after the time limit. */
static bool wait_for(trial *trial, _Atomic uint32_t *word, uint32_t value) {
    uint32_t seen;
    while ((seen = atomic_load(word)) != value && bl_service_now() < trial->until) {
        bl_futex_wait(word, seen, trial->until);
    }
    return seen == value;
}

static void *answer(void *context) {
    trial *trial = context;
    trial->is_misplaced |= bl_service_place_thread(0, trial->priority, trial->processors[1]) != 0;
    for (uint32_t round = 1; round <= ROUNDS && wait_for(trial, &trial->there, round); round += 1) {
        atomic_store(&trial->back, round);
        bl_futex_wake(&trial->back);
    }
    return NULL;
}

static void *ask(void *context) {
    trial *trial = context;
    trial->is_misplaced |= bl_service_place_thread(0, trial->priority, trial->processors[0]) != 0;
    for (uint32_t round = 1; round <= ROUNDS; round += 1) {
        int64_t begin = bl_service_now();
        atomic_store(&trial->there, round);
        bl_futex_wake(&trial->there);
        if (!wait_for(trial, &trial->back, round)) {
            break;
        }
        trial->times[trial->count++] = (uint32_t)(bl_service_now() - begin);
    }
    return NULL;
}

static int compare(const void *one, const void *other) {
    uint32_t left = *(const uint32_t *)one, right = *(const uint32_t *)other;
    return (left > right) - (left < right);
}

uint32_t bl_service_wake_cost(int here, int there, int priority) {
    trial trial = {.processors = {here, there}, .priority = priority};
    trial.until = bl_service_now() + most_time;
    pthread_t asking, answering;
    if (pthread_create(&answering, NULL, answer, &trial) != 0) {
        return 0;
    }
    bool asks = pthread_create(&asking, NULL, ask, &trial) == 0;
    if (asks) {
        pthread_join(asking, NULL);
    }
    pthread_join(answering, NULL);
    if (trial.is_misplaced || trial.count < LEAST_ROUNDS) {
        return 0;
    }
    qsort(trial.times, trial.count, sizeof *trial.times, compare);
    return trial.times[trial.count / 2] / 2;
}
