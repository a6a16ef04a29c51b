/* Sends commands to a kernel from threads that do not know how long it lasts: a gate that its owner
 * opens and shuts, and a scheduler for each unit behind it. */
#ifndef BACKLINE_KERNEL_COMMAND_GATE_H
#define BACKLINE_KERNEL_COMMAND_GATE_H

#include "kernel.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_command_gate bl_command_gate;

/* A shut gate; NULL when memory is short. [control] */
bl_command_gate *bl_command_gate_create(void);
/* [control, once no thread uses it] */
void bl_command_gate_destroy(bl_command_gate *gate);

/* Passes commands on to the kernel. [control] */
void bl_command_gate_open(bl_command_gate *gate, bl_kernel *kernel);
/* Refuses commands; returns once those under way have been passed on. [control, one thread at a
   time] */
void bl_command_gate_shut(bl_command_gate *gate);

/* Sends a command like bl_kernel_send. BL_ERROR_NOT_ALLOCATED when the gate is shut,
   BL_ERROR_OUT_OF_MEMORY when the kernel has no room. [any thread] */
bl_status bl_command_gate_send(bl_command_gate *gate, const bl_command *command) BL_NONBLOCKING;
/* Sends MIDI like bl_kernel_send_midi; BL_ERROR_NOT_ALLOCATED when the gate is shut. [any
   thread] */
bl_status bl_command_gate_send_midi(bl_command_gate *gate, uint32_t node, int64_t sample_time,
                                    uint8_t cable, uint32_t length,
                                    const uint8_t *bytes) BL_NONBLOCKING;

/* Counts like bl_kernel_commands_sent; 0 when the gate is shut. [any thread] */
uint32_t bl_command_gate_sent(bl_command_gate *gate) BL_NONBLOCKING;
/* Asks like bl_kernel_has_done; true when the gate is shut. [any thread] */
bool bl_command_gate_has_done(bl_command_gate *gate, uint32_t sent) BL_NONBLOCKING;

/* Schedules events for one unit from any thread, real-time threads included. It stays valid while
   render resources are allocated and freed, as long as its AudioUnit exists. */
typedef struct bl_scheduler bl_scheduler;

/* Creates a scheduler for the node with that identifier behind the gate, which must outlive the
   scheduler. NULL when memory is short. [control] */
bl_scheduler *bl_scheduler_create(bl_command_gate *gate, uint32_t node, uint32_t cable_count);
/* [control, once no thread uses it] */
void bl_scheduler_destroy(bl_scheduler *scheduler);

/* Refuses events while held: a value that was set earlier waits for room, and events must not
   overtake it. [control] */
void bl_scheduler_hold(bl_scheduler *scheduler, bool is_held);
/* [any thread] */
bool bl_scheduler_is_held(const bl_scheduler *scheduler) BL_NONBLOCKING;

/* Schedules a parameter's new value, or its ramp. `sample_time` counts in the frames of the render
   timestamps; past times and BL_SAMPLE_TIME_IMMEDIATE mean the next cycle. The value is limited to
   the parameter's range; an address that the unit does not have is counted as a lost event.
   BL_ERROR_NOT_ALLOCATED without render resources; BL_ERROR_OUT_OF_MEMORY when there is no room.
   [any thread] */
bl_status bl_schedule_parameter(bl_scheduler *scheduler, int64_t sample_time,
                                bl_parameter_event change) BL_NONBLOCKING;

/* Schedules a complete MIDI message, status byte first; system exclusive with its 0xF0 and 0xF7.
   The bytes are copied. Besides the errors of bl_schedule_parameter: BL_ERROR_NO_SUCH_ELEMENT for a
   unit without MIDI input, BL_ERROR_INVALID_PROPERTY_VALUE for bytes that are not one message. [any
   thread] */
bl_status bl_schedule_midi(bl_scheduler *scheduler, int64_t sample_time, uint8_t cable,
                           uint32_t length, const uint8_t *bytes) BL_NONBLOCKING;

/* Start a note that `note_id`, above 0, identifies for expressions, and change an expression of
   notes, within its range. A unit that does not follow expressions counts them as lost. [any
   thread] */
bl_status bl_schedule_note(bl_scheduler *scheduler, int64_t sample_time, uint32_t note_id,
                           bl_midi_event note) BL_NONBLOCKING;
bl_status bl_schedule_expression(bl_scheduler *scheduler, int64_t sample_time,
                                 bl_expression_event event) BL_NONBLOCKING;

BL_END_DECLARATIONS

#endif
