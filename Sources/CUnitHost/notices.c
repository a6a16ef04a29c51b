/* Checks a unit's notices, and the threads of its calls to the host. */
#include <math.h>
#include <string.h>

#include "unit_host.h"
#include "unit_host_state.h"

_Thread_local const bl_unit_host *bl_unit_host_rendering;

void bl_unit_host_check_call(bl_unit_host *host) BL_NONBLOCKING {
    if (bl_unit_host_rendering != host) {
        host->faults |= BL_FAULT_CALL_ELSEWHERE;
    }
}

static const bl_parameter_info *find_parameter(const bl_unit_host *host,
                                               bl_parameter_address address) BL_NONBLOCKING {
    uint32_t index = BL_PARAMETER_INDEX(address), bus = BL_PARAMETER_INPUT_BUS(address);
    if (index >= host->descriptor->parameter_count) {
        return NULL;
    }
    const bl_parameter_info *info = &host->descriptor->parameters[index];
    bool is_template = (info->flags & BL_PARAMETER_PER_INPUT_BUS) != 0;
    return bus == 0 || (is_template && bus < host->input_bus_count) ? info : NULL;
}

/* Adds or removes an active gesture; false if it begins twice, or ends without a beginning. */
static bool follow_gesture(bl_unit_host *host, const bl_notice *notice) BL_NONBLOCKING {
    bool begins = notice->type == BL_NOTICE_GESTURE_BEGIN;
    uint32_t index = 0;
    while (index < host->gesture_count && host->gestures[index] != notice->address) {
        index += 1;
    }
    bool is_under_way = index < host->gesture_count;
    if (begins && !is_under_way && index < BL_HOST_MOST_GESTURES) {
        host->gestures[host->gesture_count++] = notice->address;
    } else if (!begins && is_under_way) {
        host->gestures[index] = host->gestures[--host->gesture_count];
    }
    return begins != is_under_way;
}

/* Stores the last value of each parameter. */
static void keep_value(bl_unit_host *host, const bl_notice *notice) BL_NONBLOCKING {
    uint32_t index = 0;
    while (index < host->value_count && host->values[index].address != notice->address) {
        index += 1;
    }
    if (index < BL_HOST_MOST_GESTURES) {
        host->values[index] = *notice;
        host->value_count += index == host->value_count;
    }
}

void bl_unit_host_notify(void *opaque, const bl_notice *notice) BL_NONBLOCKING {
    bl_unit_host *host = opaque;
    bl_unit_host_check_call(host);
    if (bl_unit_host_rendering != host) {
        return;
    }
    const bl_parameter_info *info = find_parameter(host, notice->address);
    bool is_parameter = notice->type <= BL_NOTICE_GESTURE_END;
    bool is_value = notice->type == BL_NOTICE_PARAMETER;
    bool is_good = notice->sample_time >= host->sample_time &&
                   notice->sample_time < host->sample_time + host->frames &&
                   notice->type <= BL_NOTICE_LOG &&
                   (notice->type != BL_NOTICE_LOG || notice->text != NULL);
    if (is_parameter) {
        is_good = is_good && info != NULL && (info->flags & BL_PARAMETER_WRITABLE) != 0;
    }
    if (is_value && is_good) {
        is_good = notice->value >= info->minimum && notice->value <= info->maximum;
        keep_value(host, notice);
    }
    host->faults |= is_good ? 0 : BL_FAULT_NOTICE;
    if (is_parameter && !is_value && !follow_gesture(host, notice)) {
        host->faults |= BL_FAULT_GESTURE;
    }
    host->may_change_times = host->may_change_times || notice->type == BL_NOTICE_TIMES_CHANGED;
}

/* The allowed growth of a tail without a notice: it is an estimate, which movement after an event
   may change. Shorter tails do no harm. */
#define LONGER_BY_FACTOR 1.1
#define LONGER_BY_SECONDS 0.1

static void check_times(bl_unit_host *host) {
    const bl_unit_descriptor *descriptor = host->descriptor;
    uint32_t latency = descriptor->latency ? descriptor->latency(host->unit) : 0;
    double tail_time = descriptor->tail_time ? descriptor->tail_time(host->unit) : 0;
    if (host->may_change_times || !host->knows_times) {
        host->latency = latency;
        host->tail_time = tail_time;
        host->knows_times = true;
    } else if (bl_unit_notifies(descriptor) &&
               (latency != host->latency ||
                tail_time > LONGER_BY_FACTOR * host->tail_time + LONGER_BY_SECONDS)) {
        host->faults |= BL_FAULT_TIMES;
    }
}

/* Whether an event of the cycle has set the parameter as well. */
static bool is_set_by_event(const bl_event *events, uint32_t count, bl_parameter_address address) {
    for (uint32_t index = 0; index < count; index += 1) {
        if (bl_event_is_parameter(&events[index]) && events[index].parameter.address == address) {
            return true;
        }
    }
    return false;
}

void bl_unit_host_check_notices(bl_unit_host *host, const bl_event *events, uint32_t event_count) {
    for (uint32_t index = 0; index < host->value_count; index += 1) {
        const bl_notice *notice = &host->values[index];
        if (host->descriptor->parameter_value(host->unit, notice->address) != notice->value &&
            !is_set_by_event(events, event_count, notice->address)) {
            host->faults |= BL_FAULT_VALUE;
        }
    }
    host->value_count = 0;
    host->may_change_times = host->may_change_times || event_count > 0;
    if (host->job->follows_times) {
        check_times(host);
    }
    host->may_change_times = false;
}
