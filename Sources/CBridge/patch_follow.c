/* Follows the parameter values that a plug-in reports. */
#include "patch.h"

#include "atom_object.h"
#include "instance.h"
#include "range.h"

/* The host to notify of a value (or NULL), and the value's time. */
typedef struct listener {
    const bl_render_host *host;
    int64_t time;
} listener;

static void follow_value(bl_instance *self, const listener *listener, uint32_t key,
                         const bl_atom_property *value) BL_NONBLOCKING {
    uint32_t count = self->plug_in->descriptor.parameter_count;
    float number = 0;
    if (!bl_atom_number(self->urids, value->type, value->value, value->size, &number)) {
        return;
    }
    for (uint32_t index = count - self->plug_in->message_parameter_count; index < count;
         index += 1) {
        const bl_plug_in_parameter *parameter = &self->plug_in->parameters[index];
        const bl_parameter_info *info = &self->plug_in->descriptor.parameters[index];
        if (parameter->key == key && !self->patch->is_sent[index]) {
            float own = bl_range_from_port(parameter, number);
            float former = self->values[index];
            self->values[index] = own < info->minimum   ? info->minimum
                                  : own > info->maximum ? info->maximum
                                                        : own;
            self->controls[parameter->port] = number;
            bl_notice notice = {BL_NOTICE_PARAMETER, listener->time, index, self->values[index],
                                NULL};
            if (listener->host != NULL && self->values[index] != former) {
                bl_notify(listener->host, &notice);
            }
        }
    }
}

static void follow_set(bl_instance *self, const listener *listener, const uint8_t *bytes,
                       uint32_t size) BL_NONBLOCKING {
    const bl_urids *urids = self->urids;
    bl_atom_property property, value = {0};
    uint32_t place = BL_ATOM_OBJECT_SIZE, key = 0;
    while (bl_atom_object_next(bytes, size, &place, &property)) {
        if (property.key == urids->patch_value) {
            value = property;
        } else if (property.key == urids->patch_property && property.type == urids->atom_urid &&
                   property.size == sizeof key) {
            memcpy(&key, property.value, sizeof key);
        }
    }
    follow_value(self, listener, key, &value);
}

static void follow_put(bl_instance *self, const listener *listener, const uint8_t *bytes,
                       uint32_t size) BL_NONBLOCKING {
    bl_atom_property body, property;
    uint32_t place = BL_ATOM_OBJECT_SIZE;
    while (bl_atom_object_next(bytes, size, &place, &body)) {
        uint32_t inner = BL_ATOM_OBJECT_SIZE;
        while (body.key == self->urids->patch_body &&
               bl_atom_object_next(body.value, body.size, &inner, &property)) {
            follow_value(self, listener, property.key, &property);
        }
    }
}

void bl_patch_follow(bl_instance *self, const bl_render_host *host, int64_t time) BL_NONBLOCKING {
    const bl_urids *urids = self->urids;
    const listener listener = {host, time};
    if (self->patch == NULL) {
        return;
    }
    for (uint32_t port = 0; port < self->event_output_count; port += 1) {
        /* Use a copy, whose read position differs from that of the MIDI to send. */
        bl_event_port events = self->event_outputs[port];
        const uint8_t *bytes = NULL;
        int64_t frame = 0;
        uint32_t type = 0, size = 0;
        events.next = 0;
        while (events.port->has_patch &&
               bl_event_port_next(&events, urids, UINT32_MAX, &frame, &type, &bytes, &size)) {
            LV2_Atom_Object_Body object = {0};
            if ((type != urids->atom_object && type != urids->atom_blank) || size < sizeof object) {
                continue;
            }
            memcpy(&object, bytes, sizeof object);
            if (object.otype == urids->patch_set) {
                follow_set(self, &listener, bytes, size);
            } else if (object.otype == urids->patch_put) {
                follow_put(self, &listener, bytes, size);
            }
        }
    }
    memset(self->patch->is_sent, 0,
           self->plug_in->descriptor.parameter_count * sizeof *self->patch->is_sent);
}
