/* Starts and ends unit processes. */
#ifndef BACKLINE_SERVICE_SPAWN_H
#define BACKLINE_SERVICE_SPAWN_H

#include <sys/types.h>

/* Starts `program` with one end of a socket, the bell, and a pipe for its messages; of the
   environment it gets language and time zone. Returns its identifier, and in *ends a descriptor
   that becomes readable when it ends (pidfd); -1 and errno on failure. It dies with the calling
   thread. [control] */
pid_t bl_service_spawn(const char *program, int socket, int bell, int errors, int *ends);

/* Creates a pair of connected sockets that keep message boundaries. Returns 0, or -1 and errno. */
int bl_service_socket_pair(int ends[2]);

/* Kills the process of a pidfd. */
int bl_service_kill(int ends);
/* Reaps a process that has ended; returns its exit code, or the negated number of a signal. */
int bl_service_reap(int ends);

#endif
