/* What the JACK library would have printed, kept for whoever explains a failure. */
#ifndef BACKLINE_JACK_MESSAGE_H
#define BACKLINE_JACK_MESSAGE_H

#include <stdbool.h>

/* Bytes of the longest message that is kept, its final 0 included. */
#define BL_JACK_MESSAGE_SIZE 256

/* Collects a library's errors and remarks from now on, given its jack_set_error_function and
   jack_set_info_function; the newest 64 are kept. [control] */
void bl_jack_message_collect(void (*set_error_function)(void (*)(const char *)),
                             void (*set_info_function)(void (*)(const char *)));

/* Takes the oldest message (BL_JACK_MESSAGE_SIZE bytes); false when there is none. [control, any
   thread] */
bool bl_jack_message_take(char *text, bool *is_error);

#endif
