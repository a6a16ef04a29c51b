/* The formats that a kit unit supports, by its descriptor alone. See kit.h. */
#ifndef BACKLINE_KIT_FORMAT_H
#define BACKLINE_KIT_FORMAT_H

#include "unit.h"

/* Input busses that a host may set; template parameters exist for each. */
static inline uint32_t bl_kit_most_inputs(const bl_unit_descriptor *descriptor) {
    uint32_t most = descriptor->maximum_input_bus_count;
    return most > descriptor->input_bus_count ? most : descriptor->input_bus_count;
}

/* The table's entry for input bus `bus`; busses past the table use its last entry. */
static inline const bl_bus_info *bl_kit_input_info(const bl_unit_descriptor *descriptor,
                                                   uint32_t bus) {
    uint32_t last = descriptor->input_bus_count - 1;
    return &descriptor->input_busses[bus < last ? bus : last];
}

/* Whether the input bus is a sidechain, to which channel capabilities do not apply (bus.h). */
static inline bool bl_kit_is_sidechain(const bl_unit_descriptor *descriptor, uint32_t bus) {
    bool has_main = false;
    for (uint32_t index = 0; index < descriptor->input_bus_count; index += 1) {
        has_main = has_main || (descriptor->input_busses[index].flags & BL_BUS_OPTIONAL) == 0;
    }
    return has_main && (bl_kit_input_info(descriptor, bus)->flags & BL_BUS_OPTIONAL) != 0;
}

/* Whether one of the capabilities allows these counts; no input channels mean no input bus. */
static inline bool bl_kit_allows_pair(const bl_unit_descriptor *descriptor, uint32_t input,
                                      uint32_t output) {
    bool allows = descriptor->channel_capability_count == 0 && (input == 0 || input == output);
    for (uint32_t index = 0; index < descriptor->channel_capability_count; index += 1) {
        int from = descriptor->channel_capabilities[index].input;
        int to = descriptor->channel_capabilities[index].output;
        bool is_same = from == -1 && to == -1 && input > 0;
        allows = allows || ((from < 0 || (uint32_t)from == input) &&
                            (to < 0 || (uint32_t)to == output) && (!is_same || input == output));
    }
    return allows && output >= 1 && output <= BL_MAXIMUM_CHANNELS;
}

/* Whether the unit can have this input bus beside an output of this channel count. */
static inline bool bl_kit_allows_input(const bl_unit_descriptor *descriptor,
                                       const bl_render_configuration *configuration, uint32_t bus,
                                       uint32_t output) {
    uint32_t count = configuration->input_channel_counts[bus];
    return bl_kit_is_sidechain(descriptor, bus)
               ? count >= 1 && count <= bl_kit_input_info(descriptor, bus)->default_channel_count
               : count >= 1 && bl_kit_allows_pair(descriptor, count, output);
}

static inline bool bl_kit_allows(const bl_unit_descriptor *descriptor,
                                 const bl_render_configuration *configuration) {
    uint32_t inputs = configuration->input_bus_count;
    bool allows = configuration->output_bus_count == descriptor->output_bus_count &&
                  inputs <= bl_kit_most_inputs(descriptor);
    for (uint32_t bus = inputs; allows && bus < descriptor->input_bus_count; bus += 1) {
        allows = (descriptor->input_busses[bus].flags & BL_BUS_OPTIONAL) != 0;
    }
    for (uint32_t bus = 0; allows && bus < inputs; bus += 1) {
        uint32_t count = configuration->input_channel_counts[bus];
        bool is_free =
            configuration->output_bus_count > 0 || descriptor->channel_capability_count == 0;
        allows = count >= 1 && count <= BL_MAXIMUM_CHANNELS &&
                 (is_free || bl_kit_allows_input(descriptor, configuration, bus, 0));
    }
    for (uint32_t output = 0; allows && output < configuration->output_bus_count; output += 1) {
        uint32_t count = configuration->output_channel_counts[output];
        allows = inputs > 0 || bl_kit_allows_pair(descriptor, 0, count);
        for (uint32_t bus = 0; allows && bus < inputs; bus += 1) {
            allows = bl_kit_allows_input(descriptor, configuration, bus, count);
        }
    }
    return allows;
}

#endif
