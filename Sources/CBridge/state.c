/* The state of a plug-in beyond its parameters: the property "state", set as a whole, and the
   message channel "state", which reads it in parts. */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

#include "instance.h"

/* Keeps the render thread out for as long as a state takes to restore. */
static void close_gate(bl_instance *self) {
    while (atomic_flag_test_and_set_explicit(&self->gate, memory_order_acquire)) {
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
}

bl_status bl_instance_set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                                   size_t message_size) {
    bl_instance *self = (bl_instance *)unit;
    if (index != 0 || value == NULL) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    char *text = *value != 0 ? strdup(value) : NULL;
    if (*value != 0 && text == NULL) {
        snprintf(message, message_size, "memory is short");
        return BL_ERROR_OUT_OF_MEMORY;
    }
    if (self->handle != NULL && self->has_gate) {
        close_gate(self);
        bool is_restored = bl_lv2_restore(self, text, message, message_size);
        atomic_flag_clear_explicit(&self->gate, memory_order_release);
        if (!is_restored) {
            free(text);
            return BL_ERROR_INVALID_PROPERTY_VALUE;
        }
    }
    free(self->state);
    self->state = text;
    return BL_OK;
}

bl_status bl_instance_receive_message(bl_unit *unit, const char *channel, const char *message,
                                      char *reply, size_t reply_size) {
    bl_instance *self = (bl_instance *)unit;
    if (strcmp(channel, "state") != 0) {
        snprintf(reply, reply_size, "the channel is “state”");
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    /* The first part takes the state anew; the others continue with it. */
    size_t first = strtoul(message, NULL, 10);
    if (first == 0 && self->handle != NULL) {
        char *state = bl_lv2_save(self);
        if (state != NULL) {
            free(self->state);
            self->state = state;
        }
    }
    size_t length = self->state != NULL ? strlen(self->state) : 0;
    snprintf(reply, reply_size, "%s", first < length ? self->state + first : "");
    return BL_OK;
}
