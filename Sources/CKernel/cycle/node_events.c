/* What nodes do with the events of a stretch before they render, and what makes their turns slow.
 */
#include "cycle/bypass.h"
#include "cycle/kernel_state.h"

void bl_node_make_slow(bl_node *node) BL_NONBLOCKING {
    if (node->turn != NULL) {
        node->turn->is_plain = false;
    }
}

static void publish_bypass(bl_node *node, bool bypassed) BL_NONBLOCKING {
    atomic_store_explicit(&node->changed_bypass, bypassed ? BL_BYPASS_ON : BL_BYPASS_OFF,
                          memory_order_relaxed);
    bl_node_count_change(node);
}

void bl_node_bypass_at_once(bl_node *node, bool bypassed) BL_NONBLOCKING {
    bl_node_set_bypassed(node, bypassed);
    publish_bypass(node, bypassed);
}

/* Takes the bypasses out of a node's list: units do not know of them. */
static void switch_bypass(bl_node *node, int64_t start) BL_NONBLOCKING {
    bl_event_list all = node->receiver.events;
    node->receiver.has_bypass_events = false;
    node->receiver.events = (bl_event_list){0};
    for (bl_event *event = all.first, *next; event != NULL; event = next) {
        next = (bl_event *)(uintptr_t)event->next;
        if (!bl_event_is_bypass(event)) {
            bl_event_list_insert(&node->receiver.events, node->receiver.events.last, event);
            continue;
        }
        bool bypassed = event->parameter.value >= 0.5f;
        if (!node->is_passed) {
            node->is_spilling = atomic_load_explicit(&node->spills, memory_order_acquire);
        }
        if (bypassed || node->is_passed) {
            bl_switch_bypass(node, bypassed, (uint32_t)(event->sample_time - start));
        }
        publish_bypass(node, bypassed);
    }
}

void bl_node_apply_events(bl_node *node) BL_NONBLOCKING {
    const bl_event *events = node->receiver.events.first;
    node->receiver.events = (bl_event_list){0};
    node->receiver.has_bypass_events = false;
    for (const bl_event *event = events; event != NULL; event = event->next) {
        if (bl_event_is_bypass(event)) {
            bl_node_bypass_at_once(node, event->parameter.value >= 0.5f);
        } else if (bl_event_is_parameter(event)) {
            node->receiver.descriptor->set_parameter(node->unit, event->parameter.address,
                                                     event->parameter.value);
        }
    }
    bl_node_publish(node, events, NULL);
}

void bl_kernel_begin_events(bl_kernel *kernel) BL_NONBLOCKING {
    bl_receiver *receiver;
    while ((receiver = bl_event_source_next_addressed(&kernel->events)) != NULL) {
        bl_node *node = bl_node_of(receiver);
        if (!receiver->is_rendered) {
            bl_node_apply_events(node);
            continue;
        }
        if (receiver->has_bypass_events) {
            switch_bypass(node, kernel->events.sample_time);
        }
        bl_node_make_slow(node);
    }
}

void bl_kernel_mark_slow(bl_kernel *kernel) BL_NONBLOCKING {
    bl_receiver *receiver;
    while ((receiver = bl_event_source_next_addressed(&kernel->events)) != NULL) {
        bl_node_make_slow(bl_node_of(receiver));
    }
}

void bl_kernel_choose_slow_turns(bl_kernel *kernel) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    uint32_t added = bl_render_observers_added();
    bool are_slow = graph->fence.listens || kernel->observers_added != added;
    for (uint32_t place = 0; are_slow && place < graph->turn_count; place += 1) {
        graph->turns[place].is_plain = false;
    }
    kernel->observers_added = added;
}
