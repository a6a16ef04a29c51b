/* What the JACK library would have printed, kept for whoever explains a failure. */
#ifndef BACKLINE_JACK_MESSAGE_H
#define BACKLINE_JACK_MESSAGE_H

#include "jack_library.h"

/* Bytes of the longest message that is kept, its final 0 included. */
#define BL_JACK_MESSAGE_SIZE 256

/* Collects the library's errors and remarks from now on; the newest 64 are kept. [control] */
void bl_jack_message_collect(const bl_jack_library *library);

/* Takes the oldest message (BL_JACK_MESSAGE_SIZE bytes); false when there is none. [control, any
   thread] */
bool bl_jack_message_take(char *text, bool *is_error);

#endif
