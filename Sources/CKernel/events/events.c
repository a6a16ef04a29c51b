/* Gives each unit its events, from the schedule and the MIDI inputs, in order of time, whatever the
   stretches are. At one frame: what is scheduled, in the order in which it was scheduled (bypasses,
   with the ends of the notes that they cut, parameters, and MIDI for one unit); then the messages,
   in their order, each followed by what it moves; then what other units send. The end of a note
   goes before the notes of other cables that begin at its frame (midi_cables.c). */

#include <math.h>
#include <string.h>

#include "cycle/kernel_state.h"

/* Work for each frame of a cycle with a deadline, a tenth of its time: a scheduled event, a MIDI
   message and a value of a scene are one piece each. */
#define MOST_WORK_PER_FRAME 16
/* Controls and cables that a message meets for one more piece of work. */
#define MEETINGS_PER_WORK 32

/* A switch or a choice, whose values are whole numbers. */
static bool is_whole(const bl_parameter_info *info) BL_NONBLOCKING {
    return info->unit == BL_UNIT_INDEXED || info->unit == BL_UNIT_BOOLEAN;
}

bool bl_node_fit(const bl_node *node, bl_event *event) BL_NONBLOCKING {
    const bl_unit_descriptor *descriptor = node->descriptor;
    uint32_t index = BL_PARAMETER_INDEX(event->parameter.address);
    uint32_t bus = BL_PARAMETER_INPUT_BUS(event->parameter.address);
    if (index >= descriptor->parameter_count || isnan(event->parameter.value)) {
        return false;
    }
    const bl_parameter_info *info = &descriptor->parameters[index];
    bool is_template = (info->flags & BL_PARAMETER_PER_INPUT_BUS) != 0;
    if ((info->flags & BL_PARAMETER_WRITABLE) == 0 ||
        (bus > 0 && (!is_template || bus >= node->input_count))) {
        return false;
    }
    float *value = &event->parameter.value;
    *value = *value < info->minimum ? info->minimum : *value;
    *value = *value > info->maximum ? info->maximum : *value;
    *value = is_whole(info) ? floorf(*value + 0.5f) : *value;
    if (event->parameter.ramp_duration > BL_LONGEST_RAMP) {
        event->parameter.ramp_duration = BL_LONGEST_RAMP;
    }
    if ((info->flags & BL_PARAMETER_RAMPABLE) == 0 || is_whole(info) ||
        event->parameter.ramp_duration == 0) {
        event->type = BL_EVENT_PARAMETER;
        event->parameter.ramp_duration = 0;
    }
    return true;
}

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

void bl_kernel_count_lost(bl_kernel *kernel, const bl_event *event) BL_NONBLOCKING {
    kernel->events_lost += 1;
    if (event != NULL) {
        bl_system_exclusive_release(&kernel->system_exclusive, event);
    }
}

static bool is_bypass(const bl_event *event) BL_NONBLOCKING {
    return bl_event_is_parameter(event) && event->parameter.address == BL_CONTROL_BYPASS;
}

/* Whether the event can be scheduled and its node accepts it. */
static bool is_usable(const bl_kernel *kernel, const bl_node *node,
                      bl_event *event) BL_NONBLOCKING {
    if (is_bypass(event)) {
        return !isnan(event->parameter.value);
    }
    if (bl_event_is_parameter(event)) {
        return bl_node_fit(node, event);
    }
    if (event->type == BL_EVENT_SYSTEM_EXCLUSIVE) {
        return node->is_rendered && bl_system_exclusive_owns(&kernel->system_exclusive, event);
    }
    return event->type == BL_EVENT_MIDI && node->is_rendered &&
           bl_midi_event_is_whole(&event->midi);
}

void bl_kernel_schedule(bl_kernel *kernel, bl_node *node, bl_event event, bool may_use_reserve,
                        bool is_reported) BL_NONBLOCKING {
    if (event.sample_time <= BL_SAMPLE_TIME_IMMEDIATE_LAST) {
        event.sample_time = kernel->sample_time + (event.sample_time - BL_SAMPLE_TIME_IMMEDIATE);
    }
    if (event.sample_time < kernel->sample_time) {
        event.sample_time = kernel->sample_time;
    }
    bool usable = kernel->graph != NULL && node->graph_serial == kernel->graph_serial &&
                  is_usable(kernel, node, &event);
    is_reported = is_reported && bl_event_is_parameter(&event);
    if (!usable ||
        !bl_schedule_insert(&kernel->schedule, node, &event, may_use_reserve, is_reported)) {
        bl_kernel_count_lost(kernel, &event);
    }
}

