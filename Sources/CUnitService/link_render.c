/* The answer on its way back. Nothing in it is believed. */

#include <math.h>
#include <string.h>

#include "link_private.h"

/* A file is rendered at the pace of its slowest unit, but not for ever. Nanoseconds */
static const int64_t offline_patience = 60000000000;
/* So often whoever waits looks whether the process has died. Nanoseconds */
static const int64_t longest_sleep = 20000000;

/* Whether the host waits for the answer however long it takes. */
static bool may_wait(uint32_t flags) BL_NONBLOCKING {
    return (flags & (BL_RENDER_OFFLINE | BL_RENDER_MAY_WAIT)) != 0;
}

static bool has_answered(const bl_service_link *link) BL_NONBLOCKING {
    return atomic_load(&link->lane->segment.words->answered) == link->lane->posted;
}

/* Has a process died on which the answer hangs: of one that hands on, from `first` to `last`? */
static bool has_died(const bl_service_link *first, const bl_service_link *last) BL_NONBLOCKING {
    const bl_service_link *link = first;
    while (!atomic_load(&link->lane->is_dead) && link != last) {
        link = link->following;
    }
    return atomic_load(&link->lane->is_dead);
}

/* Looks for the last one's answer a while, then sleeps; false when it does not come. */
static bool await(const bl_service_link *first, bl_service_link *last,
                  int64_t patience) BL_NONBLOCKING {
    if (has_answered(last)) {
        return true;
    }
    bl_service_words *words = last->lane->segment.words;
    int64_t now = bl_service_now();
    int64_t spin = atomic_load_explicit(&last->spin, memory_order_relaxed);
    int64_t until = now + patience, looked = now + (spin < patience ? spin : patience);
    while (now < looked) {
        if (has_answered(last)) {
            return true;
        }
        now = bl_service_now();
    }
    atomic_store(&words->host_sleeps, 1);
    while (!has_answered(last) && !has_died(first, last) && now < until) {
        uint32_t answered = atomic_load(&words->answered);
        if (answered != last->lane->posted) {
            int64_t end = until - now < longest_sleep ? until : now + longest_sleep;
            bl_service_watch_wait(&last->watch, &words->answered, answered, now, end);
            now = bl_service_now();
        }
    }
    atomic_store(&words->host_sleeps, 0);
    return has_answered(last);
}

/* Waits for the last of those that hand on to one another from here: then all have answered. Where
   it does not come in time, nobody in the row is waited for any more. */
static bool await_chain(bl_service_link *link, uint32_t flags) BL_NONBLOCKING {
    int64_t patience = atomic_load_explicit(&link->watch.patience, memory_order_relaxed);
    bl_service_link *last = link;
    while (last->following != NULL) {
        last = last->following;
        patience += atomic_load_explicit(&last->watch.patience, memory_order_relaxed);
    }
    patience = may_wait(flags) ? offline_patience : patience;
    if (!await(link, last, link->is_out_of_time ? 0 : patience)) {
        for (bl_service_link *next = link; next != NULL; next = next->following) {
            next->is_out_of_time = true;
        }
    }
    return has_answered(link);
}

void bl_service_take_times(bl_service_link *link, uint32_t latency,
                           double tail_time) BL_NONBLOCKING {
    if (latency <= BL_MAXIMUM_LATENCY) {
        atomic_store_explicit(&link->present_latency, latency, memory_order_relaxed);
    }
    if (tail_time >= 0) {
        atomic_store_explicit(&link->present_tail_time, tail_time, memory_order_relaxed);
    }
}

static void take_times(bl_service_link *link, const bl_service_answer *answer) BL_NONBLOCKING {
    bl_service_take_times(link, answer->latency, answer->tail_time);
    atomic_store_explicit(&link->nanoseconds, answer->nanoseconds, memory_order_relaxed);
}

/* What a unit sent in the cycle of so many frames that began at `begin`, to be heard `delay` frames
   later. */
static void deliver_midi(bl_service_link *link, const bl_service_answer *answer, int64_t begin,
                         uint32_t frames, int64_t delay,
                         const bl_render_host *host) BL_NONBLOCKING {
    const bl_service_segment *segment = &link->lane->segment;
    if (answer->midi_count == 0) {
        return;
    }
    if (answer->midi_count > BL_SERVICE_MIDI_CAPACITY ||
        answer->byte_count > BL_SERVICE_BYTE_CAPACITY) {
        bl_service_count(&link->nonsense);
        return;
    }
    memcpy(link->midi_bytes, segment->midi_bytes, answer->byte_count);
    int64_t earliest = begin, end = begin + frames;
    uint32_t next_byte =
        0; /* messages lie one behind the other: together they are as long as that */
    for (uint32_t index = 0; index < answer->midi_count; index += 1) {
        bl_service_midi message = segment->midi[index];
        bool is_sound = message.sample_time >= earliest && message.sample_time < end &&
                        message.cable <= UINT8_MAX && message.first_byte == next_byte &&
                        message.length <= answer->byte_count - message.first_byte;
        if (!is_sound) {
            bl_service_count(&link->nonsense);
            continue;
        }
        earliest = message.sample_time;
        next_byte += message.length;
        host->send_midi(host->context, message.sample_time + delay, (uint8_t)message.cable,
                        message.length, link->midi_bytes + message.first_byte);
    }
}

