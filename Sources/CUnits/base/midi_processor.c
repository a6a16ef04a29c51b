#include "base/midi_processor.h"

bl_status bl_midi_processor_allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_unit_base *base = (bl_unit_base *)unit;
    if (configuration->input_bus_count != 0 || configuration->output_bus_count != 0) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    base->sample_rate = configuration->sample_rate;
    base->maximum_frames = configuration->maximum_frames;
    base->descriptor->reset(unit);
    return BL_OK;
}

void bl_midi_processor_change(bl_unit *unit, const bl_midi_cycle *cycle, int64_t time,
                              const bl_event *event) BL_NONBLOCKING {
    (void)cycle, (void)time;
    bl_unit_base_apply((bl_unit_base *)unit, event);
}

void bl_midi_processor_send(const bl_midi_cycle *cycle, int64_t time, uint8_t status, uint8_t first,
                            uint8_t second) BL_NONBLOCKING {
    uint8_t bytes[3] = {status, first, second};
    cycle->host->send_midi(cycle->host->context, time, 0, 3, bytes);
}

void bl_midi_processor_pass(const bl_midi_cycle *cycle, int64_t time,
                            const bl_midi_event *message) BL_NONBLOCKING {
    cycle->host->send_midi(cycle->host->context, time, 0, message->length, message->bytes);
}

static void take(bl_unit *unit, const bl_midi_cycle *cycle, int64_t time, const bl_event *event,
                 bl_midi_receive receive, bl_midi_change change) BL_NONBLOCKING {
    switch (event->type) {
    case BL_EVENT_MIDI:
        /* Most hosts send whole messages only. */
        if (bl_midi_event_is_whole(&event->midi)) {
            receive(unit, cycle, time, &event->midi);
        }
        break;
    case BL_EVENT_SYSTEM_EXCLUSIVE:
        cycle->host->send_midi(cycle->host->context, time, 0, event->system_exclusive.length,
                               event->system_exclusive.data);
        break;
    case BL_EVENT_PARAMETER:
    case BL_EVENT_PARAMETER_RAMP:
        change(unit, cycle, time, event);
        break;
    }
}

bl_status bl_midi_processor_render(bl_unit *unit, const bl_timestamp *timestamp, uint32_t frames,
                                   uint32_t bus, const bl_event *events, const bl_render_host *host,
                                   bl_midi_receive receive, bl_midi_change change,
                                   bl_midi_process process) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    if (base->maximum_frames == 0) {
        return BL_ERROR_NOT_ALLOCATED;
    }
    if (bus != 0 || frames > base->maximum_frames) {
        return bus != 0 ? BL_ERROR_NO_SUCH_ELEMENT : BL_ERROR_TOO_MANY_FRAMES;
    }
    bl_midi_cycle cycle = {host, timestamp, frames};
    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        int64_t first = timestamp->sample_time + segment.first_frame;
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            take(unit, &cycle, first, event, receive, change);
        }
        if (process) {
            process(unit, &cycle, first, first + segment.frame_count);
        }
    }
    return BL_OK;
}
