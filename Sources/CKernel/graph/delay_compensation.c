/* Computes latencies, and the delays that align parallel paths. */

#include "modulation/modulated.h"

static uint32_t source_latency(const bl_lowered_source *source) {
    return source->node != NULL ? source->node->latency : 0;
}

/* The latency at which all sources of an input have arrived, except feedback and spillover, for
   which no path is delayed. */
static uint32_t arrival(const bl_lowered_input *input) {
    uint32_t latest = 0;
    for (uint32_t index = 0; index < input->source_count; index += 1) {
        const bl_lowered_source *source = &input->sources[index];
        uint32_t latency = source_latency(source);
        if ((source->flags & (BL_CABLE_FEEDBACK | BL_CABLE_SPILLOVER)) == 0 && latency > latest) {
            latest = latency;
        }
    }
    return latest;
}

bool bl_is_same_source(const bl_lowered_source *one,
                       const bl_lowered_source *other) BL_NONBLOCKING {
    const bl_node *from = one->node != NULL ? one->node->node : NULL;
    const bl_node *also = other->node != NULL ? other->node->node : NULL;
    return from == also && one->bus == other->bus && one->channel == other->channel &&
           one->channel_count == other->channel_count &&
           one->destination_channel == other->destination_channel &&
           ((one->flags ^ other->flags) & BL_CABLE_FEEDBACK) == 0;
}

/* Finds the same cable in the input of the old graph. */
static bl_lowered_source *former_source(const bl_lowered_input *former,
                                        const bl_lowered_source *source) {
    for (uint32_t index = 0; former != NULL && index < former->source_count; index += 1) {
        bl_lowered_source *candidate = &former->sources[index];
        if ((candidate->flags & BL_CABLE_FADE_OUT) == 0 && bl_is_same_source(candidate, source)) {
            return candidate;
        }
    }
    return NULL;
}

/* Whether the line is long enough for this graph's cycles. */
static bool is_usable(const bl_graph *graph, const bl_delay_line *line) {
    return line == NULL || line->capacity >= line->delay + graph->maximum_frames;
}

static uint32_t delay_of(const bl_lowered_source *source) {
    return source->delay != NULL ? source->delay->delay : 0;
}

/* Delays fade-ins until their delay line is filled; otherwise sound would start within the fade. */
static void fill_before_fading(bl_graph *graph, uint32_t delay) {
    int32_t start = -(int32_t)delay;
    graph->fade_position = start < graph->fade_position ? start : graph->fade_position;
}

/* Sets a source's delay: the old line if it has the same delay, or a silent line. */
static bool allocate_line(bl_graph *graph, bl_lowered_source *source, uint32_t delay,
                          const bl_lowered_source *former) {
    if (delay == 0) {
        return true;
    }
    bool is_kept = former != NULL && delay_of(former) == delay && is_usable(graph, former->delay);
    source->delay = is_kept
                        ? bl_delay_line_retain(former->delay)
                        : bl_delay_line_create(source->channel_count, delay, graph->maximum_frames);
    if (!is_kept && (source->flags & BL_CABLE_FADE_IN) != 0) {
        fill_before_fading(graph, delay);
    }
    return source->delay != NULL;
}

/* Lists a feedback cable, which is stored at the end of a cycle; returns false for other cables. */
static bool list_feedback(bl_graph *graph, bl_lowered_source *source) {
    bool feeds_back = (source->flags & BL_CABLE_FEEDBACK) != 0;
    if (feeds_back) {
        graph->feedback[graph->feedback_count++] = source;
    }
    return feeds_back;
}

static bool compensate_input(bl_graph *graph, bl_lowered_input *input, uint32_t latest,
                             const bl_lowered_input *former_input) {
    uint32_t count = input->source_count;
    for (uint32_t index = 0; index < count; index += 1) {
        bl_lowered_source *source = &input->sources[index];
        const bl_lowered_source *former = former_source(former_input, source);
        bool feedback = list_feedback(graph, source);
        uint32_t delay = feedback ? BL_FEEDBACK_DELAY : latest - source_latency(source);
        if ((source->flags & BL_CABLE_SPILLOVER) != 0 && !feedback) {
            delay = former != NULL ? delay_of(former) : 0;
        }
        bool changes = !feedback && former != NULL && delay_of(former) != delay &&
                       is_usable(graph, former->delay);
        if (changes && (source->flags & BL_CABLE_FADE_OUT) != 0) {
            delay = delay_of(former); /* the cable fades out unchanged */
        } else if (changes && (source->flags & (BL_CABLE_FADE_IN | BL_CABLE_LEAD_IN)) == 0) {
            /* A jump in time would click: crossfades from the old delay to the new one. */
            bl_lowered_source *leaving = &input->sources[input->source_count++];
            *leaving = *source;
            leaving->flags |= BL_CABLE_FADE_OUT;
            source->flags |= BL_CABLE_FADE_IN;
            graph->has_fades = true;
            if (!allocate_line(graph, leaving, delay_of(former), former)) {
                return false;
            }
        }
        if (!allocate_line(graph, source, delay, former)) {
            return false;
        }
    }
    return true;
}

