/* What the handler of trapped calls does by itself. */
#ifndef BACKLINE_CONFINEMENT_TRAPPED_CALL_H
#define BACKLINE_CONFINEMENT_TRAPPED_CALL_H

#include <signal.h>
#include <stdnoreturn.h>

#include "rules.h"

/* The rules hold for `process`, this one, from now on. [control] */
void bl_trap_confine(long process);

/* Ends the process. Async-signal-safe. */
noreturn void bl_trap_end(int code);

/* Does rt_sigprocmask to the mask that a thread goes on with, and rt_sigaction, but for SIGSYS:
   what is trapped while that signal is blocked ends the process without a word. Answer like the
   kernel. Async-signal-safe. */
long bl_trap_set_mask(const long *arguments, sigset_t *mask);
long bl_trap_set_action(const long *arguments);

/* Does a call on files and tells when it is refused. Answers like the kernel. Async-signal-safe. */
long bl_trap_do_file_call(const bl_rule *rule, const long *arguments);

#endif
