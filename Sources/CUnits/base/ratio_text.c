#include "base/ratio_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bl_ratio_text(const bl_unit *unit, bl_parameter_address address, float value, char *text,
                   size_t size) {
    (void)unit, (void)address;
    if (value >= BL_LIMITING_RATIO) {
        snprintf(text, size, "∞:1");
    } else {
        snprintf(text, size, "%.3g:1", (double)value);
    }
}

bool bl_ratio_of_text(const bl_unit *unit, bl_parameter_address address, const char *text,
                      float *value) {
    (void)unit, (void)address;
    const char *end = text;
    if (strncmp(text, "∞", strlen("∞")) == 0) {
        *value = BL_LIMITING_RATIO;
        end += strlen("∞");
    } else {
        char *after = NULL;
        *value = strtof(text, &after);
        end = after;
        if (isinf(*value)) {
            *value = BL_LIMITING_RATIO;
        }
    }
    end += strspn(end, " ");
    if (end != text && strncmp(end, ":", 1) == 0) {
        end += 1 + strspn(end + 1, " ");
        end += strncmp(end, "1", 1) == 0 ? 1 : 0;
    }
    return end != text && *end == 0 && !isnan(*value);
}
