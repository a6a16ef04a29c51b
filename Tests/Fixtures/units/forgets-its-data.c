/* expect: data: data: saves again what was loaded: it writes nothing where nothing is new */
#include "plain_unit.h"

static const bl_property_info properties[] = {{"data", "Data", BL_PROPERTY_DATA, 0}};

static bl_status save_data(bl_unit *unit, uint32_t index, const bl_data_writer *writer,
                           char *message, size_t message_size) {
    (void)unit, (void)index, (void)message, (void)message_size;
    return writer->write(writer->context, "\x00", 1);
}

static bl_status load_data(bl_unit *unit, uint32_t index, const void *bytes, size_t count,
                           char *message, size_t message_size) {
    (void)unit, (void)index, (void)bytes, (void)count, (void)message, (void)message_size;
    return BL_OK;
}

UNIT(.properties = properties, .property_count = 1, .save_data = save_data, .load_data = load_data)
