/* What other threads send down to the render thread. */

#include "cycle/kernel_state.h"

bool bl_kernel_send(bl_kernel *kernel, const bl_command *command) BL_NONBLOCKING {
    return bl_shared_ring_push(&kernel->commands, command);
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
        const uint8_t *copy = bl_system_exclusive_copy(&kernel->system_exclusive, bytes, length);
        if (copy == NULL) {
            return BL_ERROR_OUT_OF_MEMORY;
        }
        command.event.system_exclusive = (bl_system_exclusive_event){cable, length, copy};
    }
    if (!bl_kernel_send(kernel, &command)) {
        bl_system_exclusive_release(&kernel->system_exclusive, &command.event);
        return BL_ERROR_OUT_OF_MEMORY;
    }
    return BL_OK;
}
