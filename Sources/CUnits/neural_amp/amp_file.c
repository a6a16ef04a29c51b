#include "neural_amp/amp_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_open.h"
#include "neural_amp/amp_config.h"

enum { LOWEST_RATE = 8000, HIGHEST_RATE = 384000, USUAL_RATE = 48000 };

/* Reads a number; NAN if it is missing or null. */
static double number_of(const bl_json *json, uint32_t object, const char *key) {
    uint32_t value = object == UINT32_MAX ? 0 : bl_json_member(json, object, key);
    return value == 0 || bl_json_type_of(json, value) != BL_JSON_NUMBER
               ? NAN
               : bl_json_number(json, value);
}

/* Checks the version: 0.5.0 to 0.7. */
static bool check_version(bl_amp_reader *reader, uint32_t model) {
    const bl_json *json = reader->json;
    uint32_t version = bl_json_member(json, model, "version");
    if (version == 0 || bl_json_type_of(json, version) != BL_JSON_STRING) {
        return bl_amp_fail(reader, "it is no .nam file: it states no version");
    }
    const bl_json_value *text = &json->values[version];
    const char *start = json->text + text->start;
    bool known = text->length >= 5 && memcmp(start, "0.", 2) == 0 && start[2] >= '5' &&
                 start[2] <= '7' && start[3] == '.';
    for (uint32_t index = 4; index < text->length; index += 1) {
        known = known && start[index] >= '0' && start[index] <= '9';
    }
    return known || bl_amp_fail(reader, "it has version %.*s; Backline plays 0.5.0 to 0.7",
                                (int)(text->length < 20 ? text->length : 20), start);
}

/* Reads the sample rate of a model, or that of its file. */
static double read_rate(bl_amp_reader *reader, uint32_t model, double otherwise) {
    double rate = number_of(reader->json, model, "sample_rate");
    if (isnan(rate)) {
        return otherwise;
    }
    if (!(rate >= LOWEST_RATE && rate <= HIGHEST_RATE) || rate != floor(rate)) {
        bl_amp_fail(reader, "its sample rate is %g Hz; %d to %d will do", rate, LOWEST_RATE,
                    HIGHEST_RATE);
    }
    return rate;
}

static bool read_plan(bl_amp_reader *reader, uint32_t model, bl_amp_plan *plan) {
    static const struct {
        const char *name;
        bool (*read)(bl_amp_reader *reader, uint32_t config, bl_amp_plan *plan);
    } architectures[] = {{"WaveNet", bl_amp_read_wavenet},
                         {"ConvNet", bl_amp_read_convnet},
                         {"Linear", bl_amp_read_linear},
                         {"LSTM", bl_amp_read_lstm}};
    const bl_json *json = reader->json;
    uint32_t architecture = bl_json_member(json, model, "architecture");
    uint32_t config = bl_json_member(json, model, "config");
    uint32_t weights = bl_json_member(json, model, "weights");
    if (architecture == 0 || config == 0 || weights == 0 ||
        bl_json_type_of(json, weights) != BL_JSON_ARRAY) {
        return bl_amp_fail(reader,
                           "it is no .nam file: architecture, config or weights is missing");
    }
    reader->next_weight = weights + 1;
    reader->weights_left = bl_json_count(json, weights);
    if (reader->weights_left > BL_AMP_MOST_WEIGHTS) {
        return bl_amp_fail(reader, "it has %u weights, more than the %d that can be played",
                           reader->weights_left, BL_AMP_MOST_WEIGHTS);
    }
    plan->steps = calloc(BL_AMP_MOST_STEPS, sizeof *plan->steps);
    plan->weights = calloc((size_t)reader->weights_left + 1, sizeof *plan->weights);
    if (plan->steps == NULL || plan->weights == NULL) {
        return bl_amp_fail(reader, "out of memory");
    }
    for (size_t index = 0; index < sizeof architectures / sizeof architectures[0]; index += 1) {
        if (bl_json_is(json, architecture, architectures[index].name)) {
            return architectures[index].read(reader, config, plan) &&
                   (reader->weights_left == 0 ||
                    bl_amp_fail(reader, "it has %u weights too many", reader->weights_left));
        }
    }
    const bl_json_value *name = &json->values[architecture];
    return bl_amp_fail(reader, "its architecture is %.*s, which Backline does not know",
                       (int)(name->length < 40 ? name->length : 40), json->text + name->start);
}

