/* Orders the strands by the latest times of their units, so that the threads that take them in this
   order seldom wait. */
#include "cycle/render.h"

/* The end of a strand that no thread has taken. */
#define NEVER UINT64_MAX
/* Of more strands one can nearly always start, and to look for it would take long. */
#define MOST_STRANDS 64

/* Finds the time of each strand, and that of the longest way from its start to the end of all;
   returns the sum of the times. */
static uint64_t measure(const bl_graph *graph) BL_NONBLOCKING {
    uint64_t sum = 0;
    for (uint32_t place = 0; place < graph->strand_count; place += 1) {
        bl_strand *strand = &graph->strands[place];
        strand->ticks = 0;
        for (uint32_t turn = strand->first; turn < strand->end; turn += 1) {
            strand->ticks += graph->turns[turn].lowered->node->recent_ticks;
        }
        strand->way = strand->ticks;
        sum += strand->ticks;
    }
    for (uint32_t place = graph->strand_count; place > 0; place -= 1) {
        const bl_strand *strand = &graph->strands[place - 1];
        for (uint32_t index = 0; index < strand->source_count; index += 1) {
            bl_strand *source = &graph->strands[strand->sources[index]];
            uint64_t way = source->ticks + strand->way;
            source->way = way > source->way ? way : source->way;
        }
    }
    return sum;
}

/* When the sources of a strand have ended; NEVER while one of them is not taken. */
static uint64_t ready_at(const bl_graph *graph, const bl_strand *strand) BL_NONBLOCKING {
    uint64_t latest = 0;
    for (uint32_t index = 0; index < strand->source_count; index += 1) {
        uint64_t ends_at = graph->strands[strand->sources[index]].ends_at;
        latest = ends_at > latest ? ends_at : latest;
    }
    return latest;
}

/* The strand that a thread that is free at a time can start first; of several, the one with the
   longest way to the end. */
static uint32_t find_next(const bl_graph *graph, uint64_t time) BL_NONBLOCKING {
    uint32_t best = 0;
    uint64_t best_start = NEVER;
    for (uint32_t place = 0; place < graph->strand_count; place += 1) {
        const bl_strand *strand = &graph->strands[place];
        uint64_t ready = strand->ends_at == NEVER ? ready_at(graph, strand) : NEVER;
        uint64_t start = ready > time ? ready : time;
        if (start < best_start || (start == best_start && strand->way > graph->strands[best].way)) {
            best = place;
            best_start = start;
        }
    }
    return best;
}

/* The time after which threads that take the strands in this order have ended. With `finds` the
   order is found as they do. */
static uint64_t play(const bl_graph *graph, uint32_t threads, uint32_t *order,
                     bool finds) BL_NONBLOCKING {
    uint64_t end = 0;
    for (uint32_t place = 0; place < graph->strand_count; place += 1) {
        graph->strands[place].ends_at = NEVER;
    }
    for (uint32_t thread = 0; thread < threads; thread += 1) {
        graph->workers[thread].free_at = 0;
    }
    for (uint32_t count = 0; count < graph->strand_count; count += 1) {
        bl_worker *first = &graph->workers[0];
        for (uint32_t thread = 1; thread < threads; thread += 1) {
            bl_worker *worker = &graph->workers[thread];
            first = worker->free_at < first->free_at ? worker : first;
        }
        order[count] = finds ? find_next(graph, first->free_at) : order[count];
        bl_strand *strand = &graph->strands[order[count]];
        uint64_t ready = ready_at(graph, strand);
        strand->ends_at = (ready > first->free_at ? ready : first->free_at) + strand->ticks;
        first->free_at = strand->ends_at;
        end = strand->ends_at > end ? strand->ends_at : end;
    }
    return end;
}

uint64_t bl_order_strands(bl_graph *graph, uint32_t threads) BL_NONBLOCKING {
    uint64_t sum = measure(graph);
    uint64_t by_levels = play(graph, threads, graph->level_order, false);
    uint64_t by_times =
        graph->strand_count <= MOST_STRANDS ? play(graph, threads, graph->time_order, true) : NEVER;
    bool is_faster = by_times < by_levels;
    graph->strand_order = is_faster ? graph->time_order : graph->level_order;
    return sum - (is_faster ? by_times : by_levels);
}
