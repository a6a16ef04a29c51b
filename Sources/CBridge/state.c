/* A plug-in's properties: the texts and paths that are messages, and "state", which is set as a
   whole, and read in parts by message channels. */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "lv2_instance.h"

/* Keeps the render thread out for as long as a state takes to restore. */
static void close_gate(bl_instance *self) {
    while (atomic_flag_test_and_set_explicit(&self->gate, memory_order_acquire)) {
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
}

static bl_status set_state(bl_instance *self, const char *value, char *message,
                           size_t message_size) {
    char *text = *value != 0 ? strdup(value) : NULL;
    if (*value != 0 && text == NULL) {
        snprintf(message, message_size, "memory is short");
        return BL_ERROR_OUT_OF_MEMORY;
    }
    if (self->handle != NULL && self->has_gate) {
        close_gate(self);
        bool is_restored = bl_lv2_restore(self, text, message, message_size);
        if (self->patch != NULL) {
            bl_patch_renew(self);
        }
        atomic_flag_clear_explicit(&self->gate, memory_order_release);
        if (!is_restored) {
            free(text);
            return BL_ERROR_INVALID_PROPERTY_VALUE;
        }
    }
    free(self->state);
    self->state = text;
    free(self->first_state);
    self->first_state = NULL;
    bl_instance_note_state(self);
    return BL_OK;
}

/* The plug-in cannot say that it refuses a text: what it could not use is refused here. */
static bl_status set_text(bl_instance *self, uint32_t index, const char *value, char *message,
                          size_t message_size) {
    bool is_path = self->plug_in->descriptor.properties[index].is_path != 0;
    if (strlen(value) >= BL_PATCH_LONGEST_TEXT) {
        snprintf(message, message_size, "a text has %u bytes at most", BL_PATCH_LONGEST_TEXT - 1);
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    if (is_path && *value != 0 && access(value, R_OK) != 0) {
        snprintf(message, message_size, "“%s” cannot be read", value);
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    char *former = self->texts[index], *text = strdup(value);
    self->texts[index] = text;
    if (text == NULL || (self->patch != NULL && !bl_patch_send_text(self, index))) {
        self->texts[index] = former;
        free(text);
        snprintf(message, message_size, "the plug-in has not taken yet what was set before");
        return BL_ERROR_UNAVAILABLE;
    }
    free(former);
    return BL_OK;
}

bl_status bl_instance_set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                                   size_t message_size) {
    bl_instance *self = (bl_instance *)unit;
    if (index >= self->plug_in->descriptor.property_count || value == NULL) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    return self->plug_in->properties[index].key == 0
               ? set_state(self, value, message, message_size)
               : set_text(self, index, value, message, message_size);
}

void bl_instance_note_state(bl_instance *self) {
    if (self->first_state == NULL && self->lv2 != NULL) {
        self->lv2->is_compared = true;
        self->first_state = bl_lv2_save(self, false);
        self->lv2->is_compared = false;
    }
}

/* The present state, to be freed; NULL: none, or for `is_whole` false none that is new. */
static char *take_state(bl_instance *self, bool is_whole) {
    if (self->handle == NULL) {
        return is_whole && self->state != NULL ? strdup(self->state) : NULL;
    }
    char *state = bl_lv2_save(self, is_whole);
    bool is_new = state != NULL &&
                  (is_whole || self->first_state == NULL || strcmp(state, self->first_state) != 0);
    if (!is_new) {
        free(state);
        return NULL;
    }
    return state;
}

bl_status bl_instance_receive_message(bl_unit *unit, const char *channel, const char *message,
                                      char *reply, size_t reply_size) {
    bl_instance *self = (bl_instance *)unit;
    bool is_whole = strcmp(channel, "state") == 0;
    if (!is_whole && strcmp(channel, "new state") != 0) {
        snprintf(reply, reply_size, "the channels are “state” and “new state”");
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    /* The first part takes the state anew; the others continue with it. */
    size_t first = strtoul(message, NULL, 10);
    if (first == 0) {
        free(self->read_state);
        self->read_state = take_state(self, is_whole);
    }
    size_t length = self->read_state != NULL ? strlen(self->read_state) : 0;
    size_t last = first >= length               ? first
                  : length - first < reply_size ? length
                                                : first + reply_size - 1;
    /* A part ends with a whole character. */
    while (last < length && ((uint8_t)self->read_state[last] & 0xc0) == 0x80) {
        last -= 1;
    }
    snprintf(reply, reply_size, "%.*s", (int)(last - first),
             last > first ? self->read_state + first : "");
    /* What has been read is not new any more. */
    if (!is_whole && length > 0 && first >= length) {
        free(self->first_state);
        self->first_state = self->read_state;
        self->read_state = NULL;
    }
    return BL_OK;
}
