/* Schedules events for one unit from any thread, real-time threads included. */
#ifndef BACKLINE_KERNEL_SCHEDULER_H
#define BACKLINE_KERNEL_SCHEDULER_H

#include "command_gate.h"

BL_BEGIN_DECLARATIONS

/* One unit's scheduler. It stays valid while render resources come and go, for as long as the
   AudioUnit exists that it belongs to. */
typedef struct bl_scheduler bl_scheduler;

/* For the node of that identifier behind the gate, which outlives the scheduler. NULL when memory
   is short. [control] */
bl_scheduler *bl_scheduler_create(bl_command_gate *gate, uint32_t node, bool has_midi_input);
/* [control, once no thread uses it any more] */
void bl_scheduler_destroy(bl_scheduler *scheduler);

/* While held, nothing can be scheduled: a value that was set earlier waits for room, and events
   must not overtake it. [control] */
void bl_scheduler_hold(bl_scheduler *scheduler, bool is_held);

/* Schedules a parameter's new value, reached over `ramp_duration` frames (0: at once).
   `sample_time` counts in the frames of the render timestamps; a time that has passed, and
   BL_SAMPLE_TIME_IMMEDIATE, mean the next cycle. The value is held to the parameter's range; an
   address that the unit does not have is counted as a lost event. BL_ERROR_NOT_ALLOCATED without
   render resources; BL_ERROR_OUT_OF_MEMORY when there is no room. [any thread] */
bl_status bl_schedule_parameter(bl_scheduler *scheduler, int64_t sample_time,
                                uint32_t ramp_duration, bl_parameter_address address,
                                float value) BL_NONBLOCKING;

/* Schedules a whole MIDI message, its status byte first; system exclusive with its 0xF0 and 0xF7.
   The bytes are copied. Besides the errors of bl_schedule_parameter: BL_ERROR_NO_SUCH_ELEMENT for a
   unit without MIDI input, BL_ERROR_INVALID_PROPERTY_VALUE for bytes that are not a message. [any
   thread] */
bl_status bl_schedule_midi(bl_scheduler *scheduler, int64_t sample_time, uint8_t cable,
                           uint32_t length, const uint8_t *bytes) BL_NONBLOCKING;

BL_END_DECLARATIONS

#endif
