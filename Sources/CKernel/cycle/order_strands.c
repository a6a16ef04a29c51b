/* Orders the strands by the last measured times of their units, so that the threads, which take
   them in this order, rarely wait. */
#include "cycle/render.h"

/* The most strands that are reordered: the search uses a bit for each. More keep their order by
   levels. */
#define MOST_STRANDS 64

/* Finds the time of each strand, and of the longest path from its start to the end of all; returns
   the sum of the strands' times. */
static uint64_t measure(const bl_graph *graph) BL_NONBLOCKING {
    uint64_t sum = 0;
    for (uint32_t place = 0; place < graph->strand_count; place += 1) {
        bl_strand *strand = &graph->strands[place];
        strand->ticks = 0;
        for (uint32_t turn = strand->first; turn < strand->end; turn += 1) {
            strand->ticks += graph->turns[turn].lowered->node->recent_ticks;
        }
        strand->way = strand->ticks;
        strand->source_set = 0;
        sum += strand->ticks;
    }
    for (uint32_t place = graph->strand_count; place > 0; place -= 1) {
        bl_strand *strand = &graph->strands[place - 1];
        for (uint32_t index = 0; index < strand->source_count; index += 1) {
            strand->source_set |= UINT64_C(1) << strand->sources[index] % MOST_STRANDS;
            bl_strand *source = &graph->strands[strand->sources[index]];
            uint64_t way = source->ticks + strand->way;
            source->way = way > source->way ? way : source->way;
        }
    }
    return sum;
}

/* The time at which a thread that is free at `time` can start a strand, once its sources are
   taken. */
static uint64_t start_of(const bl_graph *graph, const bl_strand *strand,
                         uint64_t time) BL_NONBLOCKING {
    for (uint32_t index = 0; index < strand->source_count; index += 1) {
        uint64_t ends_at = graph->strands[strand->sources[index]].ends_at;
        time = ends_at > time ? ends_at : time;
    }
    return time;
}

/* Finds the strand, out of a set, that a thread that is free at a time can start first; among
   equals, the one with the longest path to the end. */
static uint32_t find_next(const bl_graph *graph, uint64_t untaken, uint64_t time) BL_NONBLOCKING {
    uint32_t best = 0;
    uint64_t best_start = UINT64_MAX;
    for (uint64_t left = untaken; left != 0; left &= left - 1) {
        uint32_t place = (uint32_t)__builtin_ctzll(left);
        const bl_strand *strand = &graph->strands[place];
        if ((strand->source_set & untaken) != 0) {
            continue;
        }
        uint64_t start = start_of(graph, strand, time);
        if (start < best_start || (start == best_start && strand->way > graph->strands[best].way)) {
            best = place;
            best_start = start;
        }
    }
    return best;
}

/* The time after which the threads, taking the strands in this order, have finished. With `finds`,
   also finds the order. */
static uint64_t play(const bl_graph *graph, uint32_t threads, uint32_t *order,
                     bool finds) BL_NONBLOCKING {
    uint64_t untaken = finds ? UINT64_MAX >> (MOST_STRANDS - graph->strand_count) : 0, end = 0;
    for (uint32_t thread = 0; thread < threads; thread += 1) {
        graph->workers[thread].free_at = 0;
    }
    for (uint32_t count = 0; count < graph->strand_count; count += 1) {
        bl_worker *first = &graph->workers[0];
        for (uint32_t thread = 1; thread < threads; thread += 1) {
            bl_worker *worker = &graph->workers[thread];
            first = worker->free_at < first->free_at ? worker : first;
        }
        if (finds) {
            order[count] = find_next(graph, untaken, first->free_at);
            untaken &= ~(UINT64_C(1) << order[count]);
        }
        bl_strand *strand = &graph->strands[order[count]];
        strand->ends_at = start_of(graph, strand, first->free_at) + strand->ticks;
        first->free_at = strand->ends_at;
        end = strand->ends_at > end ? strand->ends_at : end;
    }
    return end;
}

uint64_t bl_order_strands(bl_graph *graph, uint32_t threads) BL_NONBLOCKING {
    uint64_t sum = measure(graph);
    uint64_t by_levels = play(graph, threads, graph->level_order, false);
    uint64_t by_times = graph->strand_count <= MOST_STRANDS
                            ? play(graph, threads, graph->time_order, true)
                            : UINT64_MAX;
    bool is_faster = by_times < by_levels;
    graph->strand_order = is_faster ? graph->time_order : graph->level_order;
    return sum - (is_faster ? by_times : by_levels);
}
