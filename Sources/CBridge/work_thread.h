/* The thread for a plug-in's non-real-time work (LV2 worker). */
#pragma once

#include <stdbool.h>

#include <lv2/worker/worker.h>

#include "backline/attributes.h"

typedef struct bl_work_thread bl_work_thread;

/* Creates the feature before the plug-in exists: work scheduled earlier is refused. NULL when
   memory is short. [control] */
bl_work_thread *bl_work_thread_create(void);
LV2_Worker_Schedule *bl_work_thread_feature(bl_work_thread *worker);
/* Starts the thread if the plug-in has the interface; false on failure. [control] */
bool bl_work_thread_start(bl_work_thread *worker, LV2_Handle plug_in,
                          const LV2_Worker_Interface *interface);
/* Ends the thread after its current work. [control] */
void bl_work_thread_stop(bl_work_thread *worker);
void bl_work_thread_free(bl_work_thread *worker);

/* Whether the thread runs; then bl_work_thread_deliver must be called after each run. */
bool bl_work_thread_is_running(const bl_work_thread *worker) BL_NONBLOCKING;
/* Delivers responses to the plug-in; `waits` until all scheduled work is done, for rendering
   without a deadline. [render, after run] */
void bl_work_thread_deliver(bl_work_thread *worker, bool waits) BL_NONBLOCKING;
