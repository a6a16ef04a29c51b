#include "patch.h"

#include "atom_object.h"
#include "instance.h"

static uint32_t parameter_count(const bl_instance *self) BL_NONBLOCKING {
    return self->plug_in->descriptor.parameter_count;
}

static uint32_t first_parameter(const bl_instance *self) BL_NONBLOCKING {
    return parameter_count(self) - self->plug_in->message_parameter_count;
}

static void make_set_due(bl_instance *self) BL_NONBLOCKING {
    bl_patch *patch = self->patch;
    for (uint32_t index = first_parameter(self); index < parameter_count(self); index += 1) {
        patch->is_due[index] |= self->is_set[index];
    }
    /* Also ask the plug-in for its other values. */
    patch->asks = self->plug_in->message_parameter_count > 0;
    patch->has_due = true;
}

bool bl_patch_prepare(bl_instance *self) {
    bl_event_port *input = NULL;
    for (uint32_t index = self->event_input_count; index > 0; index -= 1) {
        input =
            self->event_inputs[index - 1].port->has_patch ? &self->event_inputs[index - 1] : input;
    }
    if (input == NULL || !self->plug_in->has_messages) {
        return true;
    }
    bl_patch *patch = bl_arena_allocate(&self->arena, 1, sizeof *patch);
    bool *flags = bl_arena_allocate(&self->arena, 2 * (size_t)parameter_count(self), sizeof *flags);
    if (patch == NULL || flags == NULL) {
        return false;
    }
    patch->input = input;
    patch->is_due = flags;
    patch->is_sent = flags + parameter_count(self);
    self->patch = patch;
    bl_patch_renew(self);
    return true;
}

void bl_patch_renew(bl_instance *self) {
    atomic_store_explicit(&self->patch->has_restored, true, memory_order_release);
    for (uint32_t index = 0; index < self->plug_in->descriptor.property_count; index += 1) {
        if (self->texts[index] != NULL) {
            bl_patch_send_text(self, index);
        }
    }
}

/* Writes a patch:Set to `bytes`, which has room for the value plus 64 bytes. */
static uint32_t write_set(const bl_urids *urids, uint8_t *bytes, uint32_t key, uint32_t type,
                          const void *value, uint32_t size) BL_NONBLOCKING {
    bl_atom_object object = bl_atom_object_begin(bytes, urids->patch_set);
    bl_atom_object_put(&object, urids->patch_property, urids->atom_urid, &key, sizeof key);
    bl_atom_object_put(&object, urids->patch_value, type, value, size);
    return object.size;
}

bool bl_patch_send_text(bl_instance *self, uint32_t property) {
    const bl_plug_in_property *described = &self->plug_in->properties[property];
    const char *text = self->texts[property];
    uint8_t bytes[BL_PATCH_LONGEST_TEXT + 128];
    uint32_t size = write_set(self->urids, bytes, described->key, described->type, text,
                              (uint32_t)strlen(text) + 1);
    return bl_message_ring_write(&self->patch->texts, bytes, size);
}

/* Returns the nearest integer, limited to the type's range. */
static int64_t whole(float value, float most, int64_t greatest) BL_NONBLOCKING {
    return value >= most    ? greatest
           : value <= -most ? -greatest
                            : (int64_t)(value + (value < 0 ? -0.5f : 0.5f));
}

void bl_patch_set_later(bl_instance *self, uint32_t index) BL_NONBLOCKING {
    self->patch->is_due[index] = true;
    self->patch->has_due = true;
}

void bl_patch_set(bl_instance *self, uint32_t index, uint32_t frame) BL_NONBLOCKING {
    bl_patch *patch = self->patch;
    const bl_urids *urids = self->urids;
    const bl_plug_in_parameter *parameter = &self->plug_in->parameters[index];
    float value = self->controls[parameter->port];
    uint32_t key = parameter->key, type = parameter->type, size = 0;
    uint8_t bytes[128];
    if (type == urids->atom_float) {
        size = write_set(urids, bytes, key, type, &value, sizeof value);
    } else if (type == urids->atom_double) {
        double number = (double)value;
        size = write_set(urids, bytes, key, type, &number, sizeof number);
    } else if (type == urids->atom_long) {
        int64_t number = whole(value, 0x1p63f, INT64_MAX);
        size = write_set(urids, bytes, key, type, &number, sizeof number);
    } else {
        int32_t number = (int32_t)whole(value, 0x1p31f, INT32_MAX);
        size = write_set(urids, bytes, key, type, &number, sizeof number);
    }
    patch->is_due[index] = false;
    patch->is_sent[index] = true;
    if (!bl_event_port_add(patch->input, frame, urids->atom_object, bytes, size)) {
        bl_patch_set_later(self, index);
    }
}

/* Requests all values by one patch:Get. */
static bool ask(bl_instance *self, uint32_t frame) BL_NONBLOCKING {
    uint8_t bytes[BL_ATOM_OBJECT_SIZE];
    bl_atom_object get = bl_atom_object_begin(bytes, self->urids->patch_get);
    return bl_event_port_add(self->patch->input, frame, self->urids->atom_object, bytes, get.size);
}

void bl_patch_send(bl_instance *self, uint32_t frame) BL_NONBLOCKING {
    bl_patch *patch = self->patch;
    if (patch == NULL) {
        return;
    }
    if (atomic_load_explicit(&patch->has_restored, memory_order_relaxed) &&
        atomic_exchange_explicit(&patch->has_restored, false, memory_order_acquire)) {
        make_set_due(self);
    }
    while (patch->waiting > 0 ||
           bl_message_ring_read(&patch->texts, patch->message, &patch->waiting)) {
        if (!bl_event_port_add(patch->input, frame, self->urids->atom_object, patch->message,
                               patch->waiting)) {
            return;
        }
        patch->waiting = 0;
    }
    if (!patch->has_due) {
        return;
    }
    patch->has_due = false;
    for (uint32_t index = first_parameter(self); index < parameter_count(self); index += 1) {
        if (patch->is_due[index]) {
            bl_patch_set(self, index, frame);
        }
    }
    patch->asks = patch->asks && !ask(self, frame);
    patch->has_due |= patch->asks;
}
