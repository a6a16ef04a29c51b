/* Bypass: units do not know of it. */
#include "event_source.h"

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
    bool bypassed = event->parameter.value >= 0.5f;
    if (bypassed && !receiver->bypassed && receiver->is_rendered &&
        receiver->plan_number == source->plan_number) {
        bl_midi_end_received(source, receiver, (bl_midi_end){time, false});
    }
    receiver->bypassed = bypassed;
    receiver->bypass_time = event->sample_time;
    receiver->bypass_arrival = scheduled->arrival;
    source->observer.bypassed(source->observer.context, receiver, bypassed, time);
}
