/* expect: midi-output: sends bytes that are no whole MIDI message */
/* A note without its status byte. */
static const unsigned char note[2] = {60, 100};
#define AFTER(self, input, output, frames)                                                         \
    if ((self)->count == 0) {                                                                      \
        (self)->count = 1;                                                                         \
        host->send_midi(host->context, timestamp->sample_time, 0, 2, note);                        \
    }
#include "plain_unit.h"

UNIT(.flags = BL_UNIT_CAN_PROCESS_IN_PLACE | BL_UNIT_MIDI_OUTPUT)
