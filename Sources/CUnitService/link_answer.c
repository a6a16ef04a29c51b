/* Receives the answer to a cycle. Nothing in it is trusted: the process may be faulty or hostile.
 */

#include <math.h>
#include <string.h>

#include "link_private.h"

/* Returns a ring length, a power of two with room for samples between writing and reading. */
static uint32_t length_for(uint32_t maximum_frames) {
    uint32_t length = 4;
    while (length < 4 * maximum_frames) {
        length *= 2;
    }
    return length;
}

bool bl_service_pipeline_create(bl_service_pipeline *pipeline, const bl_service_shape *shape) {
    uint32_t channels = 0;
    for (uint32_t bus = 0; bus < shape->output_bus_count; bus += 1) {
        channels += shape->output_channel_counts[bus];
    }
    uint32_t length = length_for(shape->maximum_frames);
    float *samples = bl_allocate_touched((size_t)(channels + 1) * length, sizeof *samples);
    if (samples == NULL) {
        return false;
    }
    *pipeline = (bl_service_pipeline){
        .samples = samples,
        .channel_count = channels,
        .length = length,
        .delay = shape->maximum_frames,
    };
    return true;
}

void bl_service_pipeline_destroy(bl_service_pipeline *pipeline) {
    free(pipeline->samples);
    *pipeline = (bl_service_pipeline){0};
}

static float *channel_of(const bl_service_pipeline *pipeline, uint32_t channel) BL_NONBLOCKING {
    return pipeline->samples + (size_t)channel * pipeline->length;
}

void bl_service_pipeline_start(bl_service_pipeline *pipeline, int64_t time) BL_NONBLOCKING {
    bool is_new = !pipeline->is_started || time < pipeline->time;
    pipeline->time = time;
    if (is_new) {
        /* Play silence until the first answer. */
        pipeline->is_started = true;
        pipeline->valid_from = time;
        pipeline->valid_until = time + pipeline->delay;
        for (uint32_t frame = 0; frame < pipeline->delay; frame += 1) {
            uint32_t place = (uint32_t)(time + frame) & (pipeline->length - 1);
            for (uint32_t channel = 0; channel < pipeline->channel_count; channel += 1) {
                channel_of(pipeline, channel)[place] = 0;
            }
        }
    }
}

/* Writes the answer to the cycle that started at `time`. */
static void write_pipeline(bl_service_pipeline *pipeline, const bl_service_segment *segment,
                           int64_t time, uint32_t frames) BL_NONBLOCKING {
    int64_t first = time + pipeline->delay;
    for (uint32_t channel = 0; channel < pipeline->channel_count; channel += 1) {
        const float *from = segment->outputs + (size_t)channel * bl_service_stride(segment);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            uint32_t place = (uint32_t)(first + frame) & (pipeline->length - 1);
            channel_of(pipeline, channel)[place] = from[frame];
        }
    }
    if (first != pipeline->valid_until) {
        pipeline->valid_from = first;
    }
    pipeline->valid_until = first + frames;
}

/* Whether the ring has all samples of those frames. */
static bool pipeline_has(const bl_service_pipeline *pipeline, int64_t time,
                         uint32_t frames) BL_NONBLOCKING {
    return time >= pipeline->valid_from && time + frames <= pipeline->valid_until;
}

static void read_pipeline(const bl_service_pipeline *pipeline, uint32_t channel, int64_t time,
                          float *to, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        to[frame] =
            channel_of(pipeline, channel)[(uint32_t)(time + frame) & (pipeline->length - 1)];
    }
}

/* The timeout of the first answer, which may read files, without a deadline. Nanoseconds */
static const int64_t first_timeout = 60000000000;
/* The interval at which a waiting thread checks whether the process has ended. Nanoseconds */
static const int64_t longest_sleep = 20000000;

static bool may_wait(uint32_t flags) BL_NONBLOCKING {
    return (flags & (BL_RENDER_OFFLINE | BL_RENDER_MAY_WAIT)) != 0;
}

/* Returns the timeout of an answer without a deadline. Nanoseconds */
static int64_t offline_timeout(const bl_service_link *link) BL_NONBLOCKING {
    int64_t timeout = (int64_t)atomic_load_explicit(&link->offline_timeout, memory_order_relaxed);
    bool is_first = atomic_load_explicit(&link->answers, memory_order_relaxed) == 0;
    return is_first && timeout < first_timeout ? first_timeout : timeout;
}

static bool has_answered(const bl_service_link *link) BL_NONBLOCKING {
    return atomic_load(&link->lane->segment.words->answered) == link->lane->posted;
}

/* Whether a process has ended that the answer depends on, from `first` to `last` of a chain. */
static bool has_died(const bl_service_link *first, const bl_service_link *last) BL_NONBLOCKING {
    const bl_service_link *link = first;
    while (!atomic_load(&link->lane->is_dead) && link != last) {
        link = link->following;
    }
    return atomic_load(&link->lane->is_dead);
}

