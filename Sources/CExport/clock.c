/* Musical time: from the host's time:Position, or running from the start. */
#include <math.h>

#include <lv2/atom/util.h>

#include "instance.h"

/* Beats by which the host's time may differ before it counts as a jump. */
#define NEARLY 1e-3

void bl_clock_start(bl_clock *clock, double tempo) {
    *clock = (bl_clock){.speed = 1};
    clock->music.tempo = tempo;
    clock->music.time_signature_numerator = 4;
    clock->music.time_signature_denominator = 4;
    clock->transport.flags = BL_TRANSPORT_MOVING | BL_TRANSPORT_CHANGED;
}

/* A number of any of the types that hosts use; false for others. */
static bool read_number(const bl_export_urids *urids, const LV2_Atom *atom,
                        double *number) BL_NONBLOCKING {
    const void *body = atom + 1;
    if (atom->type == urids->real) {
        *number = (double)*(const float *)body;
    } else if (atom->type == urids->double_real) {
        *number = *(const double *)body;
    } else if (atom->type == urids->integer) {
        *number = *(const int32_t *)body;
    } else if (atom->type == urids->long_integer) {
        *number = (double)*(const int64_t *)body;
    } else {
        return false;
    }
    return isfinite(*number);
}

/* The contents of a time:Position; `has_…`: the value is present. */
typedef struct position {
    double bar, bar_beat, beat;
    bool has_bar, has_bar_beat, has_beat;
} position;

static void read_property(bl_clock *clock, position *found, const bl_export_urids *urids,
                          LV2_URID key, double value) BL_NONBLOCKING {
    if (key == urids->speed) {
        clock->speed = value;
    } else if (key == urids->frame) {
        clock->frame = value;
    } else if (key == urids->beats_per_minute && value > 0) {
        clock->music.tempo = value;
    } else if (key == urids->beats_per_bar && value > 0) {
        clock->music.time_signature_numerator = value;
    } else if (key == urids->beat_unit && value >= 1 && value <= 1024) {
        clock->music.time_signature_denominator = (int32_t)value;
    } else if (key == urids->bar) {
        found->bar = value;
        found->has_bar = true;
    } else if (key == urids->bar_beat) {
        found->bar_beat = value;
        found->has_bar_beat = true;
    } else if (key == urids->beat) {
        found->beat = value;
        found->has_beat = true;
    }
}

void bl_clock_follow(bl_clock *clock, const bl_export_urids *urids,
                     const LV2_Atom_Object *object) BL_NONBLOCKING {
    bl_clock former = *clock;
    position found = {0};
    LV2_ATOM_OBJECT_FOREACH(object, property) {
        double value = 0;
        if (read_number(urids, &property->value, &value)) {
            read_property(clock, &found, urids, property->key, value);
        }
    }
    bl_musical_context *music = &clock->music;
    double numerator = music->time_signature_numerator;
    if (found.has_beat || (found.has_bar && found.has_bar_beat)) {
        music->beat_position = found.has_beat ? found.beat : found.bar * numerator + found.bar_beat;
        music->downbeat_position = found.has_bar_beat
                                       ? music->beat_position - found.bar_beat
                                       : floor(music->beat_position / numerator) * numerator;
    }
    bool moves = clock->speed != 0;
    bool moved = (former.transport.flags & BL_TRANSPORT_MOVING) != 0;
    bool jumped = fabs(music->beat_position - former.music.beat_position) > NEARLY ||
                  fabs(clock->frame - former.frame) > 1;
    clock->transport.sample_position = (int64_t)clock->frame;
    clock->transport.flags =
        (moves ? BL_TRANSPORT_MOVING : 0u) | (moves != moved || jumped ? BL_TRANSPORT_CHANGED : 0u);
}

void bl_clock_advance(bl_clock *clock, uint32_t frames, double sample_rate) BL_NONBLOCKING {
    bl_musical_context *music = &clock->music;
    clock->transport.flags &= ~(uint32_t)BL_TRANSPORT_CHANGED;
    if (clock->speed == 0) {
        return;
    }
    clock->frame += clock->speed * frames;
    clock->transport.sample_position = (int64_t)clock->frame;
    music->beat_position += clock->speed * frames * music->tempo / (60 * sample_rate);
    double bars =
        floor((music->beat_position - music->downbeat_position) / music->time_signature_numerator);
    music->downbeat_position += bars * music->time_signature_numerator;
}
