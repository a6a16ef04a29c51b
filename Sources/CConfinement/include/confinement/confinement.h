/* Confines a process that runs somebody else's unit: no network, no programs, no other processes,
   files only where it is told, limits on what it may use up. docs/internals/confinement.md has the
   table. */
#ifndef BACKLINE_CONFINEMENT_H
#define BACKLINE_CONFINEMENT_H

#include <stddef.h>
#include <stdint.h>

typedef struct bl_confinement {
    /* Files or folders, ended by NULL; null for none: the bundle, its declared assets. What is not
       there is passed over. */
    const char *const *readable_paths;
    const char *const *writable_paths; /* the same: the unit's data folder */
    uint64_t memory_limit;             /* bytes of address space; 0 none */
    uint32_t descriptor_limit;         /* open at a time; 0 none */
    uint64_t file_size_limit;          /* bytes that a file may be written to; 0 none */
    /* Microseconds that a real-time thread may run without waiting; 0 none. */
    uint64_t realtime_limit;
    /* Is told each refusal, once, as "CALL: why" or "CALL PATH: why" ("socket: units may not use
       the network", "openat /etc/shadow: ..."), on the thread that called, within a signal handler:
       async-signal-safe. The text lasts for the call. May be null. */
    void (*tell)(const char *refusal);
} bl_confinement;

/* What is in force. */
#define BL_CONFINEMENT_NO_NEW_PRIVILEGES (1u << 0)
#define BL_CONFINEMENT_LANDLOCK (1u << 1)
#define BL_CONFINEMENT_SECCOMP (1u << 2)
#define BL_CONFINEMENT_LIMITS (1u << 3)

/* How a process ends that made a refused call, or whose real-time thread ran for ever; what a shell
   says of SIGSYS and SIGXCPU. A unit that sets out to go unnamed may end by the signal itself. */
#define BL_CONFINEMENT_EXIT_REFUSED (128 + 31)
#define BL_CONFINEMENT_EXIT_ENDLESS (128 + 24)

/* Confines this process for good. To be called once, by its only thread, before foreign code is
   loaded. Answers what is in force (BL_CONFINEMENT_...), and writes what the kernel lacks to
   `missing` ("truncation (Landlock 3), signals (Landlock 6)"; "" for nothing), cut to `size` bytes;
   the rest is in force all the same.

   Signal handlers that are there already should not block SIGSYS: a call that is trapped meanwhile
   ends the process by that signal. Sockets that are there already should be streams or sequenced
   packets, which cannot be sent elsewhere. [control] */
uint32_t bl_confine(const bl_confinement *confinement, char *missing, size_t size);

#endif
