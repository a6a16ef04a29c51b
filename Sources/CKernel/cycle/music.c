/* Musical time and transport, stretch by stretch. */
#include <math.h>

#include "cycle/kernel_state.h"

/* Beats are computed in floating point: rounding must not move a beat to the next frame. */
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
    /* The tempo of another program may have any value. */
    return !(frames > 0) ? 0 : frames < UINT32_MAX ? (uint32_t)frames : UINT32_MAX;
}

void bl_kernel_update_music(bl_kernel *kernel, const bl_cycle *cycle,
                            uint32_t offset) BL_NONBLOCKING {
    bl_music *music = &kernel->music;
    bool moves = cycle->transport_state != NULL &&
                 (cycle->transport_state->flags & BL_TRANSPORT_MOVING) != 0;
    kernel->music_time = kernel->events.sample_time;
    if (cycle->transport_state != NULL) {
        music->transport = *cycle->transport_state;
        music->transport.sample_position += moves ? offset : 0;
        music->transport.flags &= offset > 0 ? ~(uint32_t)BL_TRANSPORT_CHANGED : UINT32_MAX;
    }
    if (cycle->musical_context != NULL) {
        music->context = *cycle->musical_context;
        move_context(&music->context, moves ? offset : 0, kernel->events.sample_rate);
        music->context.frames_to_next_beat =
            frames_to_next_beat(&music->context, kernel->events.sample_rate);
    }
}
