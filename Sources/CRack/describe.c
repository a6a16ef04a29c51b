/* The descriptor of a rack as a unit. */
#include <stdio.h>

#include "component.h"
#include "rack/rack_unit.h"

/* Parameters in a compact view. */
#define OVERVIEW 8

static const bl_bus_info *busses(bl_arena *arena, const char *const *names,
                                 const uint32_t *channels, uint32_t count, uint32_t flags) {
    bl_bus_info *infos = bl_arena_allocate(arena, count, sizeof *infos);
    for (uint32_t bus = 0; infos != NULL && bus < count; bus += 1) {
        infos[bus] = (bl_bus_info){names[bus], channels[bus], flags};
    }
    return infos;
}

/* Sets the channel capabilities: the ports' own widths and no others, in every pair. */
static void set_capabilities(bl_rack_component *self) {
    const bl_rack_plan *plan = &self->plan;
    uint32_t inputs = plan->graph.input_count > 0 ? plan->graph.input_count : 1;
    uint32_t outputs = plan->graph.output_count > 0 ? plan->graph.output_count : 1;
    bl_channel_capability *pairs =
        bl_arena_allocate(&self->arena, (size_t)inputs * outputs, sizeof *pairs);
    for (uint32_t pair = 0; pairs != NULL && pair < inputs * outputs; pair += 1) {
        uint32_t input = pair / outputs, output = pair % outputs;
        pairs[pair].input =
            plan->graph.input_count > 0 ? (int16_t)plan->graph.input_channel_counts[input] : 0;
        pairs[pair].output =
            plan->graph.output_count > 0 ? (int16_t)plan->graph.output_channel_counts[output] : -2;
    }
    self->descriptor.channel_capabilities = pairs;
    self->descriptor.channel_capability_count = inputs * outputs;
}

static float planned_value(const bl_planned_unit *unit, bl_parameter_address address,
                           float otherwise) {
    for (uint32_t index = 0; index < unit->value_count; index += 1) {
        if (unit->values[index].address == address) {
            return unit->values[index].value;
        }
    }
    return otherwise;
}

/* A parameter's group: "unit", "unit.group", or for a parameter of each input bus "unit.bus". */
static const char *group_of(bl_arena *arena, const bl_planned_unit *unit,
                            const bl_parameter_info *info, bl_parameter_address address) {
    char bus[16];
    snprintf(bus, sizeof bus, "%u", BL_PARAMETER_INPUT_BUS(address) + 1);
    const char *part = (info->flags & BL_PARAMETER_PER_INPUT_BUS) != 0 ? bus : info->group;
    char group[256];
    snprintf(group, sizeof group, "%s%s%s", unit->name, part != NULL ? "." : "",
             part != NULL ? part : "");
    return bl_arena_copy(arena, group, strlen(group) + 1, 1);
}

static bl_parameter_info parameter(bl_rack_component *self, const bl_exposed *exposed) {
    const bl_planned_unit *unit = &self->plan.units[exposed->unit];
    const bl_unit_descriptor *descriptor = atomic_load(&unit->descriptor);
    if (exposed->address == BL_CONTROL_BYPASS) {
        return (bl_parameter_info){.identifier = "bypass",
                                   .group = unit->name,
                                   .name = "Bypass",
                                   .unit = BL_UNIT_BOOLEAN,
                                   .maximum = 1,
                                   .default_value = unit->is_bypassed,
                                   .flags = BL_PARAMETER_STEPPED_FLAGS};
    }
    bl_parameter_info info = descriptor->parameters[BL_PARAMETER_INDEX(exposed->address)];
    info.group = group_of(&self->arena, unit, &info, exposed->address);
    info.flags &= ~(uint32_t)BL_PARAMETER_PER_INPUT_BUS;
    info.dependent_parameters = NULL;
    if ((info.flags & BL_PARAMETER_MOMENTARY) == 0) {
        info.default_value = planned_value(unit, exposed->address, info.default_value);
    }
    return info;
}

static bool set_parameters(bl_rack_component *self) {
    uint32_t count = self->plan.exposed_count;
    bl_parameter_info *infos = bl_arena_allocate(&self->arena, count, sizeof *infos);
    for (uint32_t index = 0; infos != NULL && index < count; index += 1) {
        const bl_exposed *exposed = &self->plan.exposed[index];
        if (exposed->unit >= self->plan.unit_count) {
            return false;
        }
        const bl_unit_descriptor *unit = atomic_load(&self->plan.units[exposed->unit].descriptor);
        if (exposed->address != BL_CONTROL_BYPASS &&
            BL_PARAMETER_INDEX(exposed->address) >= unit->parameter_count) {
            return false;
        }
        infos[index] = parameter(self, exposed);
        infos[index].overview_rank = index < OVERVIEW ? index + 1 : 0;
    }
    self->descriptor.parameters = infos;
    self->descriptor.parameter_count = count;
    return infos != NULL;
}

