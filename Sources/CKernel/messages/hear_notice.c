/* What units notify while they render: publishes the values that they set, and reports gestures and
   lines for the log to the control side. */
#include <string.h>

#include "cycle/kernel_state.h"
#include "modulation/modulated.h"

/* How often each unit's lines for the log are reported at most. */
#define LINES_PER_SECOND 10

static void report_gesture(bl_kernel *kernel, const bl_node *node, const bl_notice *notice,
                           float before) BL_NONBLOCKING {
    bl_report report = {.type = BL_REPORT_GESTURE};
    report.gesture = (bl_gesture_report){.node = node->receiver.identifier,
                                         .type = notice->type,
                                         .address = notice->address,
                                         .before = before,
                                         .value = notice->value};
    bl_ring_push(&kernel->reports, &report);
}

static void hear_value(bl_kernel *kernel, bl_lowered_node *lowered,
                       const bl_notice *notice) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bl_receiver *receiver = &node->receiver;
    bl_event event = {.sample_time = notice->sample_time, .type = BL_EVENT_PARAMETER};
    event.parameter = (bl_parameter_event){notice->address, notice->value, 0, false};
    if (!bl_receiver_fit(receiver, &event)) {
        return;
    }
    float before = bl_receiver_value(receiver, notice->address);
    const bl_event_observer *observer = &kernel->events.observer;
    observer->moved(observer->context, receiver, event.parameter, event.sample_time);
    if (!bl_modulation_move_knob(lowered->modulated, node, &event)) {
        uint32_t place = bl_receiver_value_index(receiver, notice->address);
        atomic_store_explicit(&receiver->values[place], event.parameter.value,
                              memory_order_relaxed);
    }
    bl_node_count_change(node);
    if (node->gesture_count > 0 && bl_kernel_has_report_room(kernel)) {
        report_gesture(kernel, node, notice, before);
    }
}

static void hear_line(bl_kernel *kernel, bl_node *node, const bl_notice *notice) BL_NONBLOCKING {
    bl_report report = {.type = BL_REPORT_LOG};
    report.log.node = node->receiver.identifier;
    report.log.lost = node->lines_lost;
    strncpy(report.log.text, notice->text, sizeof report.log.text - 1);
    int64_t now = kernel->events.sample_time;
    bool is_due = now >= node->next_line && bl_kernel_has_report_room(kernel);
    if (!is_due || !bl_ring_push(&kernel->reports, &report)) {
        node->lines_lost += 1;
        return;
    }
    node->lines_lost = 0;
    node->next_line = now + (int64_t)(kernel->events.sample_rate / LINES_PER_SECOND);
}

void bl_kernel_hear(bl_kernel *kernel, bl_lowered_node *lowered,
                    const bl_notice *notice) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    float value = bl_receiver_value(&node->receiver, notice->address);
    switch (notice->type) {
    case BL_NOTICE_GESTURE_BEGIN:
        node->gesture_count += 1;
        report_gesture(kernel, node, notice, value);
        break;
    case BL_NOTICE_PARAMETER: hear_value(kernel, lowered, notice); break;
    case BL_NOTICE_GESTURE_END:
        node->gesture_count -= node->gesture_count > 0;
        report_gesture(kernel, node, notice, value);
        break;
    case BL_NOTICE_TIMES_CHANGED:
        bl_node_publish_times(node);
        if (node->exceeds_latency) { /* which a plain turn does not report */
            bl_node_make_slow(node);
        }
        break;
    case BL_NOTICE_LOG:
        if (notice->text != NULL) {
            hear_line(kernel, node, notice);
        }
        break;
    }
}
