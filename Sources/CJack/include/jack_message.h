/* Keeps the messages that the JACK library would have printed, to explain failures. */
#ifndef BACKLINE_JACK_MESSAGE_H
#define BACKLINE_JACK_MESSAGE_H

#include <stdbool.h>

/* The longest message, including its final 0. Bytes */
#define BL_JACK_MESSAGE_SIZE 256

/* Collects a library's errors and information from now on, through its jack_set_error_function and
   jack_set_info_function; keeps the newest 64. [control] */
void bl_jack_message_collect(void (*set_error_function)(void (*)(const char *)),
                             void (*set_info_function)(void (*)(const char *)));

/* Pops the oldest message (BL_JACK_MESSAGE_SIZE bytes); false when there is none. [control, any
   thread] */
bool bl_jack_message_pop(char *text, bool *is_error);

#endif
