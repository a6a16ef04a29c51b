/* Ends held notes: of removed cables, of units that are bypassed or fail, of a panic, and those
   whose ends had no room. */
#include "event_source.h"

/* The release velocity of notes that no key ends (MIDI 1.0 Detailed Specification, "Note-Off"). */
#define USUAL_RELEASE 64

/* Sends a message along a cable, which may be one of an old plan. */
static void send(bl_event_source *source, bl_lowered_midi_cable *cable, int64_t time,
                 uint32_t status, uint32_t number, uint8_t value) BL_NONBLOCKING {
    bl_event event = {.sample_time = time, .type = BL_EVENT_MIDI};
    event.midi = (bl_midi_event){0, 3, {(uint8_t)status, (uint8_t)number, value}};
    bl_midi_carry(source, cable, &event, source->midi.event_capacity + BL_MIDI_RELEASE_ROOM);
}

/* Ends every held note on a channel of a cable. */
static void release(bl_event_source *source, bl_lowered_midi_cable *cable, uint32_t channel,
                    int64_t time) BL_NONBLOCKING {
    for (uint32_t half = 0; half < 2; half += 1) {
        for (uint64_t left = cable->held.notes[channel][half]; left != 0; left &= left - 1) {
            uint32_t note = 64 * half + (uint32_t)__builtin_ctzll(left);
            send(source, cable, time, BL_NOTE_OFF | channel, note, USUAL_RELEASE);
        }
    }
    const uint8_t pedals[] = {BL_SUSTAIN_PEDAL, BL_SOSTENUTO_PEDAL};
    for (uint32_t pedal = 0; pedal < 2; pedal += 1) {
        if ((cable->held.pedals >> (16 * pedal + channel) & 1) != 0) {
            send(source, cable, time, BL_CONTROLLER | channel, pedals[pedal], 0);
        }
    }
}

void bl_midi_end_cable(bl_event_source *source, bl_lowered_midi_cable *cable,
                       bl_midi_end end) BL_NONBLOCKING {
    const uint8_t controllers[] = {BL_SUSTAIN_PEDAL, BL_ALL_NOTES_OFF, BL_ALL_SOUND_OFF};
    for (uint32_t channel = 0; channel < 16; channel += 1) {
        release(source, cable, channel, end.time);
    }
    for (uint32_t message = 0; end.is_panic && message < 3 * 16; message += 1) {
        send(source, cable, end.time, BL_CONTROLLER | message / 3, controllers[message % 3], 0);
    }
}

void bl_midi_end_later(const bl_event_source *source, bl_lowered_midi_cable *cable,
                       bl_midi_end end) BL_NONBLOCKING {
    uint32_t frame = (uint32_t)(end.time - source->sample_time), count = cable->end_count;
    bool joins = count == BL_MOST_ENDS || (count > 0 && cable->ends[count - 1].frame == frame);
    bl_later_end *later = &cable->ends[joins ? count - 1 : count];
    bool is_panic = end.is_panic || (joins && later->is_panic);
    *later = (bl_later_end){frame, is_panic, cable->source->bypassed};
    cable->end_count += !joins;
}

void bl_midi_end_until(bl_event_source *source, bl_lowered_midi_cable *cable,
                       int64_t time) BL_NONBLOCKING {
    for (; cable->ended < cable->end_count; cable->ended += 1) {
        const bl_later_end *later = &cable->ends[cable->ended];
        bl_midi_end end = {source->sample_time + later->frame, later->is_panic};
        if (end.time > time) {
            break;
        }
        bl_midi_pass_until(source, cable, end.time);
        bl_midi_end_cable(source, cable, end);
        cable->is_passed = later->is_passed;
    }
    bl_midi_pass_until(source, cable, time);
}

void bl_midi_end_sending(bl_event_source *source, const bl_midi_sender *sender) BL_NONBLOCKING {
    for (uint32_t index = 0; index < sender->cable_count; index += 1) {
        bl_midi_end_until(source, &sender->cables[index], INT64_MAX);
        sender->cables[index].end_count = sender->cables[index].ended = 0;
    }
}

void bl_midi_release_sent(bl_event_source *source, const bl_midi_sender *sender) BL_NONBLOCKING {
    for (uint32_t index = 0; index < sender->cable_count; index += 1) {
        bl_midi_end_cable(source, &sender->cables[index],
                          (bl_midi_end){source->sample_time, false});
    }
}

void bl_midi_end_received(bl_event_source *source, const bl_receiver *receiver,
                          bl_midi_end end) BL_NONBLOCKING {
    for (uint32_t index = 0; index < source->plan->midi.cable_count; index += 1) {
        bl_lowered_midi_cable *cable = &source->plan->midi.cables[index];
        bool is_meant = receiver == NULL || cable->destination == receiver;
        if (is_meant && cable->source != NULL) {
            bl_midi_end_later(source, cable, end);
        } else if (is_meant) {
            bl_midi_end_cable(source, cable, end);
        }
    }
}

void bl_midi_release_input(bl_event_source *source, uint32_t port) BL_NONBLOCKING {
    for (uint32_t index = 0; index < source->plan->midi.input_cable_count; index += 1) {
        bl_lowered_midi_cable *cable = &source->plan->midi.cables[index];
        if (cable->source_cable == port) {
            bl_midi_end_cable(source, cable, (bl_midi_end){source->sample_time, false});
        }
    }
}
