/* Waits for threads that are only beginning. */
#ifndef BACKLINE_CONFINEMENT_SETTLE_H
#define BACKLINE_CONFINEMENT_SETTLE_H

#include <stdbool.h>

/* Waits, a tenth of a second at the most, until no thread of the process has the signal blocked.
   One that begins has all of them blocked, and its next call would be its last, were that trapped
   meanwhile. */
void bl_settle_threads(int signal);

#endif
