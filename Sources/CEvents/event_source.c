/* The event source: its memory, its scheduling, and its change to another graph. */
#include "event_source.h"

#include <math.h>

/* Slots in the schedule for values that the control side sets; they are due at once, so the slots
   are soon free again. */
#define PARAMETER_RESERVE 256
/* MIDI messages in one stretch. */
#define MOST_MESSAGES_AT_ONCE 8192

void bl_event_source_allocate(bl_event_source *source, bl_arena *arena, uint32_t event_capacity,
                              uint32_t system_exclusive_capacity) {
    bl_midi_memory_allocate(&source->midi, arena,
                            event_capacity < MOST_MESSAGES_AT_ONCE ? event_capacity
                                                                   : MOST_MESSAGES_AT_ONCE);
    bl_schedule_allocate(&source->schedule, arena, event_capacity, PARAMETER_RESERVE);
    bl_system_exclusive_allocate(&source->system_exclusive, arena, system_exclusive_capacity);
    source->frames = 1;
    source->stretch = 1;
}

static bool is_in_plan(const bl_scheduled_event *scheduled, void *opaque) BL_NONBLOCKING {
    bl_event_source *source = opaque;
    const bl_receiver *receiver = scheduled->receiver;
    if (receiver->plan_number == source->plan_number) {
        return true;
    }
    bool is_due = scheduled->event.sample_time <= source->sample_time;
    if (is_due && bl_event_is_bypass(&scheduled->event)) {
        bl_event_source_set_bypass(source, scheduled, source->sample_time);
    }
    bl_system_exclusive_release(&source->system_exclusive, &scheduled->event);
    return false;
}

/* Drops the events of a receiver of the old plan that is not rendered any more. */
static void leave(bl_event_source *source, bl_receiver *receiver) BL_NONBLOCKING {
    if (source->plan == NULL || receiver->plan_number == source->plan_number) {
        bl_midi_remember_ends(&source->midi, receiver, &receiver->events);
    }
    receiver->events = (bl_event_list){0};
}

/* Drops the events of all receivers that are not rendered any more. */
static void leave_old(bl_event_source *source, const bl_event_plan *old) BL_NONBLOCKING {
    bl_receiver *receiver, *kept = NULL;
    while ((receiver = bl_event_source_next_addressed(source)) != NULL) {
        receiver->is_addressed = receiver->plan_number == source->plan_number;
        if (receiver->is_addressed) {
            receiver->next_addressed = kept;
            kept = receiver;
        }
    }
    source->addressed = kept;
    for (uint32_t place = 0; old != NULL && place < old->receiver_count; place += 1) {
        receiver = old->receivers[place];
        if (!bl_event_source_renders(source, receiver)) {
            leave(source, receiver);
        }
    }
}

void bl_event_source_set_plan(bl_event_source *source, bl_event_plan *plan,
                              bl_event_plan *old) BL_NONBLOCKING {
    source->plan = plan;
    leave_old(source, old);
    bl_schedule_filter(&source->schedule, is_in_plan, source);
    bl_midi_set_wiring(source, old != NULL ? &old->midi : NULL);
    if (plan != NULL && old != NULL) {
        bl_controls_continue(&plan->controls, &old->controls);
    }
}

static void set_times(const bl_event_list *list, int64_t sample_time) BL_NONBLOCKING {
    for (bl_event *event = list->first; event != NULL; event = (bl_event *)(uintptr_t)event->next) {
        event->sample_time = sample_time;
    }
}

void bl_event_source_set_time(bl_event_source *source, int64_t sample_time) BL_NONBLOCKING {
    const bl_event_plan *plan = source->plan;
    int64_t back = source->sample_time - sample_time;
    source->sample_time = sample_time;
    if (back == 0 || plan == NULL) {
        return;
    }
    for (const bl_receiver *receiver = source->addressed; receiver != NULL;
         receiver = receiver->next_addressed) {
        set_times(&receiver->events, sample_time);
    }
    for (uint32_t port = 0; port < plan->midi.output_count; port += 1) {
        set_times(&plan->midi.outputs[port], sample_time);
    }
    for (uint32_t place = 0; back > 0 && place < plan->receiver_count; place += 1) {
        plan->receivers[place]->bypass_time -= back;
    }
    if (back > 0) {
        bl_schedule_advance_due(&source->schedule, sample_time + back, back);
    }
}

