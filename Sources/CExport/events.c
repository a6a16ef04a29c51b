/* Atom sequences: MIDI and time from the host, MIDI to the host. */
#include <lv2/atom/util.h>
#include <lv2/midi/midi.h>
#include <lv2/patch/patch.h>
#include <lv2/time/time.h>

#include "instance.h"
#include "work.h"

void bl_export_map_uris(bl_export_urids *urids, LV2_URID_Map *map) {
    if (map == NULL) {
        return;
    }
    *urids = (bl_export_urids){
        .sequence = map->map(map->handle, LV2_ATOM__Sequence),
        .object = map->map(map->handle, LV2_ATOM__Object),
        .blank = map->map(map->handle, LV2_ATOM__Blank),
        .integer = map->map(map->handle, LV2_ATOM__Int),
        .long_integer = map->map(map->handle, LV2_ATOM__Long),
        .real = map->map(map->handle, LV2_ATOM__Float),
        .double_real = map->map(map->handle, LV2_ATOM__Double),
        .path = map->map(map->handle, LV2_ATOM__Path),
        .string = map->map(map->handle, LV2_ATOM__String),
        .urid = map->map(map->handle, LV2_ATOM__URID),
        .set = map->map(map->handle, LV2_PATCH__Set),
        .property = map->map(map->handle, LV2_PATCH__property),
        .value = map->map(map->handle, LV2_PATCH__value),
        .midi_event = map->map(map->handle, LV2_MIDI__MidiEvent),
        .trace = map->map(map->handle, LV2_LOG__Trace),
        .position = map->map(map->handle, LV2_TIME__Position),
        .frame = map->map(map->handle, LV2_TIME__frame),
        .speed = map->map(map->handle, LV2_TIME__speed),
        .bar = map->map(map->handle, LV2_TIME__bar),
        .bar_beat = map->map(map->handle, LV2_TIME__barBeat),
        .beat = map->map(map->handle, LV2_TIME__beat),
        .beat_unit = map->map(map->handle, LV2_TIME__beatUnit),
        .beats_per_bar = map->map(map->handle, LV2_TIME__beatsPerBar),
        .beats_per_minute = map->map(map->handle, LV2_TIME__beatsPerMinute),
    };
}

/* The event at a place of the sequence; NULL at its end. */
static const LV2_Atom_Event *event_at(const LV2_Atom_Sequence *sequence,
                                      const LV2_Atom_Event *place) BL_NONBLOCKING {
    bool is_end = lv2_atom_sequence_is_end(&sequence->body, sequence->atom.size, place);
    return is_end ? NULL : place;
}

void bl_events_begin(bl_export_instance *self) BL_NONBLOCKING {
    uint32_t input = 0, output = 0;
    for (uint32_t index = 0; index < self->plug_in->port_count; index += 1) {
        bl_port_kind kind = self->plug_in->ports[index].kind;
        LV2_Atom_Sequence *sequence = self->connected[index];
        if (kind == BL_PORT_EVENT_INPUT) {
            bool is_there = sequence != NULL && self->urids.sequence != 0 &&
                            sequence->atom.type == self->urids.sequence &&
                            sequence->atom.size >= sizeof sequence->body;
            bl_event_reader *reader = &self->event_inputs[input++];
            reader->sequence = is_there ? sequence : NULL;
            reader->next =
                is_there ? event_at(sequence, lv2_atom_sequence_begin(&sequence->body)) : NULL;
        } else if (kind == BL_PORT_EVENT_OUTPUT) {
            bool is_there = sequence != NULL && self->urids.sequence != 0 &&
                            sequence->atom.size >= sizeof sequence->body;
            self->event_outputs[output] = is_there ? sequence : NULL;
            if (is_there) {
                self->event_capacities[output] = sequence->atom.size;
                sequence->atom = (LV2_Atom){sizeof sequence->body, self->urids.sequence};
                sequence->body = (LV2_Atom_Sequence_Body){0, 0};
            }
            output += 1;
        }
    }
}

/* The event's object; NULL for an event of another type. */
static const LV2_Atom_Object *object_of(const bl_export_instance *self,
                                        const LV2_Atom_Event *event) BL_NONBLOCKING {
    bool is_object =
        event->body.type == self->urids.object || event->body.type == self->urids.blank;
    return is_object ? (const LV2_Atom_Object *)&event->body : NULL;
}

uint32_t bl_events_follow_time(bl_export_instance *self, uint32_t end) BL_NONBLOCKING {
    const bl_event_reader *reader = &self->event_inputs[0];
    if (self->event_input_count == 0) {
        return end;
    }
    for (const LV2_Atom_Event *event = reader->next; event != NULL;
         event = event_at(reader->sequence, lv2_atom_sequence_next(event))) {
        if (event->time.frames >= (int64_t)end) {
            return end;
        }
        const LV2_Atom_Object *object = object_of(self, event);
        if (object == NULL || object->body.otype != self->urids.position) {
            continue;
        }
        if (event->time.frames > (int64_t)self->first_frame) {
            return (uint32_t)event->time.frames;
        }
        /* Positions of earlier cycles have been passed: they lie before `next`. */
        bl_clock_follow(&self->clock, &self->urids, object);
    }
    return end;
}

/* The input whose next event is the earliest before `end`; NULL if there is none. */
static bl_event_reader *earliest(bl_export_instance *self, uint32_t end,
                                 uint32_t *port) BL_NONBLOCKING {
    bl_event_reader *found = NULL;
    int64_t time = end;
    for (uint32_t input = 0; input < self->event_input_count; input += 1) {
        bl_event_reader *reader = &self->event_inputs[input];
        if (reader->next != NULL && reader->next->time.frames < time) {
            found = reader;
            time = reader->next->time.frames;
            *port = input;
        }
    }
    return found;
}

uint32_t bl_events_collect(bl_export_instance *self, uint32_t end) BL_NONBLOCKING {
    uint32_t count = 0, port = 0;
    bl_event_reader *reader = NULL;
    while (count < BL_MOST_MESSAGES && (reader = earliest(self, end, &port)) != NULL) {
        const LV2_Atom_Event *event = reader->next;
        const LV2_Atom_Object *object = object_of(self, event);
        if (object != NULL) {
            bl_work_follow_message(self, object);
        }
        int64_t frame = event->time.frames - (int64_t)self->first_frame;
        if (event->body.type == self->urids.midi_event &&
            port < self->plug_in->plan.graph.midi_input_count) {
            self->messages[count++] =
                (bl_midi_message){port, frame > 0 ? (uint32_t)frame : 0, event->body.size,
                                  (const uint8_t *)(event + 1)};
        }
        reader->next = event_at(reader->sequence, lv2_atom_sequence_next(event));
    }
    return count;
}

bool bl_events_send(void *context, const bl_midi_message *message) BL_NONBLOCKING {
    bl_export_instance *self = context;
    LV2_Atom_Sequence *sequence =
        message->port < self->event_output_count ? self->event_outputs[message->port] : NULL;
    if (sequence == NULL) {
        return false;
    }
    uint32_t used = sequence->atom.size;
    uint32_t needed = lv2_atom_pad_size((uint32_t)sizeof(LV2_Atom_Event) + message->length);
    uint32_t capacity = self->event_capacities[message->port];
    if (used > capacity || needed > capacity - used) {
        return false;
    }
    LV2_Atom_Event *event = lv2_atom_sequence_end(&sequence->body, used);
    event->time.frames = self->first_frame + message->frame;
    event->body = (LV2_Atom){message->length, self->urids.midi_event};
    memcpy(event + 1, message->data, message->length);
    sequence->atom.size += needed;
    return true;
}
