/* expect: property-values: path: refuses nothing and does not say why */
#include "plain_unit.h"

static const bl_property_info properties[] = {{"path", "Path", BL_PROPERTY_PATH, 0}};

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    (void)unit, (void)index, (void)value, (void)message_size;
    message[0] = 0;
    return BL_ERROR_INVALID_PROPERTY_VALUE;
}

UNIT(.properties = properties, .property_count = 1, .set_property = set_property)