/* False when the samples are finite and yet cannot be meant; of a copy that nobody else can change.
 */
static bool are_sound(const float *samples, uint32_t frames) BL_NONBLOCKING {
    float peak = 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float magnitude = fabsf(samples[frame]);
        peak = magnitude > peak ? magnitude : peak;
    }
    return peak <= BL_SERVICE_MAXIMUM_LEVEL;
}

void bl_service_take_answer(bl_service_link *link, uint32_t flags) BL_NONBLOCKING {
    if (!link->owes_answer || link->lane == NULL ||
        !await(link, link, may_wait(flags) ? offline_patience : 0)) {
        return;
    }
    link->owes_answer = false;
    link->answer = *link->lane->segment.answer;
    link->has_midi = true;
    link->answered_time = link->request.sample_time;
    link->answered_frames = link->request.frames;
    take_times(link, &link->answer);
    if (link->answer.status == BL_OK) {
        bl_service_pipeline_write(&link->pipeline, &link->lane->segment, link->request.sample_time,
                                  link->request.frames);
    }
}

static void read_bus(bl_service_link *link, uint32_t bus, const bl_buffers *output,
                     uint32_t frames) BL_NONBLOCKING {
    const bl_service_segment *segment = &link->lane->segment;
    const float *samples = bl_service_output(segment, bus);
    bool is_sound = true;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        size_t place = (size_t)channel * bl_service_stride(segment);
        if (link->pipeline.samples != NULL) {
            uint32_t first = (uint32_t)((size_t)(samples - segment->outputs) + place);
            bl_service_pipeline_read(&link->pipeline, first / bl_service_stride(segment),
                                     link->cycle_time, output->channels[channel], frames);
            is_sound = are_sound(output->channels[channel], frames) && is_sound;
        } else {
            memcpy(output->channels[channel], samples + place, frames * sizeof(float));
            is_sound = are_sound(output->channels[channel], frames) && is_sound;
        }
    }
    if (!is_sound) {
        bl_service_count(&link->nonsense);
        output->channels[0][0] = NAN; /* which every host mutes, resets and names */
    }
}

/* The first call of a cycle: MIDI, times, and whether there is anything. */
static void take_answer(bl_service_link *link, uint32_t flags,
                        const bl_render_host *host) BL_NONBLOCKING {
    if (!await_chain(link, flags)) {
        link->turn = BL_TURN_LOST;
        bl_service_count(&link->late);
        return;
    }
    link->turn = BL_TURN_ANSWERED;
    link->answer = *link->lane->segment.answer;
    take_times(link, &link->answer);
    deliver_midi(link, &link->answer, link->cycle_time, link->request.frames, 0, host);
}

/* The same where it is not waited for: what came in while the cycle before ran. */
static void take_pipelined(bl_service_link *link, uint32_t frames,
                           const bl_render_host *host) BL_NONBLOCKING {
    bool is_there = bl_service_pipeline_has(&link->pipeline, link->cycle_time, frames);
    if (link->has_midi && is_there) {
        /* No earlier than now: the longest cycle may be longer than this one was. */
        deliver_midi(link, &link->answer, link->answered_time, link->answered_frames,
                     link->cycle_time - link->answered_time, host);
    }
    link->has_midi = false;
    if (!is_there && link->turn != BL_TURN_LOST) {
        bl_service_count(&link->late);
    }
    link->turn = is_there && link->lane != NULL ? BL_TURN_ANSWERED : BL_TURN_LOST;
}

bl_status bl_service_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                            uint32_t frames, uint32_t bus, bl_buffers *output,
                            const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {
    bl_service_link *link = (bl_service_link *)unit;
    uint64_t bit = bus < BL_SERVICE_MAXIMUM_BUSSES ? (uint64_t)1 << bus : 0;
    bool is_begun = link->turn != BL_TURN_NONE && link->cycle_time == timestamp->sample_time &&
                    (link->rendered_busses & bit) == 0;
    if (!is_begun) {
        /* One that was to be handed on to, and could not be, knows what is wanted of it. */
        bool is_put_off = link->turn == BL_TURN_NONE && link->cycle_time == timestamp->sample_time;
        bl_service_link_begin(unit, flags, timestamp, frames,
                              is_put_off ? link->wanted_busses : UINT64_MAX, events, host, NULL);
    }
    if (link->turn == BL_TURN_POSTED) {
        take_answer(link, flags, host);
    }
    if (link->pipeline.samples != NULL) {
        take_pipelined(link, frames, host);
    }
    bool is_first = link->rendered_busses == 0;
    link->rendered_busses |= bit;
    if (link->turn != BL_TURN_ANSWERED) {
        uint32_t count = atomic_load_explicit(&link->unanswered, memory_order_relaxed);
        atomic_store_explicit(&link->unanswered, count + is_first, memory_order_relaxed);
        return BL_ERROR_UNAVAILABLE;
    }
    atomic_store_explicit(&link->unanswered, 0, memory_order_relaxed);
    if (link->answer.status != BL_OK) {
        return BL_ERROR_CANNOT_RENDER;
    }
    read_bus(link, bus, output, frames);
    return BL_OK;
}