/* Polls for the answer of `last`, then sleeps; false if it does not come. */
static bool await(const bl_service_link *first, bl_service_link *last,
                  int64_t timeout) BL_NONBLOCKING {
    if (has_answered(last)) {
        return true;
    }
    bl_service_words *words = last->lane->segment.words;
    int64_t now = bl_service_now();
    int64_t spin = atomic_load_explicit(&last->spin, memory_order_relaxed);
    int64_t until = now + timeout, looked = now + (spin < timeout ? spin : timeout);
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
            bl_service_wait_for(&last->wait, &words->answered, answered, now, end);
            now = bl_service_now();
        }
    }
    atomic_store(&words->host_sleeps, 0);
    return has_answered(last);
}

/* Waits for the last of a chain of links: then all have answered. If it times out, the render
   thread waits for none of the chain again. */
static bool await_chain(bl_service_link *link, uint32_t flags) BL_NONBLOCKING {
    int64_t timeout = 0;
    bl_service_link *last = link;
    for (bl_service_link *next = link; next != NULL; next = next->following) {
        last = next;
        timeout += may_wait(flags)
                       ? offline_timeout(next)
                       : atomic_load_explicit(&next->wait.timeout, memory_order_relaxed);
    }
    if (!await(link, last, link->has_timed_out ? 0 : timeout)) {
        for (bl_service_link *next = link; next != NULL; next = next->following) {
            next->has_timed_out = true;
        }
    }
    return has_answered(link);
}

void bl_service_set_times(bl_service_link *link, uint32_t latency,
                          double tail_time) BL_NONBLOCKING {
    if (latency <= BL_MAXIMUM_LATENCY) {
        atomic_store_explicit(&link->present_latency, latency, memory_order_relaxed);
    }
    if (tail_time >= 0) {
        atomic_store_explicit(&link->present_tail_time, tail_time, memory_order_relaxed);
    }
}

/* Copies the requested array. */
static void receive_telemetry(bl_service_link *link) BL_NONBLOCKING {
    uint32_t asked = link->request.telemetry;
    if (asked == 0) {
        return;
    }
    bl_service_shown *shown = &link->shown[asked - 1];
    uint32_t capacity = link->descriptor->telemetry[asked - 1].capacity;
    uint32_t count = link->answer.telemetry_count;
    shown->count = count < capacity ? count : capacity;
    for (uint32_t place = 0; place < shown->count; place += 1) {
        float value = link->lane->segment.telemetry[place];
        shown->values[place] = isfinite(value) ? value : 0;
    }
}

/* Copies the parts of the answer other than sound and MIDI. */
static void read_answer(bl_service_link *link) BL_NONBLOCKING {
    link->answer = *link->lane->segment.answer;
    bl_service_set_times(link, link->answer.latency, link->answer.tail_time);
    atomic_store_explicit(&link->nanoseconds, link->answer.nanoseconds, memory_order_relaxed);
    receive_telemetry(link);
}

/* Sends the unit's MIDI of the cycle of `frames` frames that started at `begin`, `delay` frames
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
        bl_service_count(&link->invalid);
        return;
    }
    memcpy(link->midi_bytes, segment->midi_bytes, answer->byte_count);
    int64_t earliest = begin, end = begin + frames;
    uint32_t next_byte = 0; /* messages are adjacent */
    for (uint32_t index = 0; index < answer->midi_count; index += 1) {
        bl_service_event message = segment->midi[index];
        bool is_valid = message.sample_time >= earliest && message.sample_time < end &&
                        message.cable <= UINT8_MAX && message.first_byte == next_byte &&
                        message.length <= answer->byte_count - message.first_byte;
        if (!is_valid) {
            bl_service_count(&link->invalid);
            continue;
        }
        earliest = message.sample_time;
        next_byte += message.length;
        host->send_midi(host->context, message.sample_time + delay, (uint8_t)message.cable,
                        message.length, link->midi_bytes + message.first_byte);
    }
}

/* Whether a notice is within the cycle from `begin` to `end`, and names a settable parameter if it
   must. */
static bool is_notice_valid(const bl_service_link *link, const bl_service_notice *notice,
                            int64_t begin, int64_t end) BL_NONBLOCKING {
    uint32_t place =
        bl_parameter_place(notice->address, link->descriptor->parameter_count, link->value_count);
    bool needs_parameter = notice->type <= BL_NOTICE_GESTURE_END;
    bool needs_value = notice->type == BL_NOTICE_PARAMETER;
    return notice->type <= BL_NOTICE_LOG && notice->sample_time >= begin &&
           notice->sample_time < end && (!needs_value || isfinite(notice->value)) &&
           (!needs_parameter || (place < link->value_count && bl_service_can_set(link, place)));
}

/* Forwards the unit's notices of the cycle of `frames` frames that started at `begin`, `delay`
   frames later. A value is kept for the next process. */
