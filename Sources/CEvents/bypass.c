/* Bypass of MIDI, which units do not see: MIDI is forwarded past a bypassed unit, from the frame of
   the bypass on. */
#include "event_source.h"

/* Ends the notes that a unit has received, if it is bypassed now, and those sent by it or forwarded
   past it. */
static void switch_midi(bl_event_source *source, bl_receiver *receiver,
                        int64_t time) BL_NONBLOCKING {
    if (receiver->bypassed) {
        bl_midi_end_received(source, receiver, (bl_midi_end){time, false});
    }
    for (uint32_t index = 0; index < source->plan->midi.cable_count; index += 1) {
        bl_lowered_midi_cable *cable = &source->plan->midi.cables[index];
        if (cable->source == receiver) {
            bl_midi_end_later(source, cable, (bl_midi_end){time, false});
        }
    }
}

void bl_event_source_set_bypass(bl_event_source *source, const bl_scheduled_event *scheduled,
                                int64_t time) BL_NONBLOCKING {
    const bl_event *event = &scheduled->event;
    bl_receiver *receiver = scheduled->receiver;
    bool came_before = (int32_t)(scheduled->arrival - receiver->bypass_arrival) < 0;
    if (came_before && event->sample_time <= receiver->bypass_time) {
        return;
    }
    if (scheduled->is_reported) {
        source->observer.moved(source->observer.context, receiver, event->parameter, time);
    }
    bool bypassed = event->parameter.value >= 0.5f, changes = receiver->bypassed != bypassed;
    receiver->bypassed = bypassed;
    receiver->bypass_time = event->sample_time;
    receiver->bypass_arrival = scheduled->arrival;
    if (changes && bl_event_source_renders(source, receiver)) {
        switch_midi(source, receiver, time);
    }
    source->observer.bypassed(source->observer.context, receiver, bypassed, time);
}

void bl_midi_start_sending(bl_event_source *source, const bl_midi_sender *sender) BL_NONBLOCKING {
    for (uint32_t index = 0; index < sender->cable_count; index += 1) {
        bl_lowered_midi_cable *cable = &sender->cables[index];
        cable->next_passed = cable->source->events.first;
        /* The bypass was set by the control side. */
        if (cable->end_count == 0 && cable->is_passed != cable->source->bypassed) {
            bl_midi_end_later(source, cable, (bl_midi_end){source->sample_time, false});
        }
    }
}

void bl_midi_pass_until(bl_event_source *source, bl_lowered_midi_cable *cable,
                        int64_t time) BL_NONBLOCKING {
    const bl_event *event = cable->next_passed;
    for (; event != NULL && event->sample_time < time; event = event->next) {
        if (!cable->is_passed || !bl_event_is_midi(event)) {
            continue;
        }
        uint32_t number = bl_event_message(event).port, last = cable->source->midi_output_count - 1;
        if ((number < last ? number : last) == cable->source_cable &&
            bl_midi_admits(cable, event)) {
            bl_midi_carry(source, cable, event, source->midi.event_capacity);
        }
    }
    cable->next_passed = event;
}
