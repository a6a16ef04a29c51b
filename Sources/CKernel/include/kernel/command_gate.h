/* The way into a kernel for threads that do not know how long it lasts: a gate that its owner opens
 * and shuts. */
#ifndef BACKLINE_KERNEL_COMMAND_GATE_H
#define BACKLINE_KERNEL_COMMAND_GATE_H

#include "kernel.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_command_gate bl_command_gate;

/* A shut gate; NULL when memory is short. [control] */
bl_command_gate *bl_command_gate_create(void);
/* [control, once no thread uses it] */
void bl_command_gate_destroy(bl_command_gate *gate);

/* From here on commands reach the kernel. [control] */
void bl_command_gate_open(bl_command_gate *gate, bl_kernel *kernel);
/* From here on none does; returns when those on their way have arrived, which takes no longer than
   their threads need for it. [control, one thread at a time] */
void bl_command_gate_shut(bl_command_gate *gate);

/* As bl_kernel_send; false as well when the gate is shut. [any thread] */
bool bl_command_gate_send(bl_command_gate *gate, const bl_command *command) BL_NONBLOCKING;
/* The same with the reason: BL_ERROR_NOT_ALLOCATED when the gate is shut, BL_ERROR_OUT_OF_MEMORY
   when the kernel has no room. [any thread] */
bl_status bl_command_gate_schedule(bl_command_gate *gate, const bl_command *command) BL_NONBLOCKING;
/* As bl_kernel_send_midi; BL_ERROR_NOT_ALLOCATED when the gate is shut. [any thread] */
bl_status bl_command_gate_send_midi(bl_command_gate *gate, uint32_t node, int64_t sample_time,
                                    uint8_t cable, uint32_t length,
                                    const uint8_t *bytes) BL_NONBLOCKING;

/* As bl_kernel_commands_sent; 0 when the gate is shut. [any thread] */
uint32_t bl_command_gate_sent(bl_command_gate *gate) BL_NONBLOCKING;
/* As bl_kernel_has_done; true when the gate is shut. [any thread] */
bool bl_command_gate_has_done(bl_command_gate *gate, uint32_t sent) BL_NONBLOCKING;

BL_END_DECLARATIONS

#endif
