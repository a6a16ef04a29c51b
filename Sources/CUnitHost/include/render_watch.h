/* Watches what a unit does on the render thread: system calls, and the library calls that
   something in this process has been put in the way of (CCallWatch). */
#ifndef BACKLINE_RENDER_WATCH_H
#define BACKLINE_RENDER_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unit_host.h"

/* Is a function of the unit's running on this thread, and are its calls to be noted? */
extern _Thread_local bool bl_render_watch_is_armed;

/* Notes a call by name; does nothing while not armed. The name lasts for good. [any thread] */
void bl_render_watch_note(const char *name);

/* So many different calls were noted, the first 32 of them by name. */
uint32_t bl_render_watch_count(void);
/* The name of call `index`, or of a system call whose number has no name here. */
const char *bl_render_watch_name(uint32_t index, char *buffer, size_t size);
uint32_t bl_render_watch_times(uint32_t index);
void bl_render_watch_clear(void);

/* Runs `body` on a thread of its own, on which every system call is seen: it is noted while armed,
   then done all the same, but for those that start threads or programs, which are refused. Answers
   0, or an error number where the operating system does not let calls be watched. [control] */
int bl_render_watch_run(void (*body)(void *context), void *context);

/* Renders a job, then resets the unit and asks it all that may be asked on the render thread, on
   such a thread. Answers like bl_render_watch_run. [control] */
int bl_unit_host_render_watched(bl_unit_host *host, const bl_host_job *job, bl_host_result *result);

#endif
