#include "convolver/convolver_unit.h"

void bl_convolver_create(bl_unit *unit, uint32_t slot_count, bool align) {
    bl_convolver_unit *convolver = (bl_convolver_unit *)unit;
    convolver->slot_count = slot_count;
    for (uint32_t slot = 0; slot < slot_count; slot += 1) {
        bl_convolver_slot_begin(&convolver->slots[slot], align);
    }
}

void bl_convolver_destroy(bl_unit *unit) {
    bl_convolver_unit *convolver = (bl_convolver_unit *)unit;
    for (uint32_t slot = 0; slot < convolver->slot_count; slot += 1) {
        bl_convolver_slot_close(&convolver->slots[slot]);
    }
}

bl_status bl_convolver_prepare(bl_unit *unit) {
    bl_convolver_unit *convolver = (bl_convolver_unit *)unit;
    for (uint32_t slot = 0; slot < convolver->slot_count; slot += 1) {
        if (!bl_convolver_slot_allocate(&convolver->slots[slot], convolver->base.sample_rate,
                                        convolver->base.input_channel_count,
                                        convolver->base.output_channel_count)) {
            bl_convolver_finish(unit);
            return BL_ERROR_OUT_OF_MEMORY;
        }
    }
    return BL_OK;
}

void bl_convolver_finish(bl_unit *unit) {
    bl_convolver_unit *convolver = (bl_convolver_unit *)unit;
    for (uint32_t slot = 0; slot < convolver->slot_count; slot += 1) {
        bl_convolver_slot_deallocate(&convolver->slots[slot]);
    }
}

void bl_convolver_reset(bl_unit *unit, const bl_response_trim *trim) BL_NONBLOCKING {
    bl_convolver_unit *convolver = (bl_convolver_unit *)unit;
    for (uint32_t slot = 0; slot < convolver->slot_count; slot += 1) {
        bl_convolver_slot_reset(&convolver->slots[slot], trim);
    }
    convolver->cut = (bl_wet_cut){0};
}
