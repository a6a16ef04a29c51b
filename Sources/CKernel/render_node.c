/* One node's turn in a cycle: its unit renders, is guarded and measured. */

#include <string.h>

#include "lowered_graph.h"

/* Not inlined where a node renders: what is seldom needed would take up registers and cache, and
   would be compiled with the vector clone's fused multiply-adds. */
#define RARE __attribute__((noinline))

/* A bus has a channel or two: to unroll the loop over them costs more than it saves. */
#define FEW_CHANNELS _Pragma("clang loop unroll(disable) vectorize(disable)")

typedef struct pull_context {
    bl_graph *graph;
    bl_lowered_node *node;
    bool is_first; /* of the node's calls in this cycle */
} pull_context;

/* What units call to get their input. Everything before them has been rendered by now. */
static bl_status pull(void *opaque, uint32_t flags, const bl_timestamp *timestamp, uint32_t frames,
                      uint32_t bus, bl_buffers *buffers) BL_NONBLOCKING {
    (void)flags;
    (void)timestamp;
    pull_context *context = opaque;
    if (bus >= context->node->node->input_count) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    bl_lowered_input *input = &context->node->inputs[bus];
    if (!input->is_direct) {
        bl_graph_gather(context->graph, input, frames);
    }
    float *const *memory = context->graph->slots;
    uint32_t last = input->channel_count - 1;
    FEW_CHANNELS
    for (uint32_t channel = 0; channel < buffers->channel_count; channel += 1) {
        buffers->channels[channel] = memory[input->slots[channel < last ? channel : last]];
    }
    return input->source_count > 0 ? BL_OK : BL_ERROR_NO_CONNECTION;
}

/* What units call to send MIDI; with several busses, only the first call counts. */
static bl_status send_midi(void *opaque, int64_t sample_time, uint8_t cable, uint32_t length,
                           const uint8_t *bytes) BL_NONBLOCKING {
    const pull_context *context = opaque;
    return context->is_first
               ? bl_midi_send(context->graph, context->node, sample_time, cable, length, bytes)
               : BL_ERROR_NO_CONNECTION;
}

RARE static void silence(const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        memset(output->channels[channel], 0, frames * sizeof(float));
    }
}

/* One channel of what comes in, held back by a line, if there is one. */
static const float *held_back(const bl_graph *graph, const bl_delay_line *line,
                              const bl_lowered_input *input, uint32_t channel, float *memory,
                              uint32_t frames) BL_NONBLOCKING {
    if (line == NULL) {
        return graph->slots[input->slots[channel]];
    }
    bl_delay_line_read(line, channel, memory, frames);
    return memory;
}

/* One channel of what comes in, held back by the unit's latency; where that has changed, a
   crossfade from what it was. */
static const float *dry_samples(bl_graph *graph, const bl_lowered_node *lowered, uint32_t channel,
                                uint32_t frames) BL_NONBLOCKING {
    const bl_lowered_input *input = &lowered->inputs[0];
    const float *samples = held_back(graph, lowered->dry, input, channel, graph->scratch, frames);
    if (!lowered->dry_changes || graph->fade_position >= (int32_t)graph->fade_frames) {
        return samples;
    }
    const float *leaving =
        held_back(graph, lowered->leaving_dry, input, channel, graph->leaving, frames);
    float step = 1.0f / (float)(int32_t)graph->fade_frames;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        int32_t position = graph->fade_position + (int32_t)frame;
        position = position < 0 ? 0 : position;
        float share = position < (int32_t)graph->fade_frames ? (float)position * step : 1.0f;
        graph->scratch[frame] = leaving[frame] + (samples[frame] - leaving[frame]) * share;
    }
    return graph->scratch;
}

static void write_dry(const bl_graph *graph, bl_delay_line *line, const bl_lowered_input *input,
                      uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; line != NULL && channel < input->channel_count; channel += 1) {
        bl_delay_line_write(line, channel, graph->slots[input->slots[channel]], frames);
    }
}

/* The mean of all channels, in place of the first. */
static void fold(bl_graph *graph, const bl_lowered_node *lowered, uint32_t frames) BL_NONBLOCKING {
    const bl_lowered_input *input = &lowered->inputs[0];
    float *sum = graph->dry[0];
    float share = 1.0f / (float)(int32_t)input->channel_count;
    for (uint32_t channel = 1; channel < input->channel_count; channel += 1) {
        const float *samples = dry_samples(graph, lowered, channel, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            sum[frame] += samples[frame];
        }
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sum[frame] *= share;
    }
}

