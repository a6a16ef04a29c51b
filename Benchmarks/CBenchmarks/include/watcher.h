/* A JACK client that records when another client becomes active, which announces its ports. */
#ifndef BACKLINE_BENCHMARKS_WATCHER_H
#define BACKLINE_BENCHMARKS_WATCHER_H

#include "jack_library.h"

typedef struct bl_watcher bl_watcher;

/* Opens the client; NULL if the server refuses it. */
bl_watcher *bl_watcher_create(const bl_jack_library *library, const char *server);
void bl_watcher_destroy(bl_watcher *watcher);

/* Resets the recorded time. */
void bl_watcher_arm(bl_watcher *watcher);

/* Returns when the first port since bl_watcher_arm was announced, seconds on CLOCK_MONOTONIC; 0
 * until then. */
double bl_watcher_time(const bl_watcher *watcher);

#endif
