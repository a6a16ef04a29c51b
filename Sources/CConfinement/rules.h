/* Which system calls are not simply done. The filter is built from these rows, and the handler of
   trapped calls goes by them. */
#ifndef BACKLINE_CONFINEMENT_RULES_H
#define BACKLINE_CONFINEMENT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls beyond this number are newer than the rows, and answer ENOSYS. */
#define BL_LAST_KNOWN_CALL 462

typedef enum bl_verdict {
    BL_VERDICT_END,           /* the process is told of and ended */
    BL_VERDICT_DENY,          /* the call is told of and answers EPERM */
    BL_VERDICT_ABSENT,        /* the call answers ENOSYS, so that the C library uses an older one */
    BL_VERDICT_FILE,          /* done through the gate; told of when the kernel refuses it */
    BL_VERDICT_MEMORY,        /* done through the gate; told of when there is no more */
    BL_VERDICT_SIGNAL_MASK,   /* done without SIGSYS */
    BL_VERDICT_SIGNAL_ACTION, /* done without SIGSYS */
} bl_verdict;

/* When a row applies: always, or by one argument under a mask. */
typedef enum bl_condition { BL_ALWAYS, BL_IF, BL_UNLESS, BL_UNLESS_OWN_PROCESS } bl_condition;

typedef struct bl_rule {
    long number;
    bl_verdict verdict;
    bl_condition condition;
    uint32_t argument; /* index; of BL_VERDICT_FILE the first path's */
    uint64_t mask;
    uint64_t value;
    const char *name;
    const char *reason;
    uint32_t second_path; /* index of an argument; 0 none */
} bl_rule;

extern const bl_rule bl_rules[];
extern const size_t bl_rule_count;

/* The rule that applies to a call of process `own`; null where it is simply done.
   Async-signal-safe. */
const bl_rule *bl_rule_for(long number, const long *arguments, long own);

#endif
