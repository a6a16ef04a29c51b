/* The report of a crash on standard error: what the thread was doing, in which unit, and the stack.
 */
#ifndef BACKLINE_CRASH_REPORT_H
#define BACKLINE_CRASH_REPORT_H

#include <stdbool.h>

#include "backline/attributes.h"

/* What a thread does, as in "rendering" "Warm". Both texts must last; NULL: not known. */
typedef struct bl_activity {
    const char *text, *unit;
} bl_activity;

/* Sets the activity of this thread, and returns the former. [any thread] */
bl_activity bl_set_activity(bl_activity activity) BL_NONBLOCKING;

/* The lines of a report. */
typedef enum bl_crash_report_style {
    /* For the program that has started this one: "crash: SIGNAL while ACTIVITY UNIT", and for each
       frame of the stack "frame: LIBRARY+0xOFFSET (FUNCTION)". */
    BL_CRASH_REPORT_FOR_HOST,
    /* For people: "error: UNIT crashed: SIGNAL while ACTIVITY it, in FUNCTION at FILE:LINE", as far
       as addr2line or llvm-symbolizer can say that, with advice, and the stack. */
    BL_CRASH_REPORT_FOR_PEOPLE
} bl_crash_report_style;

/* Reports crashes from now on; the process then ends by the signal. `prepare`, or NULL, is called
   first, in the signal's handler. [control, once] */
void bl_install_crash_report(bl_crash_report_style style, void (*prepare)(void));

/* Gives this thread a stack for the report, which an overflow of its own needs; once reports are
   installed. [control] */
void bl_use_signal_stack(void);

#endif
