#include "plug_in.h"

#include "instance.h"
#include "text.h"

/* Sets every pair of widths of an input that is no sidechain and an output, the only ones that a
   plug-in has. If all inputs are optional none is a sidechain; without an output any width fits. */
static void set_capabilities(bl_plug_in *plug_in) {
    bl_unit_descriptor *unit = &plug_in->descriptor;
    uint32_t inputs = unit->input_bus_count, outputs = unit->output_bus_count;
    bl_channel_capability *pairs =
        bl_arena_allocate(&plug_in->arena, (size_t)(inputs + 1) * (outputs + 1), sizeof *pairs);
    uint32_t count = 0;
    bool has_main = false;
    for (uint32_t input = 0; input < inputs; input += 1) {
        has_main = has_main || (unit->input_busses[input].flags & BL_BUS_OPTIONAL) == 0;
    }
    for (uint32_t input = 0; input < inputs + (inputs == 0) && pairs != NULL; input += 1) {
        if (has_main && (unit->input_busses[input].flags & BL_BUS_OPTIONAL) != 0) {
            continue;
        }
        for (uint32_t output = 0; output < outputs + (outputs == 0); output += 1) {
            bl_channel_capability pair = {
                inputs > 0 ? (int16_t)unit->input_busses[input].default_channel_count : 0,
                outputs > 0 ? (int16_t)unit->output_busses[output].default_channel_count : -2};
            bool is_there = false;
            for (uint32_t index = 0; index < count; index += 1) {
                is_there = is_there ||
                           (pairs[index].input == pair.input && pairs[index].output == pair.output);
            }
            if (!is_there) {
                pairs[count++] = pair;
            }
        }
    }
    unit->channel_capabilities = pairs;
    unit->channel_capability_count = count;
}

/* Ranks the first eight parameters for small views. */
static void rank_parameters(const bl_plug_in *plug_in) {
    uint32_t rank = 0;
    for (uint32_t index = 0; index < plug_in->descriptor.parameter_count && rank < 8; index += 1) {
        bl_parameter_info *info = (bl_parameter_info *)&plug_in->descriptor.parameters[index];
        if (plug_in->parameters[index].is_input && info->overview_rank == 0) {
            rank += 1;
            info->overview_rank = rank;
        }
    }
}

static void clear_left_out(const bl_plug_in *plug_in) {
    for (uint32_t index = 0; index < plug_in->descriptor.parameter_count; index += 1) {
        bl_parameter_info *info = (bl_parameter_info *)&plug_in->descriptor.parameters[index];
        info->overview_rank = info->overview_rank == UINT32_MAX ? 0 : info->overview_rank;
    }
}

/* Returns the component's type by its inputs and outputs; `stated` by the class wins if it fits. */
static bl_four_character_code type_of(const bl_unit_descriptor *unit,
                                      bl_four_character_code stated) {
    bool takes_midi = (unit->flags & BL_UNIT_MIDI_INPUT) != 0;
    bool has_input = unit->input_bus_count > 0;
    if (unit->output_bus_count == 0) {
        return has_input ? BL_TYPE_EFFECT : BL_TYPE_MIDI_PROCESSOR;
    }
    if (!has_input) {
        return takes_midi ? BL_TYPE_INSTRUMENT : BL_TYPE_GENERATOR;
    }
    return stated != 0 ? stated : takes_midi ? BL_TYPE_MUSIC_EFFECT : BL_TYPE_EFFECT;
}

void bl_plug_in_finish(bl_plug_in *plug_in) {
    bl_unit_descriptor *unit = &plug_in->descriptor;
    unit->abi_version = BL_ABI_VERSION;
    unit->size = sizeof *unit;
    unit->component.type = type_of(unit, unit->component.type);
    unit->component.subtype = bl_text_code(plug_in->facts.identifier);
    set_capabilities(plug_in);
    rank_parameters(plug_in);
    clear_left_out(plug_in);
    bl_instance_set_functions(unit);
}
