/* Records what a unit does on the render thread: system calls, and library calls that CCallWatch
   intercepts. */
#ifndef BACKLINE_RENDER_WATCH_H
#define BACKLINE_RENDER_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unit_host.h"

/* Whether the calls of this thread are recorded, while a function of the unit runs. */
extern _Thread_local bool bl_render_watch_is_armed;

/* Records a call by name, a constant, while armed. [any thread] */
void bl_render_watch_record(const char *name);

/* The number of different recorded calls, at most 32. */
uint32_t bl_render_watch_count(void);
/* The name of call `index`; an unknown system call has its number. */
const char *bl_render_watch_name(uint32_t index, char *buffer, size_t size);
uint32_t bl_render_watch_times(uint32_t index);
void bl_render_watch_clear(void);

/* Runs `body` on a new thread on which every system call is trapped: recorded while armed, and then
   made, except calls that start threads or programs, which are refused. Returns 0, or an error
   number if the operating system does not support it. [control] */
int bl_render_watch_run(void (*body)(void *context), void *context);

/* Renders a job on such a thread, then calls all other functions of the unit that may run on the
   render thread. Returns like bl_render_watch_run. [control] */
int bl_unit_host_render_watched(bl_unit_host *host, const bl_host_job *job, bl_host_result *result);

/* The heap usage of this process, including large blocks. Bytes */
size_t bl_heap_use(void);

#endif
