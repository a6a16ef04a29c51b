#define _GNU_SOURCE
#include "unit_service/wake_cost.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "futex.h"
#include "unit_service/spawn.h"

enum { ROUNDS = 200, LEAST_ROUNDS = 20 };
static const int64_t most_time = 100000000;

typedef struct game {
    int processors[2], priority;
    _Atomic bool is_misplaced; /* one of the two may not run where it should */
    /* A round's number, from the first to the second and back. */
    _Atomic uint32_t there, back;
    int64_t until;
    uint32_t count;
    uint32_t times[ROUNDS]; /* both ways */
} game;

/* False when time is up. */
static bool wait_for(game *game, _Atomic uint32_t *word, uint32_t value) {
    uint32_t seen;
    while ((seen = atomic_load(word)) != value && bl_service_now() < game->until) {
        bl_futex_wait(word, seen, game->until);
    }
    return seen == value;
}

static void *answer(void *context) {
    game *game = context;
    game->is_misplaced |= bl_service_place_thread(0, game->priority, game->processors[1]) != 0;
    for (uint32_t round = 1; round <= ROUNDS && wait_for(game, &game->there, round); round += 1) {
        atomic_store(&game->back, round);
        bl_futex_wake(&game->back);
    }
    return NULL;
}

static void *ask(void *context) {
    game *game = context;
    game->is_misplaced |= bl_service_place_thread(0, game->priority, game->processors[0]) != 0;
    for (uint32_t round = 1; round <= ROUNDS; round += 1) {
        int64_t begin = bl_service_now();
        atomic_store(&game->there, round);
        bl_futex_wake(&game->there);
        if (!wait_for(game, &game->back, round)) {
            break;
        }
        game->times[game->count++] = (uint32_t)(bl_service_now() - begin);
    }
    return NULL;
}

static int compare(const void *one, const void *other) {
    uint32_t left = *(const uint32_t *)one, right = *(const uint32_t *)other;
    return (left > right) - (left < right);
}

uint32_t bl_service_wake_cost(int here, int there, int priority) {
    game game = {.processors = {here, there}, .priority = priority};
    game.until = bl_service_now() + most_time;
    pthread_t asking, answering;
    if (pthread_create(&answering, NULL, answer, &game) != 0) {
        return 0;
    }
    bool asks = pthread_create(&asking, NULL, ask, &game) == 0;
    if (asks) {
        pthread_join(asking, NULL);
    }
    pthread_join(answering, NULL);
    if (game.is_misplaced || game.count < LEAST_ROUNDS) {
        return 0;
    }
    qsort(game.times, game.count, sizeof *game.times, compare);
    return game.times[game.count / 2] / 2;
}
