/* A JACK client that notes when another one becomes active: its ports are announced then. */
#ifndef BACKLINE_BENCHMARKS_WATCHER_H
#define BACKLINE_BENCHMARKS_WATCHER_H

#include "jack_library.h"

typedef struct bl_watcher bl_watcher;

/* NULL when the server does not take it. */
bl_watcher *bl_watcher_create(const bl_jack_library *library, const char *server);
void bl_watcher_destroy(bl_watcher *watcher);

/* Forgets what was noted. */
void bl_watcher_arm(bl_watcher *watcher);

/* When the first port since then was announced, seconds on CLOCK_MONOTONIC; 0 until one is. */
double bl_watcher_time(const bl_watcher *watcher);

#endif
