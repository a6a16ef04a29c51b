/* Reports a crash on standard error: the thread's activity, the unit, and the stack. */
#ifndef BACKLINE_CRASH_REPORT_H
#define BACKLINE_CRASH_REPORT_H

#include <stdbool.h>

#include "backline/attributes.h"

/* A thread's activity, such as "rendering" "Warm". Both texts must last; NULL means unknown. */
typedef struct bl_activity {
    const char *text, *unit;
} bl_activity;

/* Sets this thread's activity, and returns the former one. [any thread] */
bl_activity bl_set_activity(bl_activity activity) BL_NONBLOCKING;

/* The format of a report. */
typedef enum bl_crash_report_style {
    /* For the program that has started this one: "crash: SIGNAL while ACTIVITY UNIT", and for each
       frame of the stack "frame: LIBRARY+0xOFFSET (FUNCTION)". */
    BL_CRASH_REPORT_FOR_HOST,
    /* For people: "error: UNIT crashed: SIGNAL while ACTIVITY it, in FUNCTION at FILE:LINE", if
       addr2line or llvm-addr2line can find that, with advice, and the stack. */
    BL_CRASH_REPORT_FOR_PEOPLE
} bl_crash_report_style;

/* Reports crashes from now on; the process then ends by the signal. `prepare`, if not NULL, is
   called first, in the signal's handler. [control, once] */
void bl_install_crash_report(bl_crash_report_style style, void (*prepare)(void));

/* Gives this thread a signal stack, needed to report an overflow of its own; call it after reports
   are installed. [control] */
void bl_use_signal_stack(void);

#endif
