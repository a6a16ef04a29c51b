#include "event_list.h"

bl_midi_message bl_event_message(const bl_event *event) BL_NONBLOCKING {
    if (event->type == BL_EVENT_MIDI) {
        const bl_midi_event *midi = &event->midi;
        return (bl_midi_message){midi->cable, 0, midi->length, midi->bytes};
    }
    const bl_system_exclusive_event *exclusive = &event->system_exclusive;
    return (bl_midi_message){exclusive->cable, 0, exclusive->length, exclusive->data};
}

bool bl_event_is_pedal(const bl_event *event) BL_NONBLOCKING {
    const uint8_t *bytes = event->midi.bytes;
    return event->type == BL_EVENT_MIDI && (bytes[0] & 0xF0) == BL_CONTROLLER &&
           (bytes[1] == BL_SUSTAIN_PEDAL || bytes[1] == BL_SOSTENUTO_PEDAL);
}

bool bl_event_ends_note(const bl_event *event) BL_NONBLOCKING {
    return event->type == BL_EVENT_MIDI &&
           (bl_midi_is_note_off(&event->midi) ||
            (bl_event_is_pedal(event) && event->midi.bytes[2] < 64));
}

/* Whether an event stays before another that is inserted later. */
static bool stays_before(const bl_event *event, const bl_event *other) BL_NONBLOCKING {
    if (event->sample_time != other->sample_time) {
        return event->sample_time < other->sample_time;
    }
    if (bl_event_is_parameter(event) != bl_event_is_parameter(other)) {
        return bl_event_is_parameter(event);
    }
    bool begins = event->type == BL_EVENT_MIDI && bl_midi_is_note_on(&event->midi);
    return !begins || !bl_event_ends_note(other);
}

/* The event after which the search for a place starts; NULL for the list's start. */
static bl_event *find_start(const bl_event_list *list, bl_event *after,
                            const bl_event *event) BL_NONBLOCKING {
    bl_event *last = list->last;
    bool comes_last = last == NULL || last->sample_time < event->sample_time ||
                      (stays_before(last, event) && !bl_event_ends_note(event));
    if (comes_last) {
        return last;
    }
    if (!bl_event_is_parameter(event)) {
        return after;
    }
    bl_event *former = list->last_parameter;
    return former != NULL && stays_before(former, event) ? former : NULL;
}

void bl_event_list_insert(bl_event_list *list, bl_event *after, bl_event *event) BL_NONBLOCKING {
    bl_event *place = find_start(list, after, event);
    bl_event *next = place != NULL ? (bl_event *)(uintptr_t)place->next : list->first;
    while (next != NULL && stays_before(next, event)) {
        place = next;
        next = (bl_event *)(uintptr_t)next->next;
    }
    event->next = next;
    list->last = next == NULL ? event : list->last;
    if (bl_event_is_parameter(event) &&
        (list->last_parameter == NULL || stays_before(list->last_parameter, event))) {
        list->last_parameter = event;
    }
    if (place == NULL) {
        list->first = event;
    } else {
        place->next = event;
    }
}

#if defined(DEBUG) || __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
void bl_event_list_check(const bl_event_list *list) BL_NONBLOCKING {
    for (const bl_event *event = list->first; event != NULL && event->next != NULL;
         event = event->next) {
        if (event->sample_time > event->next->sample_time ||
            (event->sample_time == event->next->sample_time && !bl_event_is_parameter(event) &&
             bl_event_is_parameter(event->next))) {
            __builtin_trap();
        }
    }
}
#else
void bl_event_list_check(const bl_event_list *list) BL_NONBLOCKING { (void)list; }
#endif
