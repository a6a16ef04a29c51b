#include "jack_music.h"

#include <math.h>

/* What the timebase master says, if it makes sense. */
static bool has_beats(const jack_position_t *position) BL_JACK_NONBLOCKING {
    return (position->valid & JackPositionBBT) != 0 && position->beats_per_minute > 0 &&
           position->ticks_per_beat > 0 && position->beats_per_bar > 0 && position->beat_type > 0;
}

/* Bars and beats count from 1, ticks from 0; they are those of bbt_offset frames later. */
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

static void count_beats(bl_musical_context *context, const jack_position_t *position,
                        double tempo) BL_JACK_NONBLOCKING {
    context->tempo = tempo;
    context->time_signature_numerator = 4;
    context->time_signature_denominator = 4;
    context->beat_position = (double)position->frame / position->frame_rate * tempo / 60;
    context->downbeat_position = floor(context->beat_position / 4) * 4;
}

void bl_jack_read_music(bl_jack_music *music, const bl_jack_library *library, jack_client_t *client,
                        uint32_t frames, double tempo) BL_JACK_NONBLOCKING {
    jack_position_t position;
    bool moves = library->jack_transport_query(client, &position) == JackTransportRolling;
    bool moved = (music->transport.flags & BL_TRANSPORT_MOVING) != 0;
    bool changed = moves != moved || position.frame != music->expected_frame;
    music->transport = (bl_transport_state){
        .flags = (moves ? BL_TRANSPORT_MOVING : 0) | (changed ? BL_TRANSPORT_CHANGED : 0),
        .sample_position = position.frame,
    };
    music->expected_frame = position.frame + (moves ? frames : 0);
    if (has_beats(&position)) {
        read_beats(&music->context, &position);
    } else {
        count_beats(&music->context, &position, tempo);
    }
}
