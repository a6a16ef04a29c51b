#include "kernel/scheduler.h"

#include <stdatomic.h>
#include <stdlib.h>

struct bl_scheduler {
    bl_command_gate *gate;
    uint32_t node;
    bool has_midi_input;
    _Atomic bool is_held;
};

bl_scheduler *bl_scheduler_create(bl_command_gate *gate, uint32_t node, bool has_midi_input) {
    bl_scheduler *scheduler = malloc(sizeof *scheduler);
    if (scheduler != NULL) {
        scheduler->gate = gate;
        scheduler->node = node;
        scheduler->has_midi_input = has_midi_input;
        atomic_init(&scheduler->is_held, false);
    }
    return scheduler;
}

void bl_scheduler_destroy(bl_scheduler *scheduler) { free(scheduler); }

void bl_scheduler_hold(bl_scheduler *scheduler, bool is_held) {
    atomic_store_explicit(&scheduler->is_held, is_held, memory_order_release);
}

static bool is_held(const bl_scheduler *scheduler) BL_NONBLOCKING {
    return atomic_load_explicit(&scheduler->is_held, memory_order_acquire);
}

bl_status bl_schedule_parameter(bl_scheduler *scheduler, int64_t sample_time,
                                uint32_t ramp_duration, bl_parameter_address address,
                                float value) BL_NONBLOCKING {
    bl_command command = {.type = BL_COMMAND_SCHEDULE, .node = scheduler->node};
    command.event.sample_time = sample_time;
    command.event.type = ramp_duration > 0 ? BL_EVENT_PARAMETER_RAMP : BL_EVENT_PARAMETER;
    command.event.parameter = (bl_parameter_event){address, value, ramp_duration};
    if (is_held(scheduler)) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    return bl_command_gate_schedule(scheduler->gate, &command);
}

bl_status bl_schedule_midi(bl_scheduler *scheduler, int64_t sample_time, uint8_t cable,
                           uint32_t length, const uint8_t *bytes) BL_NONBLOCKING {
    if (!scheduler->has_midi_input) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    if (is_held(scheduler)) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    return bl_command_gate_send_midi(scheduler->gate, scheduler->node, sample_time, cable, length,
                                     bytes);
}
