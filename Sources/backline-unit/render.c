/* Renders one request: settings, events, the unit's render function, and the answer. */

#include <string.h>

#include "../CUnitService/futex.h"
#include "lane.h"

static bl_status pull_input(void *context, uint32_t flags, const bl_timestamp *timestamp,
                            uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING {
    (void)flags;
    (void)timestamp;
    (void)frames;
    const bl_lane *lane = context;
    const bl_service_shape *shape = &lane->segment.shape;
    if (bus >= shape->input_bus_count) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    float *samples = bl_service_input(&lane->segment, bus);
    uint32_t last = shape->input_channel_counts[bus] - 1;
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        uint32_t source = channel < last ? channel : last;
        input->channels[channel] = samples + (size_t)source * bl_service_stride(&lane->segment);
    }
    bool is_connected = (lane->request->connected_inputs >> bus & 1) != 0;
    return is_connected ? BL_OK : BL_ERROR_NO_CONNECTION;
}

static bl_status send_midi(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                           const uint8_t *bytes) BL_NONBLOCKING {
    bl_lane *lane = context;
    if (!lane->may_send) {
        return BL_ERROR_NO_CONNECTION;
    }
    if (!bl_midi_is_whole_message(bytes, length)) {
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    if (lane->midi_count == BL_SERVICE_MIDI_CAPACITY ||
        length > BL_SERVICE_BYTE_CAPACITY - lane->midi_bytes) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    lane->segment.midi[lane->midi_count++] = (bl_service_event){.sample_time = sample_time,
                                                                .type = BL_EVENT_MIDI,
                                                                .cable = cable,
                                                                .first_byte = lane->midi_bytes,
                                                                .length = length};
    memcpy(lane->segment.midi_bytes + lane->midi_bytes, bytes, length);
    lane->midi_bytes += length;
    return BL_OK;
}

static void notify(void *context, const bl_notice *notice) BL_NONBLOCKING {
    bl_lane *lane = context;
    uint32_t room = notice->type == BL_NOTICE_GESTURE_END ? BL_SERVICE_NOTICE_CAPACITY
                                                          : BL_SERVICE_NOTICES_BUT_ENDS;
    if (lane->notice_count >= room) {
        return;
    }
    bl_service_notice *record = &lane->segment.notices[lane->notice_count++];
    *record = (bl_service_notice){.sample_time = notice->sample_time,
                                  .type = notice->type,
                                  .value = notice->value,
                                  .address = notice->address};
    if (notice->text != NULL) {
        strncpy(record->text, notice->text, sizeof record->text - 1);
    }
    if (notice->type == BL_NOTICE_PARAMETER) {
        bl_lane_report_value(lane,
                             bl_parameter_place(notice->address, lane->descriptor->parameter_count,
                                                lane->value_count));
    }
}

/* Returns the segment's events as the unit's list; invalid ones are left out. */
static const bl_event *read_events(bl_lane *lane, uint32_t count) {
    const bl_event *first = NULL;
    bl_event *last = NULL;
    for (uint32_t index = 0; index < count && index < BL_SERVICE_EVENT_CAPACITY; index += 1) {
        bl_service_event record = lane->segment.events[index];
        bl_event *event = &lane->events[index];
        *event = (bl_event){.sample_time = record.sample_time};
        uint32_t room = BL_SERVICE_BYTE_CAPACITY - record.first_byte;
        bool has_bytes = record.first_byte < BL_SERVICE_BYTE_CAPACITY && record.length <= room;
        const uint8_t *bytes = lane->segment.bytes + (has_bytes ? record.first_byte : 0);
        if (record.type == BL_EVENT_PARAMETER || record.type == BL_EVENT_PARAMETER_RAMP) {
            event->type = (bl_event_type)record.type;
            event->parameter = record.parameter;
        } else if (record.type == BL_EVENT_MIDI && has_bytes && record.length <= 3) {
            event->type = BL_EVENT_MIDI;
            event->note_id = record.note_id;
            event->midi.cable = (uint8_t)record.cable;
            event->midi.length = (uint8_t)record.length;
            memcpy(event->midi.bytes, bytes, record.length);
        } else if (record.type == BL_EVENT_SYSTEM_EXCLUSIVE && has_bytes) {
            event->type = BL_EVENT_SYSTEM_EXCLUSIVE;
            event->system_exclusive =
                (bl_system_exclusive_event){(uint8_t)record.cable, record.length, bytes};
        } else if (record.type == BL_EVENT_NOTE_EXPRESSION) {
            event->type = BL_EVENT_NOTE_EXPRESSION;
            event->expression = record.expression;
        } else {
            continue;
        }
        if (last != NULL) {
            last->next = event;
        }
        first = first == NULL ? event : first;
        last = event;
    }
    return first;
}

void bl_lane_report_value(bl_lane *lane, uint32_t place) {
    if (place < lane->value_count && lane->descriptor->parameter_count > 0 &&
        place / lane->descriptor->parameter_count < lane->input_bus_count) {
        uint32_t index = place % lane->descriptor->parameter_count;
        uint32_t bus = place / lane->descriptor->parameter_count;
        uint32_t flags = lane->descriptor->parameters[index].flags;
        if (bus == 0 || (flags & BL_PARAMETER_PER_INPUT_BUS) != 0) {
            float value =
                lane->descriptor->parameter_value(lane->unit, BL_PARAMETER_ADDRESS(index, bus));
            atomic_store_explicit(&lane->segment.values[place], value, memory_order_relaxed);
        }
    }
}

static void apply_settings(bl_lane *lane, uint32_t count) {
    for (uint32_t index = 0; index < count && index < lane->value_count; index += 1) {
        bl_service_setting setting = lane->segment.settings[index];
        if (setting.place < lane->value_count && lane->descriptor->parameter_count > 0) {
            uint32_t parameter = setting.place % lane->descriptor->parameter_count;
            uint32_t bus = setting.place / lane->descriptor->parameter_count;
            lane->descriptor->set_parameter(lane->unit, BL_PARAMETER_ADDRESS(parameter, bus),
                                            setting.value);
            bl_lane_report_value(lane, setting.place);
        }
    }
}

/* Reports the values that this cycle's events have changed and those that the unit sets, and a few
   of the others in turn, which may still be ramping. */
static void report_values(bl_lane *lane, const bl_event *events) {
    static const uint32_t values_in_turn = 16;
    for (const bl_event *event = events; event != NULL; event = event->next) {
        if (bl_event_is_parameter(event)) {
            bl_lane_report_value(lane, bl_parameter_place(event->parameter.address,
                                                          lane->descriptor->parameter_count,
                                                          lane->value_count));
        }
    }
    for (uint32_t index = 0; index < lane->descriptor->parameter_count; index += 1) {
        if ((lane->descriptor->parameters[index].flags & BL_PARAMETER_WRITABLE) == 0) {
            bl_lane_report_value(lane, index);
        }
    }
    for (uint32_t count = 0; count < values_in_turn && count < lane->value_count; count += 1) {
        lane->next_value = (lane->next_value + 1) % lane->value_count;
        bl_lane_report_value(lane, lane->next_value);
    }
}

static bl_status render_bus(bl_lane *lane, const bl_service_request *request, uint32_t bus,
                            const bl_event *events) {
    const bl_service_segment *segment = &lane->segment;
    const bl_service_shape *shape = &segment->shape;
    bool provides = (lane->descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) != 0;
    float *channels[BL_MAXIMUM_CHANNELS];
    uint32_t count = bus < shape->output_bus_count ? shape->output_channel_counts[bus] : 0;
    float *samples = count > 0 ? bl_service_output(segment, bus) : NULL;
    for (uint32_t channel = 0; channel < count; channel += 1) {
        channels[channel] =
            provides ? NULL : samples + (size_t)channel * bl_service_stride(segment);
    }
    bl_buffers buffers = {count, channels};
    bl_timestamp timestamp = {request->sample_time};
    bl_render_host host = {.size = sizeof host,
                           .context = lane,
                           .pull_input = pull_input,
                           .send_midi = send_midi,
                           .notify = notify};
    if ((request->flags & BL_SERVICE_HAS_MUSIC) != 0) {
        host.musical_context = &request->music;
    }
    if ((request->flags & BL_SERVICE_HAS_TRANSPORT) != 0) {
        host.transport_state = &request->transport;
    }
    bl_status status = lane->descriptor->render(lane->unit, request->render_flags, &timestamp,
                                                request->frames, bus, &buffers, events, &host);
    for (uint32_t channel = 0; status == BL_OK && provides && channel < count; channel += 1) {
        if (channels[channel] == NULL) {
            return BL_ERROR_CANNOT_RENDER;
        }
        memcpy(samples + (size_t)channel * bl_service_stride(segment), channels[channel],
               request->frames * sizeof(float));
    }
    return status;
}

static bl_status render(bl_lane *lane, const bl_service_request *request, const bl_event *events) {
    uint32_t bus_count = lane->segment.shape.output_bus_count;
    bl_status worst = BL_OK;
    lane->may_send = true;
    for (uint32_t bus = 0; bus < (bus_count > 0 ? bus_count : 1); bus += 1) {
        if (bus_count == 0 || (request->output_busses >> bus & 1) != 0) {
            bl_status status = render_bus(lane, request, bus, events);
            worst = worst == BL_OK ? status : worst;
            events = NULL;
            lane->may_send = false;
        }
    }
    return worst;
}

/* Copies the requested array into the segment; returns the number of its values. */
static uint32_t read_telemetry(const bl_lane *lane, uint32_t asked) {
    const bl_unit_descriptor *descriptor = lane->descriptor;
    bool is_there =
        asked > 0 && asked <= descriptor->telemetry_count &&
        descriptor->telemetry[asked - 1].capacity <= lane->segment.shape.telemetry_capacity;
    return is_there ? descriptor->read_telemetry(lane->unit, asked - 1, lane->segment.telemetry)
                    : 0;
}

void bl_lane_render(bl_lane *lane) {
    const bl_unit_descriptor *descriptor = lane->descriptor;
    bl_service_request request = *lane->segment.request;
    int64_t start = bl_service_now();
    lane->request = &request;
    lane->midi_count = 0;
    lane->midi_bytes = 0;
    lane->notice_count = 0;
    apply_settings(lane, request.setting_count);
    if ((request.flags & BL_SERVICE_RESET) != 0) {
        descriptor->reset(lane->unit);
    }
    const bl_event *events = read_events(lane, request.event_count);
    bl_status status = BL_OK;
    if (request.frames > lane->segment.shape.maximum_frames) {
        status = BL_ERROR_TOO_MANY_FRAMES;
    } else if (request.frames > 0) {
        if ((request.render_flags & (BL_RENDER_OFFLINE | BL_RENDER_MAY_WAIT)) != 0 &&
            descriptor->wait_until_ready) {
            descriptor->wait_until_ready(lane->unit, request.frames);
        }
        status = render(lane, &request, events);
    }
    report_values(lane, events);
    *lane->segment.answer = (bl_service_answer){
        .status = status,
        .latency = descriptor->latency ? descriptor->latency(lane->unit) : 0,
        .tail_time = descriptor->tail_time ? descriptor->tail_time(lane->unit) : 0,
        .midi_count = lane->midi_count,
        .byte_count = lane->midi_bytes,
        .notice_count = lane->notice_count,
        .telemetry_count = read_telemetry(lane, request.telemetry),
        .nanoseconds = (uint32_t)(bl_service_now() - start),
    };
    lane->request = NULL;
}