/* Finds the same modulation of the same parameter in the old graph. */
static const bl_lowered_source *former_modulation(const bl_modulated_parameter *former,
                                                  const bl_lowered_source *source) {
    for (uint32_t index = 0; former != NULL && index < former->input_count; index += 1) {
        const bl_lowered_source *candidate = former->inputs[index].sound->sources;
        if (bl_is_same_source(source, candidate)) {
            return candidate;
        }
    }
    return NULL;
}

/* Aligns modulations with the sound that they belong to, except later ones: sound is not delayed
   for modulations. */
static bool compensate_modulations(bl_graph *graph, const bl_modulated_parameter *parameter,
                                   uint32_t latest, const bl_modulated_parameter *former) {
    bool is_done = true;
    for (uint32_t index = 0; is_done && index < parameter->input_count; index += 1) {
        bl_lowered_source *source = parameter->inputs[index].sound->sources;
        uint32_t latency = source_latency(source);
        uint32_t delay = list_feedback(graph, source) ? BL_FEEDBACK_DELAY
                         : latest > latency           ? latest - latency
                                                      : 0;
        is_done = allocate_line(graph, source, delay, former_modulation(former, source));
    }
    return is_done;
}

/* Delays the dry sound of a bypassed unit by the unit's latency. */
static bool compensate_dry(bl_graph *graph, bl_lowered_node *lowered,
                           const bl_lowered_node *former) {
    const bl_node *node = lowered->node;
    if (node->receiver.input_count == 0) {
        return true;
    }
    uint32_t delay = lowered->own_latency;
    bool is_usable_line = former != NULL && is_usable(graph, former->dry);
    bool is_same = is_usable_line && former->own_latency == delay;
    if (is_same && former->dry != NULL) {
        lowered->dry = bl_delay_line_retain(former->dry);
    } else if (delay > 0) {
        lowered->dry =
            bl_delay_line_create(node->input_channel_counts[0], delay, graph->maximum_frames);
    }
    if (is_usable_line && !is_same) {
        lowered->dry_changes = true;
        lowered->leaving_dry = former->dry != NULL ? bl_delay_line_retain(former->dry) : NULL;
        graph->has_fades = true;
        fill_before_fading(graph, delay);
    }
    return delay == 0 || lowered->dry != NULL;
}

/* Delays the other fades until the lead-ins' lines are filled, they are at full level, and their
   sound has passed through all nodes. */
static void delay_fades_for_lead_in(bl_graph *graph) {
    uint32_t fill = 0, way = 0;
    bool leads = false;
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        const bl_lowered_node *node = &graph->nodes[place];
        for (uint32_t bus = 0; bus < node->node->receiver.input_count; bus += 1) {
            for (uint32_t index = 0; index < node->inputs[bus].source_count; index += 1) {
                const bl_lowered_source *source = &node->inputs[bus].sources[index];
                if ((source->flags & BL_CABLE_LEAD_IN) != 0) {
                    leads = true;
                    fill = delay_of(source) > fill ? delay_of(source) : fill;
                    way = node->latency > way ? node->latency : way;
                }
            }
        }
    }
    if (leads) {
        fill_before_fading(graph, fill + graph->fade_frames + way);
        graph->lead_position = graph->fade_position + (int32_t)fill;
    }
}

bool bl_graph_compensate_delays(bl_graph *graph, const bl_graph *previous) {
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        bl_lowered_node *node = &graph->nodes[place];
        const bl_lowered_node *former =
            previous != NULL ? bl_graph_lowered_node(previous, node->node) : NULL;
        /* Audio is delayed to meet late MIDI; MIDI is played live, and never delayed. */
        uint32_t latest = bl_graph_midi_arrival(graph, node->node);
        for (uint32_t bus = 0; bus < node->node->receiver.input_count; bus += 1) {
            uint32_t latency = arrival(&node->inputs[bus]);
            latest = latency > latest ? latency : latest;
        }
        for (uint32_t bus = 0; bus < node->node->receiver.input_count; bus += 1) {
            if (!compensate_input(graph, &node->inputs[bus], latest,
                                  former != NULL ? &former->inputs[bus] : NULL)) {
                return false;
            }
        }
        const bl_modulated *modulated = node->modulated;
        for (uint32_t index = 0; modulated != NULL && index < modulated->parameter_count;
             index += 1) {
            const bl_modulated_parameter *parameter = &modulated->parameters[index];
            if (!compensate_modulations(graph, parameter, latest,
                                        bl_modulated_find(former != NULL ? former->modulated : NULL,
                                                          parameter->address))) {
                return false;
            }
        }
        node->own_latency = bl_node_latency(node->node);
        node->latency = latest + node->own_latency;
        if (!compensate_dry(graph, node, former)) {
            return false;
        }
        node->keeps_dry = node->node->is_remote || node->dry != NULL || node->leaving_dry != NULL;
    }
    graph->output_latencies =
        bl_arena_allocate(&graph->arena, graph->output_count + 1, sizeof(uint32_t));
    for (uint32_t port = 0; !graph->arena.failed && port < graph->output_count; port += 1) {
        bool has_former = previous != NULL && port < previous->output_count;
        graph->output_latencies[port] = arrival(&graph->outputs[port]);
        if (!compensate_input(graph, &graph->outputs[port], graph->output_latencies[port],
                              has_former ? &previous->outputs[port] : NULL)) {
            return false;
        }
    }
    delay_fades_for_lead_in(graph);
    return !graph->arena.failed;
}
