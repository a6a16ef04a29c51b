/* JACK's transport and timebase. */
#include <math.h>

#include "jack_client_private.h"

/* Whether the position has valid beats of a timebase master. */
static bool has_beats(const jack_position_t *position) BL_JACK_NONBLOCKING {
    return (position->valid & JackPositionBBT) != 0 && position->beats_per_minute > 0 &&
           position->ticks_per_beat > 0 && position->beats_per_bar > 0 && position->beat_type > 0;
}

/* Reads bars and beats, which count from 1, and ticks from 0; they are valid bbt_offset frames
   later. */
static void read_beats(bl_musical_context *context,
                       const jack_position_t *position) BL_JACK_NONBLOCKING {
    double offset = (position->valid & JackBBTFrameOffset) != 0 ? position->bbt_offset : 0;
    double late = offset / position->frame_rate * position->beats_per_minute / 60;
    context->tempo = position->beats_per_minute;
    context->time_signature_numerator = position->beats_per_bar;
    context->time_signature_denominator = (int32_t)position->beat_type;
    context->downbeat_position = position->bar_start_tick / position->ticks_per_beat;
    context->beat_position = context->downbeat_position + (position->beat - 1) +
                             position->tick / position->ticks_per_beat - late;
}

#define BEATS_PER_BAR 4
#define TICKS_PER_BEAT 1920
/* The tolerance of beats in floating point: rounding must not turn a beat into the one before. */
#define NEARLY_A_BEAT 1e-9

static double beats_at(const bl_jack_transport *music, uint32_t frame,
                       uint32_t rate) BL_JACK_NONBLOCKING {
    double frames = (double)frame - (double)music->anchor_frame;
    return music->anchor_beat + frames / rate * music->tempo / 60;
}

static void count_beats(bl_jack_transport *music, const jack_position_t *position, bool jumps,
                        double tempo) BL_JACK_NONBLOCKING {
    if (jumps) {
        music->anchor_frame = 0;
        music->anchor_beat = 0;
    } else if (tempo != music->tempo && music->tempo > 0) {
        music->anchor_beat = beats_at(music, position->frame, position->frame_rate);
        music->anchor_frame = position->frame;
    }
    music->tempo = tempo;
    bl_musical_context *context = &music->context;
    context->tempo = tempo;
    context->time_signature_numerator = BEATS_PER_BAR;
    context->time_signature_denominator = 4;
    context->beat_position = beats_at(music, position->frame, position->frame_rate);
    context->downbeat_position = floor(context->beat_position / BEATS_PER_BAR) * BEATS_PER_BAR;
}

void bl_jack_read_transport(bl_jack_transport *music, const bl_jack_library *library,
                            jack_client_t *client, uint32_t frames, double tempo,
                            bool is_master) BL_JACK_NONBLOCKING {
    jack_position_t position;
    bool moves = library->jack_transport_query(client, &position) == JackTransportRolling;
    bool moved = (music->transport.flags & BL_TRANSPORT_MOVING) != 0;
    bool jumps = position.frame != music->expected_frame;
    bool changed = moves != moved || jumps;
    music->transport = (bl_transport_state){
        .flags = (moves ? BL_TRANSPORT_MOVING : 0) | (changed ? BL_TRANSPORT_CHANGED : 0),
        .sample_position = position.frame,
    };
    music->expected_frame = position.frame + (moves ? frames : 0);
    /* While the transport rolls, JACK asks the timebase master in every cycle. */
    bool is_ours = is_master && (music->is_requested || !moves || !moved);
    music->is_requested = false;
    count_beats(music, &position, jumps, tempo);
    music->follows_another = !is_ours && has_beats(&position);
    if (music->follows_another) {
        read_beats(&music->context, &position);
    }
}

void bl_jack_write_beats(bl_jack_transport *music, jack_position_t *position) BL_JACK_NONBLOCKING {
    bool jumps = position->frame != music->expected_frame;
    double beat = jumps ? (double)position->frame / position->frame_rate * music->tempo / 60
                        : beats_at(music, position->frame, position->frame_rate);
    double whole = floor(beat + NEARLY_A_BEAT);
    double bar = floor(whole / BEATS_PER_BAR);
    double rest = beat > whole ? beat - whole : 0;
    position->valid = JackPositionBBT;
    position->bar = (int32_t)bar + 1;
    position->beat = (int32_t)(whole - bar * BEATS_PER_BAR) + 1;
    position->tick = (int32_t)(rest * TICKS_PER_BEAT);
    position->bar_start_tick = bar * BEATS_PER_BAR * TICKS_PER_BEAT;
    position->beats_per_bar = BEATS_PER_BAR;
    position->beat_type = 4;
    position->ticks_per_beat = TICKS_PER_BEAT;
    position->beats_per_minute = music->tempo;
    music->is_requested = true;
}
