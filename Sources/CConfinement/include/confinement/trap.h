/* The handler of trapped system calls (SIGSYS), used by the confinement and by the validator, which
   watches the system calls of its render thread. */
#ifndef BACKLINE_TRAP_H
#define BACKLINE_TRAP_H

/* Filters allow trapped calls from this address only: that of the instruction after the system call
   in bl_gate. */
extern const char bl_gate_address[] __attribute__((visibility("hidden")));

/* Makes a system call that no filter traps. Returns the kernel's result, errors below 0.
   Async-signal-safe. */
long bl_gate(long number, const long *arguments);

/* Installs the handler of SIGSYS: it makes a trapped call through the gate, unless the confinement
   refuses the call. Calls that start threads or programs fail with EAGAIN, since a signal handler
   cannot make them. `observer` (or null) is called first with the number of each trapped call, on
   the calling thread; it must be async-signal-safe. Returns 0 or an error number. [control] */
int bl_trap_install(void (*observer)(long number));

/* The name of a system call, or NULL if it is not known. [any thread] */
const char *bl_system_call_name(long number);

#endif
