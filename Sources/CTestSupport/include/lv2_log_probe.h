/* The log of an LV2 host, which keeps the last line. */
#ifndef BACKLINE_LV2_LOG_PROBE_H
#define BACKLINE_LV2_LOG_PROBE_H

#include <lv2/log/log.h>

/* A feature's data. */
const LV2_Log_Log *lv2_log_probe(void);
/* The last line, "" before it, and its type. */
const char *lv2_log_probe_text(void);
uint32_t lv2_log_probe_type(void);

#endif
