/* expect: property-table: “a path” is not made of ASCII letters, digits and _ */
#include "plain_unit.h"

static const bl_property_info properties[] = {{"a path", "Path", BL_PROPERTY_PATH, 0}};

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    (void)unit, (void)index, (void)value, (void)message, (void)message_size;
    return BL_OK;
}

UNIT(.properties = properties, .property_count = 1, .set_property = set_property)
