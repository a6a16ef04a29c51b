/* The log feature of an LV2 host, which keeps the last line. */
#ifndef BACKLINE_LV2_LOG_PROBE_H
#define BACKLINE_LV2_LOG_PROBE_H

#include <lv2/log/log.h>

/* The data of the feature. */
const LV2_Log_Log *lv2_log_probe(void);
/* The last line ("" before the first), and its type. */
const char *lv2_log_probe_text(void);
uint32_t lv2_log_probe_type(void);

#endif
