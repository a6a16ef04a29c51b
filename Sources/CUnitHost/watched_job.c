#include "render_watch.h"
#include "unit_host_state.h"

typedef struct watched_job {
    bl_unit_host *host;
    const bl_host_job *job;
    bl_host_result *result;
} watched_job;

static void run(void *opaque) {
    watched_job *self = opaque;
    const bl_unit_descriptor *descriptor = self->host->descriptor;
    bl_unit *unit = self->host->unit;
    *self->result = bl_unit_host_render(self->host, self->job);
    bl_render_watch_is_armed = true;
    if (descriptor->latency != NULL) {
        descriptor->latency(unit);
    }
    if (descriptor->tail_time != NULL) {
        descriptor->tail_time(unit);
    }
    for (uint32_t index = 0; index < descriptor->parameter_count; index += 1) {
        descriptor->parameter_value(unit, BL_PARAMETER_ADDRESS(index, 0));
    }
    descriptor->reset(unit);
    bl_render_watch_is_armed = false;
}

int bl_unit_host_render_watched(bl_unit_host *host, const bl_host_job *job,
                                bl_host_result *result) {
    watched_job self = {host, job, result};
    return bl_render_watch_run(run, &self);
}
