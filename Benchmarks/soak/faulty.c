/* A gain of one that goes wrong in one of eight ways after some tenths of a second of sound,
   another each time: what a host has to live through. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CREATE(self) (self)->count = soak_draw() % 48000 + 2400 /* frames */
#define RESET(self) (void)(self)
#define AFTER(self, input, output, frames) soak_spend(self, input.channels[0], frames)

struct plain;
static void soak_spend(struct plain *unit, const float *samples, unsigned frames);
static unsigned soak_draw(void);

#include "../../Tests/Fixtures/units/plain_unit.h"

static unsigned soak_draw(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned)now.tv_nsec / 64 * 2654435761u >> 8;
}

/* Overwrites all memory that is shared with the host. */
static void soak_scribble(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    unsigned long from, to;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        if (strstr(line, "backline-unit (deleted)") && strstr(line, "rw-s") &&
            sscanf(line, "%lx-%lx", &from, &to) == 2) {
            for (unsigned long address = from; address < to; address += 4) {
                *(unsigned *)address = (unsigned)rand() * 2654435761u;
            }
        }
    }
}

static void *soak_abort(void *context) {
    (void)context;
    abort();
}

static void soak_go_wrong(void) {
    pthread_t thread;
    switch (soak_draw() % 8) {
    case 0: *(volatile int *)8 = 1; break;
    case 1:
        for (volatile int round = 0;; round += 1) {
        }
    case 2: abort();
    case 3: _exit(3);
    case 4:
        for (;;) {
            char *memory = malloc(1 << 24);
            if (memory == NULL) {
                abort();
            }
            memset(memory, 1, 1 << 24);
        }
    case 5:
        shutdown(3, SHUT_RDWR);
        close(3);
        break;
    case 6: pthread_create(&thread, NULL, soak_abort, NULL); break;
    default: soak_scribble(); break;
    }
    for (;;) {
        sleep(1);
    }
}

static void soak_spend(plain *unit, const float *samples, unsigned frames) {
    if (samples[frames / 2] == 0) {
        return;
    }
    if (unit->count <= frames) {
        soak_go_wrong();
    }
    unit->count -= frames;
}

UNIT(.name = "Faulty")
