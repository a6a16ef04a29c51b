/* expect: midi-table: it names MIDI outputs, but sends no MIDI */
#include "plain_unit.h"

static const char *const names[] = {"notes", NULL};

UNIT(.midi_output_names = names)
