/* The thread on which a plug-in does what must not be done while rendering (LV2 worker). */
#pragma once

#include <stdbool.h>

#include <lv2/worker/worker.h>

#include "backline/attributes.h"

typedef struct bl_work_thread bl_work_thread;

/* The feature is there before the plug-in is: work that it schedules earlier is refused. NULL when
   memory is short. [control] */
bl_work_thread *bl_work_thread_create(void);
LV2_Worker_Schedule *bl_work_thread_feature(bl_work_thread *worker);
/* Starts the thread where the plug-in has the interface; false on failure. [control] */
bool bl_work_thread_start(bl_work_thread *worker, LV2_Handle plug_in,
                          const LV2_Worker_Interface *interface);
/* Ends the thread after its present piece of work. [control] */
void bl_work_thread_stop(bl_work_thread *worker);
void bl_work_thread_free(bl_work_thread *worker);

/* Whether the thread runs, so that bl_work_thread_deliver has to be called after each run. */
bool bl_work_thread_is_running(const bl_work_thread *worker) BL_NONBLOCKING;
/* Hands responses to the plug-in; `waits` until all scheduled work is done, for rendering without a
   deadline. [render, after run] */
void bl_work_thread_deliver(bl_work_thread *worker, bool waits) BL_NONBLOCKING;
