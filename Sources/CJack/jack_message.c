#include "jack_message.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { CAPACITY = 64 };

static struct {
    pthread_mutex_t lock;
    char text[CAPACITY][BL_JACK_MESSAGE_SIZE];
    bool is_error[CAPACITY];
    unsigned first, count;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Keeps a message. JACK calls this from a message thread for those of real-time threads. */
static void keep(const char *text, bool is_error) {
    pthread_mutex_lock(&kept.lock);
    if (kept.count == CAPACITY) {
        kept.first = (kept.first + 1) % CAPACITY;
        kept.count -= 1;
    }
    unsigned place = (kept.first + kept.count) % CAPACITY;
    snprintf(kept.text[place], BL_JACK_MESSAGE_SIZE, "%s", text);
    kept.is_error[place] = is_error;
    kept.count += 1;
    pthread_mutex_unlock(&kept.lock);
}

static void keep_error(const char *text) { keep(text, true); }

static void keep_info(const char *text) { keep(text, false); }

void bl_jack_message_collect(void (*set_error_function)(void (*)(const char *)),
                             void (*set_info_function)(void (*)(const char *))) {
    set_error_function(keep_error);
    set_info_function(keep_info);
}

bool bl_jack_message_pop(char *text, bool *is_error) {
    pthread_mutex_lock(&kept.lock);
    bool found = kept.count > 0;
    if (found) {
        memcpy(text, kept.text[kept.first], BL_JACK_MESSAGE_SIZE);
        *is_error = kept.is_error[kept.first];
        kept.first = (kept.first + 1) % CAPACITY;
        kept.count -= 1;
    }
    pthread_mutex_unlock(&kept.lock);
    return found;
}
