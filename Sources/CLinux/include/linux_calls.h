/* Calls of Linux that Swift's Glibc does not know. */
#ifndef BACKLINE_LINUX_CALLS_H
#define BACKLINE_LINUX_CALLS_H

#include <stddef.h>

/* memfd_create(2): a file in memory alone, closed when another program is run. -1 and errno on
   failure. */
int bl_memory_file(const char *name);

/* pipe2(2), both ends closed when another program is run. -1 and errno on failure. */
int bl_pipe(int ends[2]);

/* accept4(2), closed when another program is run, and never waiting. -1 and errno on failure. */
int bl_accept(int listener);

/* socket(2) for datagrams, closed when another program is run, and never waiting. -1 and errno on
   failure. */
int bl_datagram_socket(int family);

/* Starts the program arguments[0] in a process group of its own, with `standard` as its standard
   input, output and error, and no other descriptor; a NULL environment is this process's own. The
   process, or -1 and errno on failure. */
int bl_spawn(const char *const arguments[], const char *const environment[], const int standard[3]);

/* memmem(3): where `part` first lies in `memory`, sizes in bytes; NULL where it does not. */
const void *bl_memory_find(const void *memory, size_t size, const void *part, size_t part_size);

#endif