/* Reads a level; NAN if it is missing or implausible. */
static double level_of(const bl_json *json, uint32_t object, const char *key, double low,
                       double high) {
    double level = number_of(json, object, key);
    return level >= low && level <= high ? level : NAN;
}

/* Reads one size of a file. */
static bool read_size(bl_amp_reader *reader, uint32_t model, bl_amp_size size, bl_amp_file *file) {
    uint32_t metadata = bl_json_member(reader->json, model, "metadata");
    metadata = metadata == 0 ? UINT32_MAX : metadata;
    file->facts[size] = (bl_amp_facts){
        level_of(reader->json, metadata, "loudness", -60, 0),
        level_of(reader->json, metadata, "input_level_dbu", -40, 40),
        level_of(reader->json, metadata, "output_level_dbu", -40, 40),
    };
    file->size_count = size + 1;
    return check_version(reader, model) && read_plan(reader, model, &file->plans[size]);
}

/* Reads the largest and the smallest size of a container; the largest is the last. */
static bool read_container(bl_amp_reader *reader, uint32_t config, bl_amp_file *file) {
    const bl_json *json = reader->json;
    uint32_t models = bl_json_member(json, config, "submodels");
    uint32_t first = 0, last = 0;
    if (models != 0 && bl_json_type_of(json, models) == BL_JSON_ARRAY) {
        for (uint32_t at = models + 1; at < json->values[models].end; at = bl_json_next(json, at)) {
            last = bl_json_member(json, at, "model");
            first = first == 0 ? last : first;
            if (last == 0 || read_rate(reader, last, file->sample_rate) != file->sample_rate) {
                return bl_amp_fail(reader, "it has submodels that do not fit together");
            }
        }
    }
    if (last == 0) {
        return bl_amp_fail(reader, "it has no submodels");
    }
    return read_size(reader, last, BL_AMP_FULL, file) &&
           (first == last || read_size(reader, first, BL_AMP_LITE, file));
}

static bool read_file(bl_amp_reader *reader, bl_amp_file *file) {
    const bl_json *json = reader->json;
    if (bl_json_type_of(json, 0) != BL_JSON_OBJECT) {
        return bl_amp_fail(reader, "it is no .nam file");
    }
    file->sample_rate = read_rate(reader, 0, USUAL_RATE);
    uint32_t architecture = bl_json_member(json, 0, "architecture");
    if (architecture != 0 && bl_json_is(json, architecture, "SlimmableContainer")) {
        return check_version(reader, 0) &&
               read_container(reader, bl_json_member(json, 0, "config"), file);
    }
    return read_size(reader, 0, BL_AMP_FULL, file) && reader->fault[0] == 0;
}

bl_amp_file *bl_amp_file_read(const char *path, char *message, size_t message_size) {
    bl_json json;
    if (!bl_json_read(&json, path, message, message_size)) {
        return NULL;
    }
    bl_amp_reader reader = {.json = &json};
    bl_amp_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        bl_amp_fail(&reader, "out of memory");
    } else if (!read_file(&reader, file) || reader.fault[0] != 0) {
        bl_amp_file_close(file);
        file = NULL;
    }
    if (file == NULL) {
        bl_file_complain(message, message_size, path, "%s", reader.fault);
    }
    bl_json_close(&json);
    return file;
}

void bl_amp_file_close(bl_amp_file *file) {
    if (file == NULL) {
        return;
    }
    for (uint32_t size = 0; size < BL_AMP_SIZES; size += 1) {
        bl_amp_plan_close(&file->plans[size]);
    }
    free(file);
}
