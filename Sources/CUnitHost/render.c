/* Renders a job, and checks the unit against the rules of the ABI. */

#include <string.h>

#include "cycle/denormals.h"
#include "render_watch.h"
#include "unit_host.h"
#include "unit_host_state.h"

/* Marks unwritten memory: a NaN that no arithmetic produces. */
static const uint32_t untouched = 0x7FC0B1B1;

static void fill_untouched(float *samples, size_t count) {
    for (size_t index = 0; index < count; index += 1) {
        memcpy(samples + index, &untouched, sizeof untouched);
    }
}

static bool is_untouched(const float *samples, size_t count) {
    for (size_t index = 0; index < count; index += 1) {
        if (memcmp(samples + index, &untouched, sizeof untouched) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_offline(const bl_unit_host *host) { return host->descriptor->preflight != NULL; }

/* Fills the memory of `frames` frames and the guards around them. */
static void prepare(bl_unit_host *host, bl_host_channel *channel, uint32_t frames) {
    channel->first = channel->memory + BL_HOST_GUARD + (host->job->is_misaligned ? 1 : 0);
    fill_untouched(channel->first - BL_HOST_GUARD, frames + 2 * BL_HOST_GUARD);
}

/* Returns a sample of the job's input; 0 if there is none. */
static float input_sample(const bl_unit_host *host, uint32_t channel, int64_t frame) {
    const float *input = host->job->inputs != NULL ? host->job->inputs[channel] : NULL;
    bool is_inside = frame >= 0 && frame < (int64_t)host->job->input_frames;
    return input != NULL && is_inside ? input[frame] : 0;
}

/* Loads frames of the input; a bus without input gets silence. */
static void load_inputs(bl_unit_host *host, int64_t first_frame, uint32_t frames) {
    host->pulled_time = first_frame;
    host->pulled_frames = frames;
    for (uint32_t channel = 0; channel < host->input_channel_total; channel += 1) {
        host->is_filled[channel] = false;
        prepare(host, &host->inputs[channel], frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            host->inputs[channel].first[frame] = input_sample(host, channel, first_frame + frame);
        }
    }
}

/* Checks that the memory around the frames is unchanged. */
static void check_bounds(bl_unit_host *host, const bl_host_channel *channel, uint32_t frames) {
    if (!is_untouched(channel->first - BL_HOST_GUARD, BL_HOST_GUARD) ||
        !is_untouched(channel->first + frames, BL_HOST_GUARD)) {
        host->faults |= BL_FAULT_OUT_OF_BOUNDS;
    }
}

static void check_inputs(bl_unit_host *host, uint32_t in_place_count) {
    if (host->pulled_frames == 0) {
        return;
    }
    for (uint32_t channel = 0; channel < host->input_channel_total; channel += 1) {
        check_bounds(host, &host->inputs[channel], host->pulled_frames);
        const float *present = host->inputs[channel].first;
        if (channel < in_place_count) {
            continue;
        }
        for (uint32_t frame = 0; frame < host->pulled_frames; frame += 1) {
            float expected = input_sample(host, channel, host->pulled_time + frame);
            if (memcmp(&expected, present + frame, sizeof expected) != 0) {
                host->faults |= BL_FAULT_INPUT_WRITTEN;
            }
        }
    }
}

/* Links the events of the cycle in order; returns the first. `next` is the job's first event that
   has not been played. */
static const bl_event *link_events(bl_unit_host *host, uint32_t *next) {
    const bl_host_job *job = host->job;
    uint32_t first = *next;
    int64_t end = (int64_t)host->first_frame + host->frames;
    while (*next < job->event_count && job->events[*next].sample_time < end) {
        job->events[*next].sample_time += host->sample_time - host->first_frame;
        job->events[*next].next = NULL;
        if (*next > first) {
            job->events[*next - 1].next = &job->events[*next];
        }
        *next += 1;
    }
    return *next > first ? &job->events[first] : NULL;
}

/* Copies the output, and checks it. */
static void copy_output(bl_unit_host *host, float *const *given, float *const *outputs,
                        uint32_t first_channel) {
    for (uint32_t channel = 0; channel < host->output_pointer_count; channel += 1) {
        const float *rendered = host->output_pointers[channel];
        if (rendered == NULL) {
            host->faults |= BL_FAULT_NO_OUTPUT_POINTER;
            continue;
        }
        if (given[channel] != NULL && rendered != given[channel]) {
            host->faults |= BL_FAULT_OUTPUT_MOVED;
        }
        memcpy(outputs[channel] + host->first_frame, rendered, host->frames * sizeof(float));
        check_bounds(host, &host->outputs[first_channel + channel], host->frames);
        for (uint32_t frame = 0; frame < host->frames; frame += 1) {
            if (is_untouched(rendered + frame, 1)) {
                host->faults |= BL_FAULT_OUTPUT_NOT_WRITTEN;
            }
        }
    }
}

/* Whether the host may fill the offered memory: the unit offers each pointer once, and none that it
   must not both read and write. */
static bool can_be_filled(const bl_unit_host *host, const bl_buffers *input) BL_NONBLOCKING {
    bool in_place = (host->descriptor->flags & BL_UNIT_CAN_PROCESS_IN_PLACE) != 0;
    if (host->input_bus_count != 1) {
        return false;
    }
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        for (uint32_t other = 0; other < channel; other += 1) {
            if (input->channels[other] == input->channels[channel]) {
                return false;
            }
        }
        for (uint32_t other = 0; other < host->output_pointer_count; other += 1) {
            bool is_output = input->channels[channel] == host->output_pointers[other];
            if (is_output && (!in_place || other != channel)) {
                return false;
            }
        }
    }
    return true;
}

static bl_status pull_input(void *context, uint32_t flags, const bl_timestamp *timestamp,
                            uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING {
    (void)flags;
    bl_unit_host *host = (bl_unit_host *)context;
    bl_unit_host_check_call(host);
    bool is_of_cycle = is_offline(host)
                           ? frames > 0 && frames <= host->maximum_frames
                           : frames == host->frames && timestamp->sample_time == host->sample_time;
    if (bus >= host->input_bus_count || !is_of_cycle ||
        input->channel_count != host->input_channel_counts[bus]) {
        host->faults |= BL_FAULT_WRONG_PULL;
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    uint32_t first = 0;
    for (uint32_t before = 0; before < bus; before += 1) {
        first += host->input_channel_counts[before];
    }
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        if (input->channels[channel] == NULL) {
            host->faults |= BL_FAULT_NULL_INPUT_OFFERED;
            return BL_ERROR_NO_SUCH_ELEMENT;
        }
    }
    if (is_offline(host)) {
        check_inputs(host, 0);
        load_inputs(host, timestamp->sample_time, frames);
    }
    bool fills = host->job->input_memory == BL_INPUT_FILLED && can_be_filled(host, input);
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        float *own = host->inputs[first + channel].first;
        host->is_filled[first + channel] = fills;
        if (fills) {
            memcpy(input->channels[channel], own, frames * sizeof(float));
        } else {
            input->channels[channel] = own;
        }
    }
    bool is_fed = host->job->inputs != NULL && host->job->inputs[first] != NULL;
    return is_fed ? BL_OK : BL_ERROR_NO_CONNECTION;
}

/* Offers the fed busses. */
static void offer_inputs(bl_unit_host *host) {
    uint32_t first = 0;
    for (uint32_t bus = 0; bus < host->input_bus_count; bus += 1) {
        uint32_t count = host->input_channel_counts[bus];
        bool is_fed = host->job->inputs != NULL && host->job->inputs[first] != NULL;
        for (uint32_t channel = first; channel < first + count; channel += 1) {
            host->offered_pointers[channel] = host->inputs[channel].first;
        }
        host->offered[bus] = (bl_buffers){count, is_fed ? &host->offered_pointers[first] : NULL};
        first += count;
    }
}

static bl_status send_midi(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                           const uint8_t *bytes) BL_NONBLOCKING {
    bl_unit_host *host = (bl_unit_host *)context;
    bl_unit_host_check_call(host);
    if (cable >= host->cable_count) {
        host->faults |= BL_FAULT_MIDI_CABLE;
    }
    if (sample_time < host->sample_time || sample_time >= host->sample_time + host->frames ||
        sample_time < host->last_sent_time) {
        host->faults |= BL_FAULT_MIDI_TIME;
    }
    if (!bl_midi_is_whole_message(bytes, length)) {
        host->faults |= BL_FAULT_MIDI_MESSAGE;
    }
    if (host->sent_count == BL_HOST_MOST_MESSAGES ||
        length > BL_HOST_MOST_MIDI_BYTES - host->sent_byte_count) {
        host->faults |= BL_FAULT_MIDI_FLOOD;
        return BL_ERROR_OUT_OF_MEMORY;
    }
    memcpy(host->sent_bytes + host->sent_byte_count, bytes, length);
    host->sent[host->sent_count] =
        (bl_sent_midi){sample_time, length, host->sent_byte_count, cable};
    host->sent_count += 1;
    host->sent_byte_count += length;
    host->last_sent_time = sample_time;
    return BL_OK;
}

static bl_status render_bus(bl_unit_host *host, uint32_t bus, uint32_t first_channel,
                            const bl_event *events) {
    const bl_host_job *job = host->job;
    uint32_t count = host->output_channel_counts[bus];
    bool in_place =
        job->output_memory == BL_OUTPUT_IN_PLACE && host->input_bus_count > 0 && !is_offline(host);
    uint32_t in_place_count = in_place ? host->input_channel_counts[0] : 0;
    in_place_count = in_place_count < count ? in_place_count : count;
    host->pulled_frames = 0;
    if (!is_offline(host)) {
        load_inputs(host, host->first_frame, host->frames);
        offer_inputs(host);
    }
    float *given[BL_MAXIMUM_CHANNELS];
    for (uint32_t channel = 0; channel < count; channel += 1) {
        bl_host_channel *own = &host->outputs[first_channel + channel];
        prepare(host, own, host->frames);
        given[channel] = channel < in_place_count               ? host->inputs[channel].first
                         : job->output_memory == BL_OUTPUT_NULL ? NULL
                                                                : own->first;
        host->output_pointers[channel] = given[channel];
    }
    host->output_pointer_count = count;
    bl_buffers output = {count, host->output_pointers};
    bl_timestamp timestamp = {host->sample_time};
    bl_unit_host_rendering = host;
    bl_render_watch_is_armed = true;
    bl_status status =
        host->descriptor->render(host->unit, BL_RENDER_OFFLINE, &timestamp, host->frames, bus,
                                 &output, events, &host->functions);
    bl_render_watch_is_armed = false;
    bl_unit_host_rendering = NULL;
    if (status == BL_OK) {
        copy_output(host, given, job->outputs + first_channel, first_channel);
        check_inputs(host, in_place_count);
    }
    return status;
}

static bl_render_host functions_of(bl_unit_host *host) {
    return (bl_render_host){.size = sizeof(bl_render_host),
                            .context = host,
                            .pull_input = pull_input,
                            .send_midi = send_midi,
                            .notify = bl_unit_host_notify};
}

static bl_status render_cycle(bl_unit_host *host, uint32_t *next_event) {
    const bl_host_job *job = host->job;
    bl_render_host *functions = &host->functions;
    *functions = functions_of(host);
    bool offers = job->input_memory == BL_INPUT_OFFERED && !is_offline(host);
    functions->inputs = offers ? host->offered : NULL;
    if (job->music != NULL) {
        bl_music_of_host *music = &host->music;
        job->music(job->music_context, host->sample_time, &music->context, &music->transport);
        functions->musical_context = &music->context;
        functions->transport_state = &music->transport;
    }
    if (host->descriptor->wait_until_ready != NULL) {
        host->descriptor->wait_until_ready(host->unit, host->frames);
    }
    const bl_event *events = link_events(host, next_event);
    uint32_t first_channel = 0;
    if (host->output_bus_count == 0) { /* a MIDI processor's only call */
        host->last_sent_time = host->sample_time;
        return render_bus(host, 0, 0, events);
    }
    for (uint32_t bus = 0; bus < host->output_bus_count; bus += 1) {
        if (job->outputs[first_channel] != NULL) {
            host->last_sent_time = host->sample_time;
            bl_status status = render_bus(host, bus, first_channel, events);
            if (status != BL_OK) {
                return status;
            }
        }
        first_channel += host->output_channel_counts[bus];
    }
    return BL_OK;
}

/* Passes the length of the job's input to an offline effect, after the values of its events. */
static bl_status preflight(bl_unit_host *host, uint64_t *output_frames) {
    const bl_host_job *job = host->job;
    host->functions = functions_of(host);
    for (uint32_t index = 0; index < job->event_count; index += 1) {
        const bl_event *event = &job->events[index];
        if (event->type == BL_EVENT_PARAMETER || event->type == BL_EVENT_PARAMETER_RAMP) {
            host->descriptor->set_parameter(host->unit, event->parameter.address,
                                            event->parameter.value);
        }
    }
    host->sample_time = 0;
    host->output_pointer_count = 0;
    host->pulled_frames = 0;
    bl_unit_host_rendering = host;
    bl_status status =
        host->descriptor->preflight(host->unit, job->input_frames, &host->functions, output_frames);
    bl_unit_host_rendering = NULL;
    check_inputs(host, 0);
    return status;
}

bl_host_result bl_unit_host_render(bl_unit_host *host, const bl_host_job *job) {
    bl_host_result result = {.status = BL_OK, .output_frames = job->frames};
    uint32_t frames = job->frames;
    uint32_t next_event = 0;
    uint32_t turn = 0;
    host->job = job;
    host->sent_count = 0;
    host->sent_byte_count = 0;
    bl_floating_point_mode mode = bl_flush_denormals();
    if (job->keeps_denormals) {
        bl_restore_floating_point(mode);
    }
    host->faults = 0;
    host->knows_times = false; /* parameters may have been set meanwhile */
    if (is_offline(host)) {
        result.status = preflight(host, &result.output_frames);
        result.faults = atomic_exchange(&host->faults, 0);
        frames = result.output_frames < frames ? (uint32_t)result.output_frames : frames;
        next_event = job->event_count;
    }
    for (uint32_t done = 0; done < frames && result.status == BL_OK; done += host->frames) {
        uint32_t left = frames - done;
        uint32_t size = job->block_sizes[turn % job->block_size_count];
        turn += 1;
        host->first_frame = done;
        host->frames = size < left ? size : left;
        uint32_t first_event = next_event;
        result.status = render_cycle(host, &next_event);
        if (result.status == BL_OK && !is_offline(host)) {
            bl_unit_host_check_notices(host, job->events + first_event, next_event - first_event);
        }
        uint32_t faults = atomic_exchange(&host->faults, 0);
        if (result.faults == 0 && (faults != 0 || result.status != BL_OK)) {
            result.frame = done;
        }
        result.faults |= faults;
        host->sample_time += host->frames;
    }
    for (uint32_t channel = 0; channel < host->output_channel_total; channel += 1) {
        if (job->outputs[channel] != NULL) {
            memset(job->outputs[channel] + frames, 0, (job->frames - frames) * sizeof(float));
        }
    }
    bl_restore_floating_point(mode);
    return result;
}
