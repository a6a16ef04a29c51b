/* Makes the lists of a stretch, from the schedule and the MIDI inputs, in order of time, whatever
   the stretches are: the events scheduled for a frame, in the order in which they were scheduled,
   then the messages, each followed by the values it moves. For the order within lists see
   event_list.h. */
#include <math.h>
#include <string.h>

#include "event_source.h"

/* Pieces of work for each frame of a cycle with a deadline, a tenth of its time. A scheduled event,
   a MIDI message and a value of a scene are one piece each. */
#define MOST_WORK_PER_FRAME 16
/* Controls and cables that a message meets for one more piece of work. */
#define MEETINGS_PER_WORK 32

bool bl_midi_read_message(const bl_midi_message *message, bl_event *event) BL_NONBLOCKING {
    if (!bl_midi_is_whole_message(message->data, message->length)) {
        return false;
    }
    if (message->data[0] == BL_SYSTEM_EXCLUSIVE) {
        event->type = BL_EVENT_SYSTEM_EXCLUSIVE;
        event->system_exclusive = (bl_system_exclusive_event){0, message->length, message->data};
    } else {
        event->type = BL_EVENT_MIDI;
        event->midi = (bl_midi_event){0, (uint8_t)message->length, {0}};
        memcpy(event->midi.bytes, message->data, message->length);
    }
    return true;
}

void bl_event_source_spend_work(bl_event_source *source, uint32_t work) BL_NONBLOCKING {
    source->work_left -= source->work_left > work ? work : source->work_left;
}

void bl_event_source_insert(bl_event_source *source, bl_receiver *receiver, bl_event *after,
                            bl_event *event) BL_NONBLOCKING {
    bl_event_list_insert(&receiver->events, after, event);
    if (!receiver->is_addressed) {
        receiver->is_addressed = true;
        receiver->next_addressed = source->addressed;
        source->addressed = receiver;
    }
}

bl_receiver *bl_event_source_next_addressed(bl_event_source *source) BL_NONBLOCKING {
    bl_receiver *receiver = source->addressed;
    if (receiver != NULL) {
        source->addressed = receiver->next_addressed;
        receiver->is_addressed = false;
    }
    return receiver;
}

static void deliver_scheduled(bl_event_source *source) BL_NONBLOCKING {
    bl_scheduled_event *scheduled = bl_schedule_first(&source->schedule);
    bl_event *event = &scheduled->event;
    bl_receiver *receiver = scheduled->receiver;
    bl_schedule_pop(&source->schedule);
    bool is_late = event->sample_time < source->sample_time;
    int64_t time = is_late ? source->sample_time : event->sample_time;
    source->delayed += is_late;
    if (bl_event_is_bypass(event)) {
        bl_event_source_set_bypass(source, scheduled, time);
        return;
    }
    event->sample_time = time;
    if (scheduled->is_reported) {
        source->observer.moved(source->observer.context, receiver, event->parameter, time);
    }
    if (bl_event_is_parameter(event)) {
        bl_event_source_insert(source, receiver, NULL, event);
    } else {
        bl_event_source_insert(source, receiver, receiver->events.last_scheduled, event);
        receiver->events.last_scheduled = event;
    }
}

/* Frees the events of the last stretch and their messages. */
static void recycle(bl_event_source *source) BL_NONBLOCKING {
    for (const bl_scheduled_event *popped = source->schedule.popped_slots; popped != NULL;
         popped = popped->next) {
        bl_system_exclusive_release(&source->system_exclusive, &popped->event);
    }
    bl_schedule_recycle(&source->schedule);
}

/* Delivers a message, or loses it without room for work; a lost end of a note comes in the next
   stretch. */
static void deliver_message(bl_event_source *source, const bl_midi_message *message,
                            int64_t sample_time) BL_NONBLOCKING {
    bl_event event = {.sample_time = sample_time};
    if (!bl_midi_read_message(message, &event)) {
        return;
    }
    source->observer.arrived(source->observer.context, message->port, &event);
    if (source->work_left == 0) {
        bl_event_source_lose(source, NULL);
        bl_midi_lose_input(source, message->port, &event);
        return;
    }
    uint32_t meetings = source->plan->controls.control_count + source->plan->midi.input_cable_count;
    bl_event_source_spend_work(source, 1 + meetings / MEETINGS_PER_WORK);
    if (!bl_controls_apply(source, message->port, &event)) {
        bl_midi_send_input(source, message->port, &event);
    }
}

/* The cycle's next message; false if there is none. */
static bool next_message(bl_incoming *incoming, bl_midi_message *message) BL_NONBLOCKING {
    if (incoming->next != incoming->end) {
        *message = *incoming->next;
        return true;
    }
    while (incoming->event != NULL && !bl_event_is_midi(incoming->event)) {
        incoming->event = incoming->event->next;
    }
    const bl_event *event = incoming->event;
    if (event == NULL) {
        return false;
    }
    int64_t frame = event->sample_time - incoming->start;
    *message = bl_event_message(event);
    message->frame = frame > 0 ? (uint32_t)frame : 0;
    return true;
}

static void pass_message(bl_incoming *incoming) BL_NONBLOCKING {
    if (incoming->next != incoming->end) {
        incoming->next += 1;
    } else {
        incoming->event = incoming->event->next;
    }
}

void bl_event_source_collect(bl_event_source *source, const bl_event_stretch *stretch,
                             bl_incoming *incoming) BL_NONBLOCKING {
    int64_t end = source->sample_time + stretch->frames;
    source->frames = stretch->frames;
    source->work_left = stretch->has_deadline ? stretch->frames * MOST_WORK_PER_FRAME : UINT32_MAX;
    recycle(source);
    if (source->midi.owes_ends) {
        bl_midi_end_remembered(source);
    }
    bl_lanes_follow(source, stretch);
    for (;;) {
        const bl_scheduled_event *scheduled =
            source->work_left > 0 ? bl_schedule_first(&source->schedule) : NULL;
        bl_midi_message message;
        bool has_message = next_message(incoming, &message);
        int64_t message_time = has_message ? incoming->start + message.frame : end;
        bool is_scheduled = scheduled != NULL && scheduled->event.sample_time < end &&
                            scheduled->event.sample_time <= message_time;
        if (is_scheduled) {
            deliver_scheduled(source);
            bl_event_source_spend_work(source, 1);
        } else if (message_time < end) {
            deliver_message(source, &message, message_time);
            pass_message(incoming);
        } else {
            return;
        }
    }
}
