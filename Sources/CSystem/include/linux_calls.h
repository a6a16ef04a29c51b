/* Calls of Linux that Swift's Glibc does not know. */
#ifndef BACKLINE_LINUX_CALLS_H
#define BACKLINE_LINUX_CALLS_H

/* memfd_create(2): a file in memory alone, closed when another program is run. -1 and errno on
   failure. */
int bl_memory_file(const char *name);

/* pipe2(2), both ends closed when another program is run. -1 and errno on failure. */
int bl_pipe(int ends[2]);

#endif
