/* Handles units' notices while they render: publishes the values that they set, and reports
   gestures and log lines to the control side. */
#include <string.h>

#include "cycle/kernel_state.h"
#include "modulation/modulated.h"

/* The most log lines reported for each unit. */
#define LINES_PER_SECOND 10

/* Reports a gesture; its end may use the room that is reserved for important reports. */
static void report_gesture(bl_kernel *kernel, const bl_node *node, bl_notice_type type,
                           const bl_parameter_event *change, float before) BL_NONBLOCKING {
    bl_report report = {.type = BL_REPORT_GESTURE};
    report.gesture = (bl_gesture_report){.node = node->receiver.identifier,
                                         .type = type,
                                         .address = change->address,
                                         .before = before,
                                         .value = change->value};
    if (type == BL_NOTICE_GESTURE_END || bl_kernel_has_report_room(kernel)) {
        bl_ring_push(&kernel->reports, &report);
    }
}

static void publish(bl_kernel *kernel, bl_lowered_node *lowered,
                    const bl_event *event) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bl_receiver *receiver = &node->receiver;
    const bl_event_observer *observer = &kernel->events.observer;
    observer->moved(observer->context, receiver, event->parameter, event->sample_time);
    if (!bl_modulation_move_knob(lowered->modulated, node, event)) {
        uint32_t place = bl_receiver_value_index(receiver, event->parameter.address);
        atomic_store_explicit(&receiver->values[place], event->parameter.value,
                              memory_order_relaxed);
    }
    bl_node_count_change(node);
}

/* Publishes and reports a value, or the value at which a gesture starts or ends. */
static void hear_parameter(bl_kernel *kernel, bl_lowered_node *lowered,
                           const bl_notice *notice) BL_NONBLOCKING {
    const bl_receiver *receiver = &lowered->node->receiver;
    int64_t first = kernel->events.sample_time, last = first + kernel->events.frames - 1;
    int64_t time = notice->sample_time;
    bl_event event = {.sample_time = time < first  ? first
                                     : time > last ? last
                                                   : time,
                      .type = BL_EVENT_PARAMETER};
    bool is_value = notice->type == BL_NOTICE_PARAMETER;
    float before = bl_receiver_value(receiver, notice->address);
    event.parameter =
        (bl_parameter_event){notice->address, is_value ? notice->value : before, 0, false};
    if (bl_receiver_fit(receiver, &event)) {
        if (is_value) {
            publish(kernel, lowered, &event);
        }
        report_gesture(kernel, lowered->node, notice->type, &event.parameter, before);
    }
}

static void hear_line(bl_kernel *kernel, bl_node *node, const char *text) BL_NONBLOCKING {
    bl_report report = {.type = BL_REPORT_LOG};
    report.log.node = node->receiver.identifier;
    report.log.lost = node->lines_lost;
    strncpy(report.log.text, text, sizeof report.log.text - 1);
    int64_t now = kernel->events.sample_time;
    int64_t second = (int64_t)kernel->events.sample_rate;
    /* The host may have jumped back in time. */
    if (now < node->lines_from || now - node->lines_from >= second) {
        node->lines_from = now;
        node->line_count = 0;
    }
    bool is_reported = node->line_count < LINES_PER_SECOND && bl_kernel_has_report_room(kernel) &&
                       bl_ring_push(&kernel->reports, &report);
    node->line_count += is_reported;
    node->lines_lost = is_reported ? 0 : node->lines_lost + 1;
}

void bl_kernel_hear(bl_kernel *kernel, bl_lowered_node *lowered,
                    const bl_notice *notice) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    switch (notice->type) {
    case BL_NOTICE_GESTURE_BEGIN:
    case BL_NOTICE_PARAMETER:
    case BL_NOTICE_GESTURE_END: hear_parameter(kernel, lowered, notice); break;
    case BL_NOTICE_TIMES_CHANGED:
        bl_node_publish_times(node);
        if (node->exceeds_latency) { /* a plain turn does not report it */
            bl_node_make_slow(node);
        }
        break;
    case BL_NOTICE_LOG:
        if (notice->text != NULL) {
            hear_line(kernel, node, notice->text);
        }
        break;
    }
}
