/* Starting a unit process. */
#ifndef BACKLINE_SERVICE_SPAWN_H
#define BACKLINE_SERVICE_SPAWN_H

#include <sys/types.h>

/* Starts `program` with the far end of a socket, the bell, and a pipe for what it has to say; of
   the environment it gets the language and the time zone. Answers its number and a descriptor that
   becomes readable when it ends (pidfd); -1 and errno on failure. It dies with the thread that
   calls this. [control] */
pid_t bl_service_spawn(const char *program, int socket, int bell, int errors, int *ends);

/* A pair of connected sockets that keep messages apart. 0, or -1 and errno. */
int bl_service_socket_pair(int ends[2]);

/* Sets a thread's real-time priority (SCHED_FIFO; 0: none), which threads that it starts do not
   inherit, and its processor (-1: any). 0, or -1 and errno. [control] */
int bl_service_place_thread(pid_t thread, int priority, int processor);

/* Ends the process that the pidfd is of, at once. */
int bl_service_kill(int ends);
/* How it ended, once it has: its exit code, or the number of the signal negated; it is gone from
   the table of processes then. */
int bl_service_reap(int ends);

#endif
