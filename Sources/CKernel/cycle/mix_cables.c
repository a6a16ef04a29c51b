/* Mixes the cables of an input: delays, fades and sums. */

#include <string.h>

#include "cycle/crossfade.h"
#include "graph/lowered_graph.h"

BL_VECTOR_CLONES
static void add(float *BL_RESTRICT sum, const float *BL_RESTRICT samples,
                uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sum[frame] += samples[frame];
    }
}

void bl_graph_fade(const bl_graph *graph, float *output, const float *from, const float *to,
                   int32_t start, uint32_t frames) BL_NONBLOCKING {
    int32_t position = graph->fade_position - start;
    uint32_t length = graph->fade_frames, waiting = position < 0 ? (uint32_t)-position : 0;
    waiting = waiting < frames ? waiting : frames;
    uint32_t passed = position > 0 ? (uint32_t)position : 0;
    bl_crossfade(output, from, to, 0, length, false, waiting);
    bl_crossfade(output + waiting, from != NULL ? from + waiting : NULL,
                 to != NULL ? to + waiting : NULL, passed < length ? passed : length, length, true,
                 frames - waiting);
}

static const float *source_samples(bl_worker *worker, const bl_lowered_source *source,
                                   uint32_t channel, uint32_t frames) BL_NONBLOCKING {
    uint32_t own = source->channel_count == 1 ? 0 : channel;
    return bl_delay_line_read(source->delay, own, &worker->graph->slots[source->slot + own],
                              worker->scratch, frames);
}

static void mix_channel(bl_worker *worker, bl_lowered_input *input, uint32_t channel,
                        uint32_t frames) BL_NONBLOCKING {
    const bl_graph *graph = worker->graph;
    float *sum = graph->slots[bl_input_slot(input, channel)];
    bool is_first = true;
    for (uint32_t index = 0; index < input->source_count; index += 1) {
        const bl_lowered_source *source = &input->sources[index];
        if (source->destination_channel > 0 && source->destination_channel != channel + 1) {
            continue;
        }
        const float *samples = source_samples(worker, source, channel, frames);
        uint32_t fades = source->flags & BL_CABLE_FADES;
        if (fades != 0) {
            bool leaves = fades == BL_CABLE_FADE_OUT;
            float *faded = is_first ? sum : worker->scratch;
            bl_graph_fade(graph, faded, leaves ? samples : NULL, leaves ? NULL : samples,
                          fades == BL_CABLE_LEAD_IN ? graph->lead_position : 0, frames);
            samples = faded;
        }
        if (!is_first) {
            add(sum, samples, frames);
        } else if (sum != samples) {
            memcpy(sum, samples, frames * sizeof(float));
        }
        if (fades != 0 || !is_first || sum != samples) {
            worker->copied_frames += frames;
        }
        is_first = false;
    }
    if (is_first) {
        memset(sum, 0, frames * sizeof(float));
    }
}

void bl_write_delay(const bl_graph *graph, const bl_lowered_source *source) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < source->channel_count; channel += 1) {
        bl_delay_line_write(source->delay, channel, graph->slots[source->slot + channel],
                            graph->stretch.frames);
    }
}

/* Whether the source has a delay that aligns paths; feedback is written at the end of a cycle. */
static bool is_aligned(const bl_lowered_source *source) BL_NONBLOCKING {
    return source->delay != NULL && (source->flags & BL_CABLE_FEEDBACK) == 0;
}

void bl_mix_input(bl_worker *worker, bl_lowered_input *input) BL_NONBLOCKING {
    const bl_stretch *stretch = &worker->graph->stretch;
    if (input->mixed == stretch->number) {
        return;
    }
    input->mixed = stretch->number;
    for (uint32_t index = 0; index < input->source_count; index += 1) {
        if (is_aligned(&input->sources[index])) {
            bl_write_delay(worker->graph, &input->sources[index]);
        }
    }
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        mix_channel(worker, input, channel, stretch->frames);
    }
    for (uint32_t index = 0; index < input->source_count; index += 1) {
        if (is_aligned(&input->sources[index])) {
            bl_delay_line_advance(input->sources[index].delay, stretch->frames);
        }
    }
}