static void set_presets(bl_rack_component *self) {
    const bl_rack_plan *plan = &self->plan;
    bl_factory_preset *presets =
        bl_arena_allocate(&self->arena, plan->scene_count, sizeof *presets);
    for (uint32_t number = 0; presets != NULL && number < plan->scene_count; number += 1) {
        const bl_planned_scene *scene = &plan->scenes[number];
        bl_preset_value *values =
            bl_arena_allocate(&self->arena, scene->value_count, sizeof *values);
        presets[number] = (bl_factory_preset){scene->name, values, 0};
        for (uint32_t next = 0; values != NULL && next < scene->value_count; next += 1) {
            const bl_scene_value *value = &scene->values[next];
            for (uint32_t own = 0; own < plan->exposed_count; own += 1) {
                if (plan->exposed[own].unit == value->node &&
                    plan->exposed[own].address == value->address) {
                    values[presets[number].value_count] = (bl_preset_value){own, value->value};
                    presets[number].value_count += 1;
                }
            }
        }
    }
    self->descriptor.factory_presets = presets;
    self->descriptor.factory_preset_count = plan->scene_count;
}

static bl_four_character_code type_of(const bl_rack_plan *plan) {
    if (plan->graph.output_count == 0) {
        return BL_TYPE_MIDI_PROCESSOR;
    }
    if (plan->graph.input_count == 0) {
        return plan->graph.midi_input_count > 0 ? BL_TYPE_INSTRUMENT : BL_TYPE_GENERATOR;
    }
    return plan->graph.midi_input_count > 0 ? BL_TYPE_MUSIC_EFFECT : BL_TYPE_EFFECT;
}

static void set_texts(bl_unit_descriptor *unit, const bl_rack_plan *plan) {
    static const char *const tags[] = {"Rack", NULL};
    unit->abi_version = BL_ABI_VERSION;
    unit->size = sizeof *unit;
    unit->component.type = type_of(plan);
    unit->version = 0x00010000;
    unit->name = plan->name;
    unit->manufacturer_name = "a rack file";
    unit->summary = "A rack as a unit";
    unit->tags = tags;
}

static bool describe(bl_rack_component *self) {
    bl_unit_descriptor *unit = &self->descriptor;
    const bl_rack_plan *plan = &self->plan;
    set_texts(unit, plan);
    /* All inputs are optional: none is a sidechain, and an unconnected one is silent. */
    unit->input_busses = busses(&self->arena, plan->input_names, plan->graph.input_channel_counts,
                                plan->graph.input_count, BL_BUS_OPTIONAL);
    unit->input_bus_count = plan->graph.input_count;
    unit->output_busses = busses(&self->arena, plan->output_names,
                                 plan->graph.output_channel_counts, plan->graph.output_count, 0);
    unit->output_bus_count = plan->graph.output_count;
    unit->flags |= plan->graph.midi_input_count > 0 ? BL_UNIT_MIDI_INPUT : 0;
    unit->flags |= plan->graph.midi_output_count > 0 ? BL_UNIT_MIDI_OUTPUT : 0;
    unit->virtual_midi_cable_count = plan->graph.midi_input_count;
    uint32_t outputs = plan->graph.midi_output_count;
    const char **names = bl_arena_allocate(&self->arena, outputs + 1, sizeof *names);
    for (uint32_t cable = 0; names != NULL && cable < outputs; cable += 1) {
        names[cable] = plan->midi_output_names[cable];
    }
    unit->midi_output_names = outputs > 0 ? names : NULL;
    set_capabilities(self);
    set_presets(self);
    bl_rack_set_functions(unit);
    return set_parameters(self) && !self->arena.failed;
}

const bl_unit_descriptor *bl_rack_describe(bl_rack_plan *plan,
                                           const bl_unit_descriptor *const *units) {
    bl_rack_component *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->plan = *plan;
    for (uint32_t index = 0; index < plan->unit_count; index += 1) {
        atomic_store(&plan->units[index].descriptor, units[index]);
    }
    if (describe(self)) {
        return &self->descriptor;
    }
    bl_arena_free(&self->arena);
    free(self);
    return NULL;
}
