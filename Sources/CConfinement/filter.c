#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confinement_private.h"
#include "rules.h"

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* The first number of x32 calls on x86_64. */
#define FIRST_X32_CALL 0x40000000

#define MAXIMUM_LENGTH 2048

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

typedef struct program {
    struct sock_filter rows[MAXIMUM_LENGTH];
    uint16_t length;
} program;

static void add(program *self, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    if (self->length < MAXIMUM_LENGTH) {
        self->rows[self->length] = (struct sock_filter){code, if_true, if_false, value};
    }
    self->length += 1;
}

static void load(program *self, size_t offset) {
    add(self, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(program *self, uint32_t action) { add(self, BPF_RET | BPF_K, action, 0, 0); }

/* Adds rows that return `then` if the 64 bits at `offset` under `mask` are `value`; else
   `otherwise` if that is not 0. The call's number is loaded before and after. */
static void answer_by(program *self, size_t offset, uint64_t mask, uint64_t value, uint32_t then,
                      uint32_t otherwise) {
    load(self, offset);
    add(self, BPF_ALU | BPF_AND | BPF_K, (uint32_t)mask, 0, 0);
    add(self, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)value, 0, 4);
    load(self, offset + 4);
    add(self, BPF_ALU | BPF_AND | BPF_K, (uint32_t)(mask >> 32), 0, 0);
    add(self, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value >> 32), 0, 1);
    answer(self, then);
    if (otherwise != 0) {
        answer(self, otherwise);
    } else {
        load(self, offsetof(struct seccomp_data, nr));
    }
}

/* The thread sanitizer's runtime maps memory in signal handlers and starts threads without a signal
   stack: its build does not trap such calls. */
static uint32_t action_of(const bl_rule *rule) {
    switch (rule->verdict) {
    case BL_VERDICT_ALLOW: return SECCOMP_RET_ALLOW;
    case BL_VERDICT_ABSENT: return SECCOMP_RET_ERRNO | ENOSYS;
#if __has_feature(thread_sanitizer)
    case BL_VERDICT_MEMORY:
    case BL_VERDICT_SIGNAL_MASK:
    case BL_VERDICT_SIGNAL_ACTION: return SECCOMP_RET_ALLOW;
#endif
    default: return SECCOMP_RET_TRAP;
    }
}

static bool is_made_through_gate(const bl_rule *rule) {
    return rule->verdict == BL_VERDICT_FILE || rule->verdict == BL_VERDICT_MEMORY ||
           rule->verdict == BL_VERDICT_SIGNAL_MASK || rule->verdict == BL_VERDICT_SIGNAL_ACTION;
}

static void add_rule(program *self, const bl_rule *rule, long own) {
    const uint8_t length_of_condition = 8;
    size_t argument = offsetof(struct seccomp_data, args) + 8 * (size_t)rule->argument;
    uint32_t action = action_of(rule);
    bool by_gate = is_made_through_gate(rule) && action == SECCOMP_RET_TRAP;
    bool is_conditional = by_gate || rule->condition != BL_ALWAYS;
    add(self, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rule->number, 0,
        is_conditional ? length_of_condition : 1);
    if (by_gate) {
        answer_by(self, offsetof(struct seccomp_data, instruction_pointer), UINT64_MAX,
                  (uint64_t)(uintptr_t)bl_gate_address, SECCOMP_RET_ALLOW, SECCOMP_RET_TRAP);
    } else if (is_conditional) {
        answer_by(self, argument, rule->mask,
                  rule->condition == BL_IF_OWN_PROCESS ? (uint64_t)own : rule->value, action, 0);
    } else {
        answer(self, action);
    }
}

int bl_filter_install(long own) {
    static program self;
    self.length = 0;
    load(&self, offsetof(struct seccomp_data, arch));
    add(&self, BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
    answer(&self, SECCOMP_RET_TRAP);
    load(&self, offsetof(struct seccomp_data, nr));
    add(&self, BPF_JMP | BPF_JGE | BPF_K, FIRST_X32_CALL, 0, 1);
    answer(&self, SECCOMP_RET_TRAP);
    add(&self, BPF_JMP | BPF_JGT | BPF_K, BL_LAST_KNOWN_CALL, 0, 1);
    answer(&self, SECCOMP_RET_ERRNO | ENOSYS);
    for (size_t index = 0; index < bl_rule_count; index += 1) {
        add_rule(&self, &bl_rules[index], own);
    }
    answer(&self, SECCOMP_RET_TRAP);
    if (self.length > MAXIMUM_LENGTH) {
        return E2BIG;
    }
    struct sock_fprog filter = {self.length, self.rows};
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    return result < 0 ? errno : result > 0 ? EBUSY : 0;
}
