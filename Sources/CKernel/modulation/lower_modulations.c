/* Lowers modulations. Each is a cable into an extra input bus of its node, which the unit does not
   have. */
#include <math.h>

#include "modulation/modulated.h"

static bool is_same(const bl_modulation *one, const bl_modulation *other) {
    return one->source_node == other->source_node && one->source_bus == other->source_bus &&
           one->source_channel == other->source_channel && one->node == other->node &&
           one->address == other->address;
}

static bool is_target(const bl_graph_description *description, const bl_modulation *modulation) {
    if (modulation->address == BL_CONTROL_BYPASS || modulation->node >= description->node_count ||
        BL_PARAMETER_INDEX(modulation->address) >=
            description->nodes[modulation->node]->receiver.descriptor->parameter_count) {
        return false;
    }
    const bl_node *node = description->nodes[modulation->node];
    uint32_t flags =
        node->receiver.descriptor->parameters[BL_PARAMETER_INDEX(modulation->address)].flags;
    return (flags & BL_PARAMETER_WRITABLE) != 0 && (flags & BL_PARAMETER_MOMENTARY) == 0 &&
           bl_receiver_value_index(&node->receiver, modulation->address) <
               node->receiver.value_count;
}

const char *bl_modulations_check(const bl_graph_description *description) {
    for (uint32_t index = 0; index < description->modulation_count; index += 1) {
        const bl_modulation *modulation = &description->modulations[index];
        if (!is_target(description, modulation)) {
            return "the target of a modulation does not exist";
        }
        bl_endpoint source = {modulation->source_node, modulation->source_bus};
        uint32_t channel = modulation->source_channel;
        if (channel == 0 || channel > bl_graph_channels_of(description, source, true)) {
            return "the source of a modulation does not exist";
        }
        if (!isfinite(modulation->depth)) {
            return "the depth of a modulation is not finite";
        }
        for (uint32_t before = 0; before < index; before += 1) {
            if (is_same(&description->modulations[before], modulation)) {
                return "two modulations are the same";
            }
        }
    }
    return NULL;
}

bool bl_modulations_add_cables(bl_arena *arena, bl_graph_description *description) {
    uint32_t count = description->cable_count + description->modulation_count;
    bl_cable *cables = bl_arena_allocate(arena, count + 1, sizeof *cables);
    if (cables == NULL) {
        return false;
    }
    for (uint32_t index = 0; index < description->cable_count; index += 1) {
        cables[index] = description->cables[index];
    }
    for (uint32_t index = 0; index < description->modulation_count; index += 1) {
        const bl_modulation *modulation = &description->modulations[index];
        uint32_t bus = description->nodes[modulation->node]->receiver.input_count;
        for (uint32_t before = 0; before < index; before += 1) {
            bus += description->modulations[before].node == modulation->node;
        }
        cables[description->cable_count + index] =
            (bl_cable){.source = {modulation->source_node, modulation->source_bus},
                       .destination = {modulation->node, bus},
                       .flags = modulation->is_late ? BL_CABLE_FEEDBACK : 0,
                       .source_channel = modulation->source_channel};
    }
    description->cables = cables;
    description->cable_count = count;
    return true;
}

static bl_modulated_parameter *parameter_at(bl_modulated *modulated, const bl_node *node,
                                            bl_parameter_address address) {
    bl_modulated_parameter *known = bl_modulated_find(modulated, address);
    if (known != NULL) {
        return known;
    }
    const bl_parameter_info *info =
        &node->receiver.descriptor->parameters[BL_PARAMETER_INDEX(address)];
    bl_modulated_parameter *parameter = &modulated->parameters[modulated->parameter_count++];
    parameter->address = address;
    parameter->travel =
        (bl_control){.from = info->minimum, .to = info->maximum, .curve = info->curve};
    parameter->state.sent = NAN;
    return parameter;
}

void bl_modulated_lower(bl_graph *graph, bl_lowered_node *lowered,
                        const bl_graph_description *description, uint32_t node) {
    uint32_t count = lowered->input_count - lowered->node->receiver.input_count;
    bl_arena *arena = &graph->arena;
    bl_modulated *modulated = count > 0 ? bl_arena_allocate(arena, 1, sizeof *modulated) : NULL;
    if (modulated == NULL) {
        return;
    }
    modulated->parameters = bl_arena_allocate(arena, count, sizeof *modulated->parameters);
    uint32_t bus = lowered->node->receiver.input_count;
    for (uint32_t index = 0; !arena->failed && index < description->modulation_count; index += 1) {
        const bl_modulation *modulation = &description->modulations[index];
        if (modulation->node != node) {
            continue;
        }
        bl_modulated_parameter *parameter =
            parameter_at(modulated, lowered->node, modulation->address);
        if (parameter->inputs == NULL) {
            parameter->inputs = bl_arena_allocate(arena, count, sizeof *parameter->inputs);
        }
        if (parameter->inputs != NULL) {
            parameter->inputs[parameter->input_count++] = (bl_modulation_input){
                &lowered->inputs[bus], modulation->depth, modulation->is_squared};
        }
        bus += 1;
    }
    uint32_t steps = graph->maximum_frames / BL_MODULATION_STEP + 1;
    modulated->events = bl_arena_allocate(arena, (size_t)steps * modulated->parameter_count,
                                          sizeof *modulated->events);
    lowered->modulated = arena->failed ? NULL : modulated;
}
