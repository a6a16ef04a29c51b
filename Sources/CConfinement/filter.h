/* The seccomp filter made of the rules. */
#ifndef BACKLINE_CONFINEMENT_FILTER_H
#define BACKLINE_CONFINEMENT_FILTER_H

/* Lets the kernel trap what the rules name, on every thread of process `own`, from now on; the
   handler must be there. Answers 0 or an error number. [control] */
int bl_filter_install(long own);

#endif
