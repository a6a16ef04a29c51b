/* Confines a process that runs a third-party unit: no network, no programs, no other processes,
   only the files it is given, limits on memory and time. docs/internals/confinement.md has the
   table of what is allowed. */
#ifndef BACKLINE_CONFINEMENT_H
#define BACKLINE_CONFINEMENT_H

#include <stddef.h>
#include <stdint.h>

/* The prefix of each line that reports a refusal. */
#define BL_REFUSAL_PREFIX "refused: "

typedef struct bl_confinement {
    /* The accessible files or folders, NULL-terminated; a null list is empty. Paths that do not
       exist are skipped. Readable: the bundle and its declared assets. Writable: the unit's data
       folder. */
    const char *const *readable_paths;
    const char *const *writable_paths;
    uint64_t memory_limit;     /* bytes of address space; 0: no limit */
    uint32_t descriptor_limit; /* open at a time; 0: no limit */
    uint64_t file_size_limit;  /* bytes that a file may grow to; 0: no limit */
    uint64_t realtime_limit;   /* microseconds of a real-time thread without a wait; 0: no limit */
    /* Each refusal is written here once, as a line "refused: CALL: reason" or "refused: CALL PATH:
       reason", by the thread that made the call. */
    int report_descriptor;
} bl_confinement;

/* The mechanisms in force. */
#define BL_CONFINEMENT_NO_NEW_PRIVILEGES (1u << 0)
#define BL_CONFINEMENT_LANDLOCK (1u << 1)
#define BL_CONFINEMENT_SECCOMP (1u << 2)
#define BL_CONFINEMENT_LIMITS (1u << 3)

/* The exit codes of a process that made a forbidden call, and of one whose real-time thread
   exceeded its limit: those that a shell shows for SIGSYS and SIGXCPU. A unit that hides its call
   may end by the signal itself. */
#define BL_CONFINEMENT_EXIT_REFUSED (128 + 31)
#define BL_CONFINEMENT_EXIT_ENDLESS (128 + 24)

/* Confines this process for good. Call it once, from the only thread, before foreign code is
   loaded. Returns the mechanisms in force (BL_CONFINEMENT_…) and lists in `missing` (`size` bytes)
   those that the kernel lacks, as in "truncation (Landlock 3), signals (Landlock 6)"; the others
   are in force all the same.

   Signal handlers installed before should not block SIGSYS: a trapped call in such a handler ends
   the process. Sockets opened before should be streams or sequenced packets, which cannot be sent
   to another address. [control] */
uint32_t bl_confine(const bl_confinement *confinement, char *missing, size_t size);

/* Drops this process's rights for good to run programs, to open network ports and connections, and
   to read and write beneath other paths than these; open descriptors stay. Call it from the only
   thread. Reports as bl_confine. [control] */
uint32_t bl_confine_files(const char *const *readable_paths, const char *const *writable_paths,
                          char *missing, size_t size);

#endif
