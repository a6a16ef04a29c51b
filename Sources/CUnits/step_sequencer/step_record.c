/* Records keys into steps: into the nearest one while the steps run, else step by step. The player
   hears each key, and the host receives it as a gesture on the step's pitch and velocity. */
#include "step_sequencer/step_sequencer.h"

bool bl_step_records(const bl_step_unit *unit) BL_NONBLOCKING {
    return unit->base.parameters[BL_STEP_RECORD].target > 0.5f;
}

static void notify(const bl_step_unit *unit, const bl_io *io, bl_notice_type type,
                   uint32_t index) BL_NONBLOCKING {
    bl_notice notice = {type, io->now, index, unit->base.parameters[index].target, NULL};
    bl_notify(io->host, &notice);
}

/* Sets a step to a key; false if it is too far from the note. */
static bool record(bl_step_unit *unit, const bl_io *io, uint32_t step,
                   bl_held_key key) BL_NONBLOCKING {
    const bl_parameter_info *pitch = &unit->base.descriptor->parameters[BL_STEP_PITCH];
    float above = (float)key.note - unit->base.parameters[BL_STEP_NOTE].target;
    if (above < pitch->minimum || above > pitch->maximum) {
        return false;
    }
    const uint32_t indices[] = {BL_STEP_PITCH + step, BL_STEP_VELOCITY + step};
    const float values[] = {above, key.velocity};
    for (uint32_t place = 0; place < 2; place += 1) {
        notify(unit, io, BL_NOTICE_GESTURE_BEGIN, indices[place]);
    }
    for (uint32_t place = 0; place < 2; place += 1) {
        bl_ramp_set(&unit->base.parameters[indices[place]], values[place]);
        notify(unit, io, BL_NOTICE_PARAMETER, indices[place]);
    }
    for (uint32_t place = 0; place < 2; place += 1) {
        notify(unit, io, BL_NOTICE_GESTURE_END, indices[place]);
    }
    return true;
}

void bl_step_record(bl_step_unit *unit, const bl_io *io, bl_held_key key) BL_NONBLOCKING {
    uint8_t channel = (uint8_t)unit->base.parameters[BL_STEP_CHANNEL].target;
    int64_t length = (int64_t)unit->base.parameters[BL_STEP_LENGTH].target;
    /* No note sounds twice: the key replaces the step's notes. */
    bl_notes_end(&unit->steps.notes, io, io->now, BL_ALL_CHANNELS);
    bl_notes_begin(&unit->heard, io, io->now, key, channel, key.note);
    if (!bl_step_is_playing(unit)) {
        int64_t place = unit->entered % length;
        unit->entered = record(unit, io, bl_step_at(unit, place), key) ? place + 1 : place;
        return;
    }
    int64_t number = bl_step_nearest(unit, io->now);
    if (record(unit, io, bl_step_of(unit, number), key) &&
        bl_step_is_ahead(unit, number, io->now)) {
        unit->recorded = number; /* it sounds already */
    }
}
