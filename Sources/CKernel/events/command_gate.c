#include "kernel/command_gate.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Who goes through first says that it is there and then looks whether the gate is open; who shuts
   it first takes the kernel away and then looks whether anybody is there. Both in one order for all
   threads (sequentially consistent), so one of them always sees the other. */
struct bl_command_gate {
    _Atomic uint32_t inside;
    _Atomic(bl_kernel *) kernel;
};

bl_command_gate *bl_command_gate_create(void) {
    bl_command_gate *gate = malloc(sizeof *gate);
    if (gate != NULL) {
        atomic_init(&gate->inside, 0);
        atomic_init(&gate->kernel, NULL);
    }
    return gate;
}

void bl_command_gate_destroy(bl_command_gate *gate) { free(gate); }

void bl_command_gate_open(bl_command_gate *gate, bl_kernel *kernel) {
    atomic_store(&gate->kernel, kernel);
}

void bl_command_gate_shut(bl_command_gate *gate) {
    atomic_store(&gate->kernel, NULL);
    while (atomic_load(&gate->inside) > 0) {
        sched_yield();
    }
}

static bl_kernel *enter(bl_command_gate *gate) BL_NONBLOCKING {
    atomic_fetch_add(&gate->inside, 1);
    return atomic_load(&gate->kernel);
}

static void leave(bl_command_gate *gate) BL_NONBLOCKING { atomic_fetch_sub(&gate->inside, 1); }

bool bl_command_gate_send(bl_command_gate *gate, const bl_command *command) BL_NONBLOCKING {
    bl_kernel *kernel = enter(gate);
    bool is_sent = kernel != NULL && bl_kernel_send(kernel, command);
    leave(gate);
    return is_sent;
}

bl_status bl_command_gate_schedule(bl_command_gate *gate,
                                   const bl_command *command) BL_NONBLOCKING {
    bl_kernel *kernel = enter(gate);
    bl_status status = BL_ERROR_NOT_ALLOCATED;
    if (kernel != NULL) {
        status = bl_kernel_send(kernel, command) ? BL_OK : BL_ERROR_OUT_OF_MEMORY;
    }
    leave(gate);
    return status;
}

bl_status bl_command_gate_send_midi(bl_command_gate *gate, uint32_t node, int64_t sample_time,
                                    uint8_t cable, uint32_t length,
                                    const uint8_t *bytes) BL_NONBLOCKING {
    bl_kernel *kernel = enter(gate);
    bl_status status = BL_ERROR_NOT_ALLOCATED;
    if (kernel != NULL) {
        status = bl_kernel_send_midi(kernel, node, sample_time, cable, length, bytes);
    }
    leave(gate);
    return status;
}

uint32_t bl_command_gate_sent(bl_command_gate *gate) BL_NONBLOCKING {
    const bl_kernel *kernel = enter(gate);
    uint32_t sent = kernel != NULL ? bl_kernel_commands_sent(kernel) : 0;
    leave(gate);
    return sent;
}

bool bl_command_gate_has_done(bl_command_gate *gate, uint32_t sent) BL_NONBLOCKING {
    const bl_kernel *kernel = enter(gate);
    bool has_done = kernel == NULL || bl_kernel_has_done(kernel, sent);
    leave(gate);
    return has_done;
}