/* Keeps what bypass lets be heard, which is the first input at the first output and silence at
   others: the unit may be about to write over it. One channel goes to all, and all go into one as
   their mean; otherwise channel goes to channel. */
RARE static void keep_dry(bl_graph *graph, bl_lowered_node *lowered, uint32_t bus,
                          uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    uint32_t width = lowered->outputs[bus].channel_count;
    bl_lowered_input *input = node->input_count > 0 && bus == 0 ? &lowered->inputs[0] : NULL;
    if (input != NULL) {
        bl_graph_gather(graph, input, frames);
        write_dry(graph, lowered->dry, input, frames);
        write_dry(graph, lowered->leaving_dry, input, frames);
    }
    for (uint32_t channel = 0; channel < width; channel += 1) {
        float *dry = graph->dry[channel];
        uint32_t own = input != NULL && input->channel_count == 1 ? 0 : channel;
        if (input == NULL || own >= input->channel_count) {
            memset(dry, 0, frames * sizeof(float));
        } else {
            memcpy(dry, dry_samples(graph, lowered, own, frames), frames * sizeof(float));
        }
    }
    if (input != NULL && width == 1 && input->channel_count > 1) {
        fold(graph, lowered, frames);
    }
    if (input != NULL && lowered->dry != NULL) {
        bl_delay_line_advance(lowered->dry, frames);
    }
    if (input != NULL && lowered->leaving_dry != NULL) {
        bl_delay_line_advance(lowered->leaving_dry, frames);
    }
}

/* Where a crossfade stands one frame on. */
static uint32_t next_position(const bl_node *node, uint32_t position) BL_NONBLOCKING {
    if (node->bypassed) {
        return position + (position < node->fade_frames);
    }
    return position - (position > 0);
}

/* Turns the output towards the input kept before, or back, frame by frame. */
RARE static void mix_dry(const bl_graph *graph, const bl_node *node, const bl_buffers *output,
                         uint32_t frames) BL_NONBLOCKING {
    uint32_t length = node->fade_frames;
    float step = 1.0f / (float)(int32_t)length;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *wet = output->channels[channel];
        const float *dry = graph->dry[channel];
        uint32_t position = node->bypass_position;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float share = (float)(int32_t)position * step;
            wet[frame] = position == length ? dry[frame]
                         : position == 0    ? wet[frame]
                                            : wet[frame] + (dry[frame] - wet[frame]) * share;
            position = next_position(node, position);
        }
    }
}

/* Brings a unit back from silence after its output was not finite. */
RARE static void recover(const bl_node *node, const bl_buffers *output,
                         uint32_t frames) BL_NONBLOCKING {
    float step = 1.0f / (float)(int32_t)node->fade_frames;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            uint32_t remaining =
                node->recovery_remaining > frame ? node->recovery_remaining - frame : 0;
            output->channels[channel][frame] *=
                (float)(int32_t)(node->fade_frames - remaining) * step;
        }
    }
}

/* Moves a node's crossfade and its recovery on, once all its busses have been through them. */
RARE static void advance_fades(bl_node *node, uint32_t recovering, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        node->bypass_position = next_position(node, node->bypass_position);
    }
    /* Unless this cycle began it anew. */
    if (recovering > 0 && node->recovery_remaining == recovering) {
        node->recovery_remaining = recovering > frames ? recovering - frames : 0;
    }
}

/* Mutes and resets a unit that rendered what is no number. */
RARE static void mute(bl_node *node, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    silence(output, frames);
    node->descriptor->reset(node->unit);
    node->recovery_remaining = node->fade_frames;
}

/* Points the slots of a unit that renders into memory of its own to what it answered. */
RARE static void take_own_memory(bl_graph *graph, const bl_lowered_output *output, float **pointers,
                                 bl_status status) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        graph->slots[output->slots[channel]] = status == BL_OK ? pointers[channel] : graph->silence;
    }
}

/* A unit that does not render is muted like one that renders nonsense. */
RARE static bl_render_result fail(bl_graph *graph, bl_node *node, const bl_buffers *output,
                                  bool crossfades, uint32_t frames) BL_NONBLOCKING {
    if ((node->descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) == 0) {
        silence(output, frames);
        if (crossfades) {
            mix_dry(graph, node, output, frames);
        }
    }
    node->recovery_remaining = node->fade_frames;
    return BL_RENDER_FAILED;
}