/* Gives a node an event that is due; a unit that is not rendered gets parameter changes only. */
static void deliver_scheduled(bl_kernel *kernel, int64_t earliest) BL_NONBLOCKING {
    bl_scheduled_event *scheduled = bl_schedule_first(&kernel->schedule);
    bl_event *event = &scheduled->event;
    bl_node *node = scheduled->node;
    if (event->sample_time < earliest) {
        event->sample_time = earliest;
        kernel->events_delayed += 1;
    }
    if (scheduled->is_reported) {
        bl_kernel_report_move(kernel, node, event->parameter, event->sample_time);
    }
    if (is_bypass(event)) {
        bl_kernel_set_bypass(kernel, node, event->parameter.value >= 0.5f,
                             (uint32_t)(event->sample_time - kernel->sample_time));
    } else if (node->is_rendered) {
        bl_node_append_event(node, event);
    } else if (bl_event_is_parameter(event)) {
        node->descriptor->set_parameter(node->unit, event->parameter.address,
                                        event->parameter.value);
        event->next = NULL;
        bl_node_publish(node, event, NULL);
    }
    bl_schedule_pop(&kernel->schedule);
}

/* Frees the events of the last cycle and their messages. */
static void recycle(bl_kernel *kernel) BL_NONBLOCKING {
    for (const bl_scheduled_event *popped = kernel->schedule.popped_slots; popped != NULL;
         popped = popped->next) {
        bl_system_exclusive_release(&kernel->system_exclusive, &popped->event);
    }
    bl_schedule_recycle(&kernel->schedule);
}

void bl_kernel_note_work(bl_kernel *kernel, uint32_t work) BL_NONBLOCKING {
    kernel->work_left -= kernel->work_left > work ? work : kernel->work_left;
}

/* Without room for work the message is lost; the end of a note comes in the next cycle. */
static void deliver_message(bl_kernel *kernel, const bl_midi_message *message,
                            int64_t sample_time) BL_NONBLOCKING {
    bl_event event = {.sample_time = sample_time};
    if (!bl_midi_read_message(message, &event)) {
        return;
    }
    bl_kernel_note_midi(kernel, message->port, &event);
    if (kernel->work_left == 0) {
        bl_kernel_count_lost(kernel, NULL);
        bl_midi_lose_input(kernel->graph, message->port, &event);
        return;
    }
    uint32_t meetings =
        kernel->graph->controls.control_count + kernel->graph->midi.input_cable_count;
    bl_kernel_note_work(kernel, 1 + meetings / MEETINGS_PER_WORK);
    if (!bl_controls_apply(kernel, message->port, &event)) {
        bl_midi_send_input(kernel->graph, message->port, &event);
    }
}

/* The cycle's next message, of its array and then of its events; false where there is none. */
static bool next_message(const bl_cycle *cycle, bl_message_place *place, int64_t cycle_start,
                         bl_midi_message *message) BL_NONBLOCKING {
    if (place->index < cycle->midi_count) {
        *message = cycle->midi[place->index];
        return true;
    }
    while (place->event != NULL && bl_event_is_parameter(place->event)) {
        place->event = place->event->next;
    }
    const bl_event *event = place->event;
    if (event == NULL) {
        return false;
    }
    bool is_short = event->type == BL_EVENT_MIDI;
    int64_t frame = event->sample_time - cycle_start;
    *message =
        (bl_midi_message){.port = is_short ? event->midi.cable : event->system_exclusive.cable,
                          .frame = frame > 0 ? (uint32_t)frame : 0,
                          .length = is_short ? event->midi.length : event->system_exclusive.length,
                          .data = is_short ? event->midi.bytes : event->system_exclusive.data};
    return true;
}

static void pass_message(const bl_cycle *cycle, bl_message_place *place) BL_NONBLOCKING {
    if (place->index < cycle->midi_count) {
        place->index += 1;
    } else {
        place->event = place->event->next;
    }
}

void bl_kernel_collect_events(bl_kernel *kernel, const bl_cycle *cycle, uint32_t offset,
                              uint32_t frames, bl_message_place *place) BL_NONBLOCKING {
    int64_t start = kernel->sample_time;
    int64_t end = start + frames;
    bool has_deadline = (cycle->flags & BL_RENDER_OFFLINE) == 0;
    kernel->work_left = has_deadline ? frames * MOST_WORK_PER_FRAME : UINT32_MAX;
    recycle(kernel);
    for (;;) {
        const bl_scheduled_event *scheduled =
            kernel->work_left > 0 ? bl_schedule_first(&kernel->schedule) : NULL;
        bl_midi_message message;
        bool has_message = next_message(cycle, place, start - offset, &message);
        int64_t message_time = has_message ? start + (int64_t)message.frame - (int64_t)offset : end;
        bool is_scheduled = scheduled != NULL && scheduled->event.sample_time < end &&
                            scheduled->event.sample_time <= message_time;
        if (is_scheduled) {
            deliver_scheduled(kernel, start);
            bl_kernel_note_work(kernel, 1);
        } else if (message_time < end) {
            deliver_message(kernel, &message, message_time);
            pass_message(cycle, place);
        } else {
            return;
        }
    }
}