void bl_event_source_lose(bl_event_source *source, const bl_event *event) BL_NONBLOCKING {
    source->lost += 1;
    if (event != NULL) {
        bl_system_exclusive_release(&source->system_exclusive, event);
    }
}

/* Whether the receiver supports the event, which is adapted to its parameter. */
static bool is_usable(const bl_event_source *source, const bl_receiver *receiver,
                      bl_event *event) BL_NONBLOCKING {
    if (source->plan == NULL || receiver->plan_number != source->plan_number) {
        return false;
    }
    if (bl_event_is_bypass(event)) {
        return !isnan(event->parameter.value);
    }
    if (bl_event_is_parameter(event)) {
        return bl_receiver_fit(receiver, event);
    }
    if (event->type == BL_EVENT_SYSTEM_EXCLUSIVE) {
        return receiver->is_rendered && bl_system_exclusive_owns(&source->system_exclusive, event);
    }
    if (event->type == BL_EVENT_NOTE_EXPRESSION) {
        return receiver->is_rendered && bl_receiver_fit_expression(receiver, &event->expression);
    }
    return event->type == BL_EVENT_MIDI && receiver->is_rendered &&
           bl_midi_event_is_whole(&event->midi);
}

void bl_event_source_schedule(bl_event_source *source, bl_receiver *receiver, bl_event event,
                              bool may_use_reserve, bool is_reported) BL_NONBLOCKING {
    if (event.sample_time <= BL_SAMPLE_TIME_IMMEDIATE_LAST) {
        event.sample_time = source->sample_time + (event.sample_time - BL_SAMPLE_TIME_IMMEDIATE);
    }
    if (event.sample_time < source->sample_time) {
        event.sample_time = source->sample_time;
    }
    is_reported = is_reported && bl_event_is_parameter(&event);
    bool usable = is_usable(source, receiver, &event);
    bool is_bypass = usable && bl_event_is_bypass(&event);
    bool is_due = is_bypass && event.sample_time == source->sample_time;
    if (usable && !is_due &&
        bl_schedule_insert(&source->schedule, receiver, &event, may_use_reserve, is_reported)) {
        return;
    }
    if (is_due || (is_bypass && may_use_reserve)) {
        bl_scheduled_event now = {event, receiver, NULL, source->schedule.arrivals++, is_reported};
        bl_event_source_set_bypass(source, &now, source->sample_time);
    } else {
        bl_event_source_lose(source, &event);
    }
}

float bl_event_source_set(bl_event_source *source, bl_receiver *receiver, bl_parameter_event move,
                          int64_t time, bool is_reported) BL_NONBLOCKING {
    bl_event event = {.sample_time = time, .type = BL_EVENT_PARAMETER_RAMP, .parameter = move};
    if (move.address == BL_CONTROL_BYPASS) {
        bool bypassed = move.value >= 0.5f;
        event.type = BL_EVENT_PARAMETER;
        event.parameter = (bl_parameter_event){BL_CONTROL_BYPASS, bypassed, 0, false};
        bl_event_source_schedule(source, receiver, event, true, is_reported);
        return bypassed;
    }
    uint32_t place = bl_receiver_value_index(receiver, move.address);
    if (place == receiver->value_count || !bl_receiver_fit(receiver, &event)) {
        return move.value;
    }
    receiver->goals[place] =
        bl_receiver_is_momentary(receiver, move.address) ? 0 : event.parameter.value;
    receiver->goals_in[place] = source->stretch;
    bl_event_source_schedule(source, receiver, event, true, is_reported);
    return event.parameter.value;
}