static void deliver_notices(bl_service_link *link, const bl_service_answer *answer, int64_t begin,
                            uint32_t frames, int64_t delay,
                            const bl_render_host *host) BL_NONBLOCKING {
    if (answer->notice_count > BL_SERVICE_NOTICE_CAPACITY) {
        bl_service_count(&link->invalid);
        return;
    }
    for (uint32_t index = 0; index < answer->notice_count; index += 1) {
        bl_service_notice record = link->lane->segment.notices[index];
        record.text[sizeof record.text - 1] = 0;
        if (!is_notice_valid(link, &record, begin, begin + frames)) {
            bl_service_count(&link->invalid);
            continue;
        }
        if (record.type == BL_NOTICE_PARAMETER) {
            bl_event event = {.type = BL_EVENT_PARAMETER,
                              .parameter = {record.address, record.value, 0, false}};
            bl_service_record_values(link, &event, false);
        }
        bl_notice notice = {(bl_notice_type)record.type, record.sample_time + delay, record.address,
                            record.value, record.text};
        bl_notify(host, &notice);
    }
}

void bl_service_receive_pipelined(bl_service_link *link, uint32_t flags) BL_NONBLOCKING {
    if (!link->awaits_pipelined || link->lane == NULL ||
        !await(link, link, may_wait(flags) ? offline_timeout(link) : 0)) {
        return;
    }
    link->awaits_pipelined = false;
    read_answer(link);
    link->has_midi = true;
    link->answered_time = link->request.sample_time;
    link->answered_frames = link->request.frames;
    if (link->answer.status == BL_OK) {
        write_pipeline(&link->pipeline, &link->lane->segment, link->request.sample_time,
                       link->request.frames);
    }
}

/* Reads a bus unchecked: the kernel checks the samples, as for units in its own process. */
static void read_bus(const bl_service_link *link, uint32_t bus, const bl_buffers *output,
                     uint32_t frames) BL_NONBLOCKING {
    const bl_service_segment *segment = &link->lane->segment;
    const float *samples = bl_service_output(segment, bus);
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        size_t place = (size_t)channel * bl_service_stride(segment);
        if (link->pipeline.samples != NULL) {
            uint32_t first = (uint32_t)((size_t)(samples - segment->outputs) + place);
            read_pipeline(&link->pipeline, first / bl_service_stride(segment), link->cycle_time,
                          output->channels[channel], frames);
        } else {
            memcpy(output->channels[channel], samples + place, frames * sizeof(float));
        }
    }
}

/* Receives the answer in the first call of a cycle: status, times and MIDI. */
static void receive_answer(bl_service_link *link, uint32_t flags,
                           const bl_render_host *host) BL_NONBLOCKING {
    if (!await_chain(link, flags)) {
        link->state = BL_CYCLE_LOST;
        bl_service_count(&link->late);
        return;
    }
    link->state = BL_CYCLE_ANSWERED;
    read_answer(link);
    deliver_midi(link, &link->answer, link->cycle_time, link->request.frames, 0, host);
    deliver_notices(link, &link->answer, link->cycle_time, link->request.frames, 0, host);
}

/* Plays a pipelined unit's answer that was received in the last cycle. */
static void play_pipelined(bl_service_link *link, uint32_t frames,
                           const bl_render_host *host) BL_NONBLOCKING {
    bool is_there = pipeline_has(&link->pipeline, link->cycle_time, frames);
    if (link->has_midi && is_there) {
        deliver_midi(link, &link->answer, link->answered_time, link->answered_frames,
                     link->cycle_time - link->answered_time, host);
        deliver_notices(link, &link->answer, link->answered_time, link->answered_frames,
                        link->cycle_time - link->answered_time, host);
    }
    link->has_midi = false;
    if (!is_there && link->state != BL_CYCLE_LOST) {
        bl_service_count(&link->late);
    }
    link->state = is_there && link->lane != NULL ? BL_CYCLE_ANSWERED : BL_CYCLE_LOST;
}

bl_status bl_service_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                            uint32_t frames, uint32_t bus, bl_buffers *output,
                            const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {
    bl_service_link *link = (bl_service_link *)unit;
    uint64_t bit = bus < BL_SERVICE_MAXIMUM_BUSSES ? (uint64_t)1 << bus : 0;
    bool is_dispatched = link->state != BL_CYCLE_NONE &&
                         link->cycle_time == timestamp->sample_time &&
                         (link->rendered_busses & bit) == 0;
    if (!is_dispatched) {
        /* A link that could not be chained knows its requested busses. */
        bool is_deferred =
            link->state == BL_CYCLE_NONE && link->cycle_time == timestamp->sample_time;
        bl_service_link_dispatch(unit, flags, timestamp, frames,
                                 is_deferred ? link->requested_busses : UINT64_MAX, events, host,
                                 NULL);
    }
    if (link->state == BL_CYCLE_POSTED) {
        receive_answer(link, flags, host);
    }
    if (link->pipeline.samples != NULL) {
        play_pipelined(link, frames, host);
    }
    bool is_first = link->rendered_busses == 0;
    link->rendered_busses |= bit;
    if (link->state != BL_CYCLE_ANSWERED) {
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
