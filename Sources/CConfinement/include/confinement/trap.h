/* The handler of trapped system calls (SIGSYS), which confinement and the validator's watch on the
   render thread share. */
#ifndef BACKLINE_TRAP_H
#define BACKLINE_TRAP_H

/* The one place from which a filter lets trapped calls through: filters know it by its address,
   which is that of the instruction after the call. */
extern const char bl_gate_address[] __attribute__((visibility("hidden")));

/* Makes a system call there; answers like the kernel, errors below 0. Async-signal-safe. */
long bl_gate(long number, const long *arguments);

/* Handles SIGSYS from now on: a trapped call is done through the gate, unless confinement refuses
   it. What starts threads or programs cannot be done from within a handler and answers EAGAIN.
   `observer` hears the number of each trapped call first, on the thread that makes it,
   async-signal-safe; null for none. Answers 0 or an error number. [control] */
int bl_trap_install(void (*observer)(long number));

#endif