static inline __attribute__((always_inline)) bl_status
call_unit(bl_node *node, uint32_t flags, const bl_timestamp *timestamp, uint32_t frames,
          uint32_t bus, bl_buffers *buffers, const bl_render_host *host) BL_NONBLOCKING {
    bool is_observed = !bl_render_observers_are_none(node->observers);
    if (is_observed) {
        bl_render_observers_tell(node->observers, flags | BL_RENDER_BEFORE, timestamp, frames, bus);
    }
    bl_status status = node->descriptor->render(node->unit, flags, timestamp, frames, bus, buffers,
                                                node->first_event, host);
    if (is_observed) {
        bl_render_observers_tell(node->observers, flags | BL_RENDER_AFTER, timestamp, frames, bus);
    }
    node->first_event = NULL; /* for the first bus that is read */
    return status;
}

static inline __attribute__((always_inline)) bl_render_result
render_output(bl_graph *graph, bl_lowered_node *lowered, uint32_t bus, bool is_first,
              uint32_t flags, const bl_timestamp *timestamp, uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    const bl_unit_descriptor *descriptor = node->descriptor;
    const bl_lowered_output *output = &lowered->outputs[bus];
    uint32_t channel_count = output->channel_count;
    bool provides = (descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) != 0;
    float *pointers[BL_MAXIMUM_CHANNELS];
    FEW_CHANNELS
    for (uint32_t channel = 0; channel < channel_count; channel += 1) {
        float *samples = graph->slots[output->slots[channel]];
        pointers[channel] = provides ? NULL : samples;
    }
    bl_buffers buffers = {channel_count, pointers};
    pull_context context = {graph, lowered, is_first};
    bl_render_host host = {&context, pull, send_midi, graph->musical_context,
                           graph->transport_state};
    bool crossfades = node->bypass_position > 0 || node->bypassed;
    if (crossfades || (bus == 0 && (lowered->dry != NULL || lowered->leaving_dry != NULL))) {
        keep_dry(graph, lowered, bus, frames);
    }
    bl_status status = call_unit(node, flags, timestamp, frames, bus, &buffers, &host);
    if (provides) {
        take_own_memory(graph, output, pointers, status);
    }
    if (status != BL_OK) {
        return fail(graph, node, &buffers, crossfades, frames);
    }
    bool finite = true;
    bl_meter *meters = node->meters + output->first_meter;
    FEW_CHANNELS
    for (uint32_t channel = 0; channel < channel_count; channel += 1) {
        finite = bl_meter_add(&meters[channel], pointers[channel], frames) && finite;
    }
    if (!finite) {
        mute(node, &buffers, frames);
    } else if (node->recovery_remaining > 0) {
        recover(node, &buffers, frames);
    }
    if (crossfades) {
        mix_dry(graph, node, &buffers, frames);
    }
    return finite ? BL_RENDERED : BL_RENDERED_NON_FINITE;
}

/* Renders a unit that has no audio output: what it sends is all there is. */
RARE static bl_render_result render_without_output(bl_graph *graph, bl_lowered_node *lowered,
                                                   uint32_t flags, const bl_timestamp *timestamp,
                                                   uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    float *none[1] = {NULL};
    bl_buffers buffers = {0, none};
    pull_context context = {graph, lowered, true};
    bl_render_host host = {&context, pull, send_midi, graph->musical_context,
                           graph->transport_state};
    bl_status status = call_unit(node, flags, timestamp, frames, 0, &buffers, &host);
    return status == BL_OK ? BL_RENDERED : BL_RENDER_FAILED;
}

BL_VECTOR_CLONES
bl_render_result bl_graph_render_node(bl_graph *graph, bl_lowered_node *lowered, uint32_t flags,
                                      const bl_timestamp *timestamp,
                                      uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bl_render_result worst = BL_RENDERED;
    uint32_t recovering = node->recovery_remaining;
    const bl_event *events = node->first_event;
    bool is_first = true;
    if (lowered->midi_cable_count > 0) {
        bl_midi_begin_turn(graph, lowered);
    }
    if (node->output_count == 0) {
        worst = render_without_output(graph, lowered, flags, timestamp, frames);
    }
    for (uint32_t bus = 0; bus < node->output_count; bus += 1) {
        if (lowered->outputs[bus].is_read) {
            bl_render_result result =
                render_output(graph, lowered, bus, is_first, flags, timestamp, frames);
            worst = result > worst ? result : worst;
            is_first = false;
        }
    }
    if (worst == BL_RENDER_FAILED && lowered->midi_cable_count > 0) {
        bl_midi_release(graph, lowered);
    }
    if (recovering > 0 || node->bypassed || node->bypass_position > 0) {
        advance_fades(node, recovering, frames);
    }
    if (events != NULL || node->output_parameter_count > 0) {
        bl_node_publish(node, events);
    }
    node->last_event = NULL;
    return worst;
}
