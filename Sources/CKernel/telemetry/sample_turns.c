#include "cycle/render.h"

void bl_sample_turns(bl_graph *graph, uint32_t frames) BL_NONBLOCKING {
    graph->sample_credit += graph->turn_count * frames;
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
