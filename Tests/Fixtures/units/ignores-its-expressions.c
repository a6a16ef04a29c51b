/* expect: note-expressions: a note with a gain of 0 is heard */
#define APPLY(self, event)                                                                         \
    do {                                                                                           \
        if ((event)->type == BL_EVENT_MIDI) {                                                      \
            (self)->count = bl_midi_is_note_on(&(event)->midi);                                    \
        } else if (bl_event_is_parameter(event) && (event)->parameter.address == 0) {              \
            bl_ramp_apply(&(self)->gain, event);                                                   \
        }                                                                                          \
    } while (0)
#define SAMPLE(self, channel, input, gain) ((self)->count > 0 ? 0.5f * (gain) : (input) * (gain))
#include "plain_unit.h"

UNIT(.component = {BL_TYPE_MUSIC_EFFECT, BL_FOUR_CHARACTER_CODE('f', 'a', 'l', 't'),
                   BL_FOUR_CHARACTER_CODE('T', 'e', 's', 't')},
     .flags = BL_UNIT_CAN_PROCESS_IN_PLACE | BL_UNIT_MIDI_INPUT | BL_UNIT_NOTE_EXPRESSIONS)
