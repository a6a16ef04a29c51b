#include "cycle/musical_context.h"

#include <math.h>

/* Beats are counted in floating point: a beat that is due on a frame must not slip to the next. */
#define NEARLY_A_FRAME 1e-6

static void move_context(bl_musical_context *context, uint32_t frames,
                         double sample_rate) BL_NONBLOCKING {
    double beats_per_frame = context->tempo / (60 * sample_rate);
    double numerator = context->time_signature_numerator;
    context->beat_position += frames * beats_per_frame;
    if (numerator > 0) {
        double bars = floor((context->beat_position - context->downbeat_position) / numerator);
        context->downbeat_position += bars * numerator;
    }
}

static uint32_t frames_to_next_beat(const bl_musical_context *context,
                                    double sample_rate) BL_NONBLOCKING {
    double left = ceil(context->beat_position) - context->beat_position;
    double frames = ceil(left * 60 * sample_rate / context->tempo - NEARLY_A_FRAME);
    /* Not for a tempo that some other program has made up. */
    if (!(frames > 0)) {
        return 0;
    }
    return frames < UINT32_MAX ? (uint32_t)frames : UINT32_MAX;
}

void bl_music_at(bl_music *music, const bl_cycle *cycle, uint32_t offset,
                 double sample_rate) BL_NONBLOCKING {
    bool moves = cycle->transport_state != NULL &&
                 (cycle->transport_state->flags & BL_TRANSPORT_MOVING) != 0;
    if (cycle->transport_state != NULL) {
        music->transport = *cycle->transport_state;
        music->transport.sample_position += moves ? offset : 0;
        music->transport.flags &= offset > 0 ? ~(uint32_t)BL_TRANSPORT_CHANGED : UINT32_MAX;
    }
    if (cycle->musical_context != NULL) {
        music->context = *cycle->musical_context;
        move_context(&music->context, moves ? offset : 0, sample_rate);
        music->context.frames_to_next_beat = frames_to_next_beat(&music->context, sample_rate);
    }
}
