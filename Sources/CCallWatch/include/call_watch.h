/* Intercepts memory and lock functions of the program that links it: each call is recorded
   (render_watch.h) and then made by the C library. */
#ifndef BACKLINE_CALL_WATCH_H
#define BACKLINE_CALL_WATCH_H

#include <stdbool.h>

/* Whether calls of other libraries in this process are intercepted. [control] */
bool bl_call_watch_works(void);

#endif
