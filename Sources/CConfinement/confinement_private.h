/* Declarations that the parts of the confinement share. */
#pragma once

#include <stdbool.h>
#include <stdnoreturn.h>

#include "confinement/confinement.h"
#include "confinement/trap.h"

/* Sets the descriptor for reports of refusals. [control] */
void bl_refusal_report_to(int descriptor);

/* Writes the line "refused: CALL PATH to SECOND_PATH: REASON", paths where they are not null,
   unless the same line or 64 others have been written. Async-signal-safe. */
void bl_refusal_report(const char *call, const char *path, const char *second_path,
                       const char *reason);

/* Restricts every thread of process `own` to the system calls that the rules allow. Install the
   handler of trapped calls first. Returns 0 or an error number. [control] */
int bl_filter_install(long own);

/* Applies the rules to the calls of `process`, this one; 0 for no rules. [control] */
void bl_trap_confine(long process);

/* Ends the process. Async-signal-safe. */
noreturn void bl_trap_end(int code);

/* Lets this thread, and threads that it starts, read and write only beneath these paths, and read
   the system files that every program needs. Returns whether this is in force; appends to `missing`
   what the kernel lacks. New privileges must be off. [control] */
bool bl_landlock_restrict(const char *const *readable, const char *const *writable, char *missing,
                          size_t size);

/* Appends to a list of mechanisms that the kernel lacks. */
void bl_missing_add(char *missing, size_t size, const char *text);
