/* Puts itself in the way of memory and lock functions, in the program that links it: each call is
   noted (render_watch.h) and then done by the C library. */
#ifndef BACKLINE_CALL_WATCH_H
#define BACKLINE_CALL_WATCH_H

#include <stdbool.h>

/* Do the calls of other libraries in this process come by here? [control] */
bool bl_call_watch_works(void);

#endif
