/* Sends commands to the render thread: directly, through a gate, and for one unit. */

#include <sched.h>
#include <stdlib.h>

#include "cycle/kernel_state.h"
#include "kernel/command_gate.h"

bool bl_kernel_send(bl_kernel *kernel, const bl_command *command) BL_NONBLOCKING {
    return bl_ring_push(&kernel->commands, command);
}

bl_status bl_kernel_send_midi(bl_kernel *kernel, uint32_t node, int64_t sample_time, uint8_t cable,
                              uint32_t length, const uint8_t *bytes) BL_NONBLOCKING {
    bl_midi_message message = {.length = length, .data = bytes};
    bl_command command = {.type = BL_COMMAND_SCHEDULE, .node = node};
    command.event.sample_time = sample_time;
    if (!bl_midi_read_message(&message, &command.event)) {
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    if (command.event.type == BL_EVENT_MIDI) {
        command.event.midi.cable = cable;
    } else {
        const uint8_t *copy =
            bl_system_exclusive_copy(&kernel->events.system_exclusive, bytes, length);
        if (copy == NULL) {
            return BL_ERROR_OUT_OF_MEMORY;
        }
        command.event.system_exclusive = (bl_system_exclusive_event){cable, length, copy};
    }
    if (!bl_kernel_send(kernel, &command)) {
        bl_system_exclusive_release(&kernel->events.system_exclusive, &command.event);
        return BL_ERROR_OUT_OF_MEMORY;
    }
    return BL_OK;
}

/* A thread that enters first increments `inside` and then reads the kernel; the owner that shuts
   the gate first clears the kernel and then reads `inside`. Both orders are sequentially
   consistent, so one of the two threads always sees the other. */
struct bl_command_gate {
    _Atomic uint32_t inside;
    _Atomic(bl_kernel *) kernel;
};

bl_command_gate *bl_command_gate_create(void) { return calloc(1, sizeof(bl_command_gate)); }

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

bl_status bl_command_gate_send(bl_command_gate *gate, const bl_command *command) BL_NONBLOCKING {
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

struct bl_scheduler {
    bl_command_gate *gate;
    uint32_t node;
    uint32_t cable_count; /* MIDI input cables */
    _Atomic bool is_held;
};

bl_scheduler *bl_scheduler_create(bl_command_gate *gate, uint32_t node, uint32_t cable_count) {
    bl_scheduler *scheduler = calloc(1, sizeof *scheduler);
    if (scheduler != NULL) {
        scheduler->gate = gate;
        scheduler->node = node;
        scheduler->cable_count = cable_count;
    }
    return scheduler;
}

void bl_scheduler_destroy(bl_scheduler *scheduler) { free(scheduler); }

void bl_scheduler_hold(bl_scheduler *scheduler, bool is_held) {
    atomic_store_explicit(&scheduler->is_held, is_held, memory_order_release);
}

bool bl_scheduler_is_held(const bl_scheduler *scheduler) BL_NONBLOCKING {
    return atomic_load_explicit(&scheduler->is_held, memory_order_acquire);
}

static bl_status schedule(bl_scheduler *scheduler, const bl_command *command) BL_NONBLOCKING {
    return bl_scheduler_is_held(scheduler) ? BL_ERROR_OUT_OF_MEMORY
                                           : bl_command_gate_send(scheduler->gate, command);
}

bl_status bl_schedule_parameter(bl_scheduler *scheduler, int64_t sample_time,
                                bl_parameter_event change) BL_NONBLOCKING {
    bl_command command = {.type = BL_COMMAND_SCHEDULE, .node = scheduler->node};
    command.event.sample_time = sample_time;
    command.event.type = change.ramp_duration > 0 ? BL_EVENT_PARAMETER_RAMP : BL_EVENT_PARAMETER;
    command.event.parameter = change;
    return schedule(scheduler, &command);
}

bl_status bl_schedule_note(bl_scheduler *scheduler, int64_t sample_time, uint32_t note_id,
                           bl_midi_event note) BL_NONBLOCKING {
    bl_command command = {.type = BL_COMMAND_SCHEDULE, .node = scheduler->node};
    command.event = (bl_event){
        .sample_time = sample_time, .type = BL_EVENT_MIDI, .note_id = note_id, .midi = note};
    return note.cable < scheduler->cable_count ? schedule(scheduler, &command)
                                               : BL_ERROR_NO_SUCH_ELEMENT;
}

bl_status bl_schedule_expression(bl_scheduler *scheduler, int64_t sample_time,
                                 bl_expression_event event) BL_NONBLOCKING {
    bl_command command = {.type = BL_COMMAND_SCHEDULE, .node = scheduler->node};
    command.event = (bl_event){
        .sample_time = sample_time, .type = BL_EVENT_NOTE_EXPRESSION, .expression = event};
    return schedule(scheduler, &command);
}

bl_status bl_schedule_midi(bl_scheduler *scheduler, int64_t sample_time, uint8_t cable,
                           uint32_t length, const uint8_t *bytes) BL_NONBLOCKING {
    if (cable >= scheduler->cable_count) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    return bl_scheduler_is_held(scheduler)
               ? BL_ERROR_OUT_OF_MEMORY
               : bl_command_gate_send_midi(scheduler->gate, scheduler->node, sample_time, cable,
                                           length, bytes);
}
