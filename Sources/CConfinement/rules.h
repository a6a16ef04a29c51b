/* The system calls that a unit may make, and the reasons why others are refused: the source of the
   filter and of the handler of trapped calls. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls with higher numbers are newer than the rules; they fail with ENOSYS, without a report. */
#define BL_LAST_KNOWN_CALL 462

typedef enum bl_verdict {
    BL_VERDICT_ALLOW,
    BL_VERDICT_END,           /* is reported and ends the process */
    BL_VERDICT_DENY,          /* is reported and fails with EPERM */
    BL_VERDICT_ABSENT,        /* fails with ENOSYS: the C library then uses an older call */
    BL_VERDICT_UNLISTED,      /* is reported by its number and fails with ENOSYS */
    BL_VERDICT_FILE,          /* made through the gate; reported when the kernel refuses it */
    BL_VERDICT_MEMORY,        /* made through the gate; reported when it fails */
    BL_VERDICT_SIGNAL_MASK,   /* made, but never blocks SIGSYS */
    BL_VERDICT_SIGNAL_ACTION, /* made; handlers never block SIGSYS */
} bl_verdict;

/* When a rule applies: always, if an argument under a mask has a value, or if it is this process.
 */
typedef enum bl_condition { BL_ALWAYS, BL_IF, BL_IF_OWN_PROCESS } bl_condition;

typedef struct bl_rule {
    long number;
    bl_verdict verdict;
    bl_condition condition;
    uint32_t argument; /* index; of the first path for BL_VERDICT_FILE */
    uint64_t mask;
    uint64_t value;
    const char *name;
    const char *reason;
    uint32_t second_path; /* index of an argument; 0 none */
} bl_rule;

extern const bl_rule bl_rules[];
extern const size_t bl_rule_count;

/* Returns the rule for a call of process `own`; if none applies, the rule of unlisted calls.
   Async-signal-safe. */
const bl_rule *bl_rule_for(long number, const long *arguments, long own);
