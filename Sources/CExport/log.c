/* Log lines of units, as traces of the host's log, which are safe on the render thread. */
#include "instance.h"

/* The host's function must be real-time safe, as LV2 requires of traces. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

static void write_line(const bl_export_instance *self, const bl_log_report *line) BL_NONBLOCKING {
    const bl_rack_unit *unit = &self->rack.units[line->node];
    BL_ALLOW_WAITING();
    self->log->printf(self->log->handle, self->urids.trace, "%s: %s\n", unit->descriptor->name,
                      line->text);
    BL_FORBID_WAITING();
}

#pragma clang diagnostic pop

void bl_export_write_log(bl_export_instance *self) BL_NONBLOCKING {
    bl_report report;
    while (bl_rack_pop_report(&self->rack, &report)) {
        if (report.type == BL_REPORT_LOG && self->log != NULL && self->urids.trace != 0) {
            write_line(self, &report.log);
        }
    }
}
