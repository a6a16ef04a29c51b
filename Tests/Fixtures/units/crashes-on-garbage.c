/* expect: midi-garbage: crashed with signal */
#define APPLY(self, event)                                                                         \
    if ((event)->type == BL_EVENT_MIDI && (event)->midi.bytes[1] > 0x7F) {                         \
        __builtin_trap();                                                                          \
    } else if ((event)->type <= BL_EVENT_PARAMETER_RAMP && (event)->parameter.address == 0) {      \
        bl_ramp_apply(&(self)->gain, event);                                                       \
    }
#include "plain_unit.h"

UNIT(.flags = BL_UNIT_CAN_PROCESS_IN_PLACE | BL_UNIT_MIDI_INPUT)
