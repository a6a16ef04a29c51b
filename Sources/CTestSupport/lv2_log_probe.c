#include "lv2_log_probe.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

static char text[256];
static LV2_URID last_type;

static int print_list(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list list) {
    (void)handle;
    last_type = type;
    return vsnprintf(text, sizeof text, format, list);
}

static int print(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = print_list(handle, type, format, list);
    va_end(list);
    return length;
}

const LV2_Log_Log *lv2_log_probe(void) {
    static const LV2_Log_Log log = {NULL, print, print_list};
    return &log;
}

const char *lv2_log_probe_text(void) { return text; }

uint32_t lv2_log_probe_type(void) { return last_type; }
