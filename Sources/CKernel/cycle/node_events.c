/* Applies events of nodes before they render, and finds the turns that they make slow. */
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

/* Bypasses or reactivates a node from a frame of this stretch until its next switch; switches are
   set in order of time. */
static void switch_bypass(bl_node *node, bool bypassed, uint32_t frame) BL_NONBLOCKING {
    uint32_t count = node->switch_count;
    bool is_later = count == 0 || node->switches[count - 1].frame < frame;
    if (is_later && count < BL_MOST_SWITCHES) {
        node->switches[count] = (bl_bypass_switch){frame, bypassed};
        node->switch_count += 1;
    } else {
        node->switches[count - 1].bypassed = bypassed;
    }
    node->is_passed = node->is_passed || bypassed;
}

void bl_kernel_bypass(void *opaque, bl_receiver *receiver, bool bypassed,
                      int64_t time) BL_NONBLOCKING {
    const bl_kernel *kernel = opaque;
    bl_node *node = bl_node_of(receiver);
    if (!bl_event_source_renders(&kernel->events, receiver)) {
        bl_node_set_bypassed(node, bypassed);
    } else {
        if (!node->is_passed) {
            node->is_spilling = atomic_load_explicit(&node->spills, memory_order_acquire);
        }
        if (bypassed || node->is_passed) {
            switch_bypass(node, bypassed, (uint32_t)(time - kernel->events.sample_time));
        }
        bl_node_make_slow(node);
    }
    publish_bypass(node, bypassed);
}

/* Applies at once the list of a node that no output pulls. */
static void apply_events(bl_node *node) BL_NONBLOCKING {
    const bl_event *events = node->receiver.events.first;
    node->receiver.events = (bl_event_list){0};
    for (const bl_event *event = events; event != NULL; event = event->next) {
        if (bl_event_is_parameter(event)) {
            node->receiver.descriptor->set_parameter(node->unit, event->parameter.address,
                                                     event->parameter.value);
        }
    }
    bl_node_publish(node, bl_node_publish_events(node, events, NULL), NULL);
}

void bl_kernel_apply_event_lists(bl_kernel *kernel) BL_NONBLOCKING {
    bl_receiver *receiver;
    while ((receiver = bl_event_source_next_addressed(&kernel->events)) != NULL) {
        bl_node *node = bl_node_of(receiver);
        if (receiver->is_rendered) {
            bl_node_make_slow(node);
        } else {
            apply_events(node);
        }
    }
}

/* Selects turns to be timed, each about once in BL_TIMING_INTERVAL frames, a few in each
   stretch. */
static void sample_turns(bl_graph *graph) BL_NONBLOCKING {
    graph->sample_credit += graph->turn_count * graph->stretch.frames;
    uint32_t due = graph->sample_credit / BL_TIMING_INTERVAL;
    graph->sample_credit %= BL_TIMING_INTERVAL;
    due = due < graph->turn_count ? due : graph->turn_count;
    for (; due > 0; due -= 1) {
        bl_turn *turn = &graph->turns[graph->next_sampled];
        turn->lowered->is_sampled = true;
        turn->is_plain = false;
        graph->next_sampled = (graph->next_sampled + 1) % graph->turn_count;
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
    sample_turns(graph);
}
