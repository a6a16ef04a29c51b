#include "convolver/convolver_unit.h"

bl_unit *bl_convolver_create(const bl_unit_descriptor *descriptor, size_t size, uint32_t slot_count,
                             bool align) {
    bl_convolver_unit *unit = (bl_convolver_unit *)bl_unit_base_create(descriptor, size);
    if (unit != NULL) {
        unit->slot_count = slot_count;
        for (uint32_t slot = 0; slot < slot_count; slot += 1) {
            bl_convolver_slot_begin(&unit->slots[slot], align);
        }
    }
    return (bl_unit *)unit;
}

void bl_convolver_destroy(bl_unit *unit) {
    bl_convolver_unit *convolver = (bl_convolver_unit *)unit;
    for (uint32_t slot = 0; slot < convolver->slot_count; slot += 1) {
        bl_convolver_slot_close(&convolver->slots[slot]);
    }
    bl_unit_base_destroy(unit);
}

bl_status bl_convolver_allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_convolver_unit *convolver = (bl_convolver_unit *)unit;
    if (configuration->input_bus_count == 0) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    bl_status status = bl_unit_base_allocate(unit, configuration);
    for (uint32_t slot = 0; status == BL_OK && slot < convolver->slot_count; slot += 1) {
        if (!bl_convolver_slot_allocate(&convolver->slots[slot], configuration->sample_rate,
                                        convolver->base.input_channel_count,
                                        convolver->base.output_channel_count)) {
            bl_convolver_deallocate(unit);
            status = BL_ERROR_OUT_OF_MEMORY;
        }
    }
    return status;
}

void bl_convolver_deallocate(bl_unit *unit) {
    bl_convolver_unit *convolver = (bl_convolver_unit *)unit;
    for (uint32_t slot = 0; slot < convolver->slot_count; slot += 1) {
        bl_convolver_slot_deallocate(&convolver->slots[slot]);
    }
    bl_unit_base_deallocate(unit);
}

void bl_convolver_reset(bl_unit *unit, const bl_response_trim *trim) BL_NONBLOCKING {
    bl_convolver_unit *convolver = (bl_convolver_unit *)unit;
    for (uint32_t slot = 0; slot < convolver->slot_count; slot += 1) {
        bl_convolver_slot_reset(&convolver->slots[slot], trim);
    }
    convolver->cut = (bl_wet_cut){0};
}
