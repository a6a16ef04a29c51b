/* Step sequencer: repeats a row of steps in time with the music. */
#include "step_sequencer/step_sequencer.h"

#include "base/built_in.h"
#include "step_sequencer/step_parameters.h"
#include "step_sequencer/step_presets.h"

static void reset(bl_unit *opaque) BL_NONBLOCKING {
    bl_step_unit *unit = (bl_step_unit *)opaque;
    bl_beat_steps_reset(&unit->steps);
    unit->keys.count = 0;
    unit->heard = (bl_notes){0};
    unit->entered = 0;
    unit->recorded = BL_STEP_NONE;
}

static void stop_unless_playing(bl_step_unit *unit, const bl_io *io, int64_t time) BL_NONBLOCKING {
    if (!bl_step_is_playing(unit)) {
        bl_notes_end(&unit->steps.notes, io, time, BL_ALL_CHANNELS);
    }
}

static void midi(bl_unit *opaque, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    bl_step_unit *unit = (bl_step_unit *)opaque;
    uint8_t channel = message->bytes[0] & 15;
    if (bl_midi_is_note_on(message) && bl_step_records(unit)) {
        bl_step_record(unit, io, bl_held_key_of(message));
    } else if (bl_midi_is_note_on(message)) {
        bl_held_keys_strike(&unit->keys, bl_held_key_of(message));
        if (unit->keys.count == 1 && !unit->steps.line.moves) {
            bl_beat_line_restart(&unit->steps.line, io->now);
            unit->steps.last = BL_BEAT_NOWHERE;
        }
    } else if (bl_midi_is_note_off(message)) {
        bl_held_keys_remove(&unit->keys, channel, message->bytes[1]);
        bl_notes_release(&unit->heard, io, io->now, channel, message->bytes[1], message->bytes[2]);
        stop_unless_playing(unit, io, io->now);
    } else if ((message->bytes[0] & 0xF0) != BL_NOTE_PRESSURE) {
        if (bl_midi_is_all_off(message)) {
            bl_held_keys_remove(&unit->keys, channel, BL_ALL_KEYS);
            bl_notes_end(&unit->steps.notes, io, io->now, BL_ALL_CHANNELS);
            bl_notes_end(&unit->heard, io, io->now, channel);
        }
        bl_midi_processor_pass(io, io->now, message);
    }
}

/* The unit's own quarter note, seconds. */
static double own_quarter(const bl_step_unit *unit) BL_NONBLOCKING {
    return 60 / (double)unit->base.parameters[BL_STEP_TEMPO].target;
}

static void change(bl_unit *opaque, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_step_unit *unit = (bl_step_unit *)opaque;
    bl_kit_apply(opaque, event);
    if (io == NULL) {
        return;
    }
    if (event->parameter.address == BL_STEP_RECORD) {
        unit->entered = 0;
    }
    bl_beat_line_turn(&unit->steps.line, io->now, own_quarter(unit), unit->base.sample_rate);
    stop_unless_playing(unit, io, io->now);
}

static void process(bl_unit *opaque, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    int64_t first = io->time + first_frame, end = first + frames;
    bl_step_unit *unit = (bl_step_unit *)opaque;
    if (unit->steps.line.jumps) {
        bl_notes_end(&unit->steps.notes, io, first, BL_ALL_CHANNELS);
        unit->steps.last = BL_BEAT_NOWHERE;
        unit->steps.line.jumps = false;
        unit->recorded = BL_STEP_NONE;
    }
    stop_unless_playing(unit, io, first);
    bl_step_play_steps(unit, io, first, end);
}

static void cycle(bl_unit *opaque, bl_io *io) BL_NONBLOCKING {
    bl_step_unit *unit = (bl_step_unit *)opaque;
    bl_beat_line_follow(&unit->steps.line, io, true, own_quarter(unit), unit->base.sample_rate);
}

BL_KIT(bl_step_unit, .process = process, .change = change, .midi = midi, .cycle = cycle,
       .reset = reset)

/* Notes end with the last key, and with the transport. */
static double tail_time(const bl_unit *opaque) BL_NONBLOCKING {
    const bl_ramp *ramps = ((const bl_step_unit *)opaque)->base.parameters;
    return (uint32_t)ramps[BL_STEP_PLAY].target == BL_STEP_KEYS ? 0 : INFINITY;
}

const bl_unit_descriptor bl_step_sequencer = {
    BL_MIDI_SOURCE('s', 't', 'e', 'p'),
    .name = "Step Sequencer",
    BL_TAGS("MIDI", "Sequence", "Time"),
    .summary = "Repeats up to 64 steps in time with the music, by itself or while keys are held",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
