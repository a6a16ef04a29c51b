/* A plug-in's properties: texts and paths that are messages, and its state, which is data. */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "lv2_instance.h"

/* Keeps the render thread from running the plug-in while a state is restored. */
static void close_gate(bl_instance *self) {
    while (atomic_flag_test_and_set_explicit(&self->gate, memory_order_acquire)) {
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
}

bl_status bl_instance_load_data(bl_unit *unit, uint32_t index, const void *bytes, size_t count,
                                char *message, size_t message_size) {
    bl_instance *self = (bl_instance *)unit;
    (void)index;
    char *text = count > 0 ? strndup(bytes, count) : NULL;
    if (count > 0 && text == NULL) {
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
    bl_instance_remember_state(self);
    return BL_OK;
}

/* Refuses unusable texts here, since the plug-in cannot report them. */
bl_status bl_instance_set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                                   size_t message_size) {
    bl_instance *self = (bl_instance *)unit;
    if (index >= self->plug_in->descriptor.property_count) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    bool is_path = self->plug_in->descriptor.properties[index].kind == BL_PROPERTY_PATH;
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

void bl_instance_remember_state(bl_instance *self) {
    if (self->first_state == NULL && self->lv2 != NULL) {
        self->lv2->is_compared = true;
        self->first_state = bl_lv2_save(self, false);
        self->lv2->is_compared = false;
    }
}

bl_status bl_instance_save_data(bl_unit *unit, uint32_t index, const bl_data_writer *writer,
                                char *message, size_t message_size) {
    bl_instance *self = (bl_instance *)unit;
    (void)index;
    char *state = self->handle != NULL ? bl_lv2_save(self, false) : NULL;
    if (state == NULL || (self->first_state != NULL && strcmp(state, self->first_state) == 0)) {
        free(state);
        return BL_OK;
    }
    bl_status status = writer->write(writer->context, state, strlen(state));
    if (status != BL_OK) {
        free(state);
        snprintf(message, message_size, "memory is short");
        return status;
    }
    /* The saved state is the new reference for changes. */
    free(self->first_state);
    self->first_state = state;
    return BL_OK;
}

/* Channel "state": returns the plug-in's whole state from the byte offset in the message, as much
   as fits; a part ends at a character boundary. */
bl_status bl_instance_receive_message(bl_unit *unit, const char *channel, const char *message,
                                      char *reply, size_t reply_size) {
    bl_instance *self = (bl_instance *)unit;
    if (strcmp(channel, "state") != 0) {
        snprintf(reply, reply_size, "the channel is “state”");
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    char *state = self->handle != NULL  ? bl_lv2_save(self, true)
                  : self->state != NULL ? strdup(self->state)
                                        : NULL;
    size_t length = state != NULL ? strlen(state) : 0;
    size_t first = strtoul(message, NULL, 10);
    first = first < length ? first : length;
    size_t last = length - first < reply_size ? length : first + reply_size - 1;
    while (last < length && ((uint8_t)state[last] & 0xc0) == 0x80) {
        last -= 1;
    }
    snprintf(reply, reply_size, "%.*s", (int)(last - first), state != NULL ? state + first : "");
    free(state);
    return BL_OK;
}
