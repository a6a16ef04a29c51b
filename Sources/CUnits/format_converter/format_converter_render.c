/* The sound of the format converter: each output is a weighted sum of the inputs. New gains fade
   in; changes during a fade wait until it has ended. */
#include <string.h>

#include "format_converter/format_converter.h"

void bl_format_converter_receive(bl_format_converter_unit *converter) BL_NONBLOCKING {
    bl_matrix_mailbox *written = &converter->written;
    if ((atomic_load_explicit(&written->middle, memory_order_relaxed) & BL_MATRIX_IS_NEW) != 0) {
        uint32_t taken =
            atomic_exchange_explicit(&written->middle, written->front, memory_order_acq_rel);
        written->front = taken & ~BL_MATRIX_IS_NEW;
        converter->is_changed = true;
    }
}

static void follow(bl_format_converter_unit *converter) BL_NONBLOCKING {
    if (converter->is_changed && converter->fade.left == 0) {
        converter->outgoing = converter->matrix;
        bl_channel_matrix_fill(converter, &converter->matrix);
        bl_crossfade_begin(&converter->fade);
        converter->is_changed = false;
    }
}

/* Adds the inputs in double precision; a single gain of 1 passes its input unchanged. */
static void add_inputs(const float *gains, float *const *input, uint32_t inputs, uint32_t first,
                       uint32_t frames, double *sums) BL_NONBLOCKING {
    memset(sums, 0, frames * sizeof *sums);
    for (uint32_t channel = 0; channel < inputs; channel += 1) {
        const float *samples = input[channel] + first;
        double gain = (double)gains[channel];
        for (uint32_t frame = 0; gain != 0 && frame < frames; frame += 1) {
            sums[frame] += gain * (double)samples[frame];
        }
    }
}

/* Renders at most BL_CHUNK_FRAMES frames, within one fade. */
BL_VECTOR_CLONES
static void convert(const bl_format_converter_unit *converter, float *const *input,
                    float *const *output, uint32_t first, uint32_t frames) BL_NONBLOCKING {
    uint32_t inputs = converter->base.input_channel_count;
    double sums[BL_CHUNK_FRAMES], before[BL_CHUNK_FRAMES];
    for (uint32_t channel = 0; channel < converter->base.output_channel_count; channel += 1) {
        add_inputs(converter->matrix.gains[channel], input, inputs, first, frames, sums);
        if (converter->fade.left > 0) {
            add_inputs(converter->outgoing.gains[channel], input, inputs, first, frames, before);
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                double share =
                    (double)(converter->fade.left - frame) / (converter->fade.frames + 1);
                share *= share * (3 - 2 * share);
                sums[frame] += share * (before[frame] - sums[frame]);
            }
        }
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            output[channel][first + frame] = (float)sums[frame];
        }
    }
}

void bl_format_converter_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                 uint32_t frames) BL_NONBLOCKING {
    bl_format_converter_unit *converter = (bl_format_converter_unit *)unit;
    for (uint32_t end = first_frame + frames; first_frame < end; first_frame += frames) {
        follow(converter);
        frames = bl_fewer(end - first_frame, BL_CHUNK_FRAMES);
        frames = bl_crossfade_before_end(&converter->fade, frames);
        convert(converter, io->input, io->output, first_frame, frames);
        bl_crossfade_advance(&converter->fade, frames);
    }
}
