#define _GNU_SOURCE
#include "loops.h"

#include <time.h>

#include "host.h"

void bl_loop_kernel(bl_kernel *kernel, const bl_cycle *cycle, uint32_t cycles) {
    for (uint32_t done = 0; done < cycles; done += 1) {
        bl_kernel_begin_cycle(kernel);
        bl_kernel_render(kernel, cycle);
    }
}

typedef struct block {
    const bl_loop_unit *loop;
    uint32_t first_frame;
} block;

static bl_status pull(void *context, uint32_t flags, const bl_timestamp *timestamp, uint32_t frames,
                      uint32_t bus, bl_buffers *input) BL_NONBLOCKING {
    (void)flags, (void)timestamp, (void)frames, (void)bus;
    const block *block = context;
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        /* Units read their input and write it only where it is their output. */
        input->channels[channel] =
            (float *)(uintptr_t)(block->loop->inputs[channel] + block->first_frame);
    }
    return BL_OK;
}

static bl_status render_block(bl_loop_unit *loop, uint32_t first_frame, const bl_event *events) {
    block block = {loop, first_frame};
    bl_render_host host = {
        .size = sizeof host, .context = &block, .pull_input = pull, .send_midi = bl_send_nowhere};
    bl_timestamp timestamp = {loop->sample_time};
    float *pointers[2] = {NULL, NULL};
    if ((loop->descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) == 0) {
        pointers[0] = loop->outputs[0] + first_frame;
        pointers[1] = loop->outputs[1] + first_frame;
    }
    bl_buffers output = {2, pointers};
    loop->sample_time += loop->block_frames;
    return loop->descriptor->render(loop->unit, 0, &timestamp, loop->block_frames, 0, &output,
                                    events, &host);
}

bl_status bl_loop_render(bl_loop_unit *loop) {
    bl_status status = BL_OK;
    for (uint32_t frame = 0; frame < loop->total_frames; frame += loop->block_frames) {
        bl_status answer = render_block(loop, frame, NULL);
        status = answer != BL_OK ? answer : status;
    }
    return status;
}

void bl_loop_time(bl_loop_unit *loop, double *nanoseconds) {
    for (uint32_t frame = 0; frame < loop->total_frames; frame += loop->block_frames) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        render_block(loop, frame, NULL);
        clock_gettime(CLOCK_MONOTONIC, &end);
        nanoseconds[frame / loop->block_frames] =
            (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
    }
}

bl_status bl_loop_send(bl_loop_unit *loop, uint8_t status, uint8_t first, uint8_t second) {
    bl_event event = {.sample_time = loop->sample_time, .type = BL_EVENT_MIDI};
    event.midi = (bl_midi_event){0, 3, {status, first, second}};
    return render_block(loop, 0, &event);
}
