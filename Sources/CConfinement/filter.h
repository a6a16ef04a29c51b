/* The seccomp filter made of the rules. */
#ifndef BACKLINE_CONFINEMENT_FILTER_H
#define BACKLINE_CONFINEMENT_FILTER_H

/* Restricts every thread of process `own` to the calls that the rules allow, from now on; the
   handler of trapped calls has to be installed. Answers 0 or an error number. [control] */
int bl_filter_install(long own);

#endif
