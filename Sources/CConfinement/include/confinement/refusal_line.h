/* Refusals as lines of text, for a process whose parent reads what it writes. */
#ifndef BACKLINE_REFUSAL_LINE_H
#define BACKLINE_REFUSAL_LINE_H

/* Begins such a line. */
#define BL_REFUSAL_PREFIX "refused: "

/* Where bl_refusal_write writes. [control, before anything is refused] */
void bl_refusal_write_to(int descriptor);

/* Writes "refused: ..." and a line's end, at once; what no line can hold becomes '?'. For
   bl_confinement's `tell`. Async-signal-safe. */
void bl_refusal_write(const char *refusal);

#endif
