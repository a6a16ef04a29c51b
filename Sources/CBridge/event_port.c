#include "event_port.h"

#include "atom_object.h"

bool bl_event_port_prepare(bl_event_port *self, const bl_plug_in_port *port, bl_arena *arena) {
    /* A size beyond a gibibyte is an error in the plug-in. */
    uint32_t wanted = port->minimum_size < 1u << 30 ? port->minimum_size : 0;
    self->port = port;
    self->is_old = port->kind == BL_PORT_EVENT;
    self->capacity = wanted > BL_EVENT_PORT_SIZE ? bl_atom_padded(wanted) : BL_EVENT_PORT_SIZE;
    self->memory = bl_arena_allocate(arena, self->capacity, 1);
    self->old.data = self->memory;
    return self->memory != NULL;
}

void *bl_event_port_memory(bl_event_port *self) {
    return self->is_old ? (void *)&self->old : self->memory;
}

void bl_event_port_clear(bl_event_port *self, const bl_urids *urids) BL_NONBLOCKING {
    self->next = 0;
    if (self->is_old) {
        self->old = (LV2_Event_Buffer){.data = self->memory,
                                       .header_size = sizeof(LV2_Event_Buffer),
                                       .stamp_type = LV2_EVENT_AUDIO_STAMP,
                                       .capacity = self->capacity};
        return;
    }
    LV2_Atom_Sequence *sequence = (LV2_Atom_Sequence *)self->memory;
    bool is_input = self->port->is_input;
    sequence->atom.type = is_input ? urids->atom_sequence : urids->atom_chunk;
    sequence->atom.size =
        is_input ? sizeof sequence->body : self->capacity - (uint32_t)sizeof sequence->atom;
    sequence->body.unit = 0;
    sequence->body.pad = 0;
}

static bool add_old(bl_event_port *self, uint32_t frame, uint32_t type, const void *bytes,
                    uint32_t size) BL_NONBLOCKING {
    uint32_t total = bl_atom_padded((uint32_t)sizeof(LV2_Event) + size);
    if (size > UINT16_MAX || total > self->capacity - self->old.size) {
        return false;
    }
    LV2_Event event = {frame, 0, (uint16_t)type, (uint16_t)size};
    memcpy(self->memory + self->old.size, &event, sizeof event);
    memcpy(self->memory + self->old.size + sizeof event, bytes, size);
    self->old.size += total;
    self->old.event_count += 1;
    return true;
}

bool bl_event_port_add(bl_event_port *self, uint32_t frame, uint32_t type, const void *bytes,
                       uint32_t size) BL_NONBLOCKING {
    if (self->is_old) {
        return add_old(self, frame, type, bytes, size);
    }
    LV2_Atom_Sequence *sequence = (LV2_Atom_Sequence *)self->memory;
    uint32_t used = (uint32_t)sizeof(LV2_Atom) + sequence->atom.size;
    if (size > self->capacity) {
        return false;
    }
    uint32_t total = bl_atom_padded((uint32_t)sizeof(LV2_Atom_Event) + size);
    if (total > self->capacity - used) {
        return false;
    }
    LV2_Atom_Event event = {.time.frames = frame, .body = {size, type}};
    memcpy(self->memory + used, &event, sizeof event);
    memcpy(self->memory + used + sizeof event, bytes, size);
    sequence->atom.size += total;
    return true;
}

bool bl_event_port_next(bl_event_port *self, const bl_urids *urids, uint32_t end, int64_t *frame,
                        uint32_t *type, const uint8_t **bytes, uint32_t *size) BL_NONBLOCKING {
    if (self->is_old) {
        LV2_Event event;
        if (self->old.size > self->capacity || self->next + sizeof event > self->old.size) {
            return false;
        }
        memcpy(&event, self->memory + self->next, sizeof event);
        *frame = event.frames;
        *type = event.type;
        *size = event.size;
    } else {
        const LV2_Atom_Sequence *sequence = (const LV2_Atom_Sequence *)self->memory;
        uint32_t first = sizeof(LV2_Atom_Sequence);
        if (sequence->atom.type != urids->atom_sequence ||
            sequence->atom.size > self->capacity - sizeof(LV2_Atom)) {
            return false;
        }
        self->next = self->next < first ? first : self->next;
        LV2_Atom_Event event;
        if (self->next + sizeof event > sizeof(LV2_Atom) + sequence->atom.size) {
            return false;
        }
        memcpy(&event, self->memory + self->next, sizeof event);
        *frame = event.time.frames;
        *type = event.body.type;
        *size = event.body.size;
    }
    uint32_t header = self->is_old ? sizeof(LV2_Event) : sizeof(LV2_Atom_Event);
    if (*frame >= (int64_t)end || *size > self->capacity - header - self->next) {
        return false;
    }
    *bytes = self->memory + self->next + header;
    self->next += bl_atom_padded(header + *size);
    return true;
}

bool bl_event_port_pop(bl_event_port *self, const bl_urids *urids, uint32_t end, uint32_t *frame,
                       const uint8_t **bytes, uint32_t *size) BL_NONBLOCKING {
    int64_t time = 0;
    uint32_t type = 0;
    while (bl_event_port_next(self, urids, end, &time, &type, bytes, size)) {
        if (type == urids->midi_event) {
            *frame = time > 0 ? (uint32_t)time : 0;
            return true;
        }
    }
    return false;
}

static void put_float(bl_atom_object *object, const bl_urids *urids, uint32_t key,
                      double value) BL_NONBLOCKING {
    float number = (float)value;
    bl_atom_object_put(object, key, urids->atom_float, &number, sizeof number);
}

static void put_long(bl_atom_object *object, const bl_urids *urids, uint32_t key,
                     int64_t value) BL_NONBLOCKING {
    bl_atom_object_put(object, key, urids->atom_long, &value, sizeof value);
}

uint32_t bl_write_position(uint8_t bytes[256], const bl_urids *urids,
                           const bl_musical_context *music,
                           const bl_transport_state *transport) BL_NONBLOCKING {
    bl_atom_object object = bl_atom_object_begin(bytes, urids->time_position);
    if (transport != NULL) {
        bool moves = (transport->flags & BL_TRANSPORT_MOVING) != 0;
        put_long(&object, urids, urids->time_frame, transport->sample_position);
        put_float(&object, urids, urids->time_speed, moves ? 1 : 0);
    }
    if (music != NULL) {
        double bar = music->downbeat_position / music->time_signature_numerator;
        int64_t whole = (int64_t)(bar < 0 ? bar - 0.5 : bar + 0.5);
        int32_t unit = music->time_signature_denominator;
        put_long(&object, urids, urids->time_bar, whole);
        put_float(&object, urids, urids->time_bar_beat,
                  music->beat_position - music->downbeat_position);
        bl_atom_object_put(&object, urids->time_beat, urids->atom_double, &music->beat_position,
                           sizeof(double));
        bl_atom_object_put(&object, urids->time_beat_unit, urids->atom_int, &unit, sizeof unit);
        put_float(&object, urids, urids->time_beats_per_bar, music->time_signature_numerator);
        put_float(&object, urids, urids->time_beats_per_minute, music->tempo);
    }
    return object.size;
}
