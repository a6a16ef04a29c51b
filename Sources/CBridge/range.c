#include "range.h"

#include <math.h>

#include "text.h"

/* Bounds beyond this mean "none": FLT_MAX, infinity. */
static const float most = 1e30f;
/* The replacement of an unstated bound, beyond any plausible value. */
static const float unbounded = 1e6f;
/* The most integer values that get names. */
static const float most_names = 256;

static float known_or(float value, float otherwise) {
    return isfinite(value) && fabsf(value) < most ? value : otherwise;
}

static float clamp(float value, float minimum, float maximum) {
    return value < minimum ? minimum : value > maximum ? maximum : value;
}

static bool toggle(const bl_stated_range *stated, bl_arena *arena, bl_parameter_info *info,
                   bl_plug_in_parameter *parameter) {
    float off = known_or(stated->minimum, 0), on = known_or(stated->maximum, 1);
    if (!(off < on)) {
        off = 0, on = 1;
    }
    if (off != 0 || on != 1) {
        const float points[] = {off, on};
        parameter->points = bl_arena_copy(arena, points, 2, sizeof *points);
        parameter->point_count = parameter->points != NULL ? 2 : 0;
    }
    info->unit = BL_UNIT_BOOLEAN;
    info->minimum = 0;
    info->maximum = 1;
    /* In LV2, values above 0 mean on. */
    info->default_value = known_or(stated->default_value, off) > (off < 0 ? (off + on) / 2 : 0);
    info->flags = BL_PARAMETER_STEPPED_FLAGS;
    info->curve = BL_CURVE_LINEAR;
    return true;
}

bool bl_range_resolve(const bl_stated_range *stated, bl_arena *arena, bl_parameter_info *info,
                      bl_plug_in_parameter *parameter) {
    if (stated->is_toggled) {
        return toggle(stated, arena, info, parameter);
    }
    float rate = stated->is_scaled ? (float)BL_BRIDGE_DESCRIBED_RATE : 1;
    float preset = known_or(stated->default_value, NAN) * (stated->is_default_scaled ? rate : 1);
    float bound = fmaxf(10 * fabsf(isnan(preset) ? 0 : preset), unbounded);
    float minimum = known_or(stated->minimum * rate, -bound);
    float maximum = known_or(stated->maximum * rate, bound);
    if (isnan(stated->maximum) || fabsf(stated->maximum) >= most) {
        maximum = fmaxf(maximum, minimum + 1);
    } else if (isnan(stated->minimum) || fabsf(stated->minimum) >= most) {
        minimum = fminf(minimum, maximum - 1);
    }
    if (minimum > maximum) {
        float swapped = minimum;
        minimum = maximum;
        maximum = swapped;
    }
    if (stated->is_integer) {
        minimum = ceilf(minimum);
        maximum = floorf(maximum);
        preset = roundf(preset);
    }
    info->minimum = minimum;
    info->maximum = maximum;
    info->default_value = clamp(isnan(preset) ? 0 : preset, minimum, maximum);
    info->flags = stated->is_integer ? BL_PARAMETER_STEPPED_FLAGS : BL_PARAMETER_DEFAULT_FLAGS;
    info->curve = !stated->is_logarithmic ? BL_CURVE_LINEAR
                  : minimum > 0           ? BL_CURVE_LOGARITHMIC
                  : minimum == 0          ? BL_CURVE_SQUARED
                                          : BL_CURVE_LINEAR;
    parameter->is_whole = stated->is_integer;
    if (stated->is_scaled) {
        parameter->scaled_minimum = minimum / rate;
        parameter->scaled_maximum = maximum / rate;
    }
    return minimum < maximum;
}

static int by_value(const void *left, const void *right) {
    float difference =
        ((const bl_named_value *)left)->value - ((const bl_named_value *)right)->value;
    return difference < 0 ? -1 : difference > 0;
}

static const char *name_at(const void *table, uint32_t index) {
    return ((const char *const *)table)[index];
}

void bl_range_name_values(bl_named_value *values, uint32_t count, bl_arena *arena,
                          bl_parameter_info *info, bl_plug_in_parameter *parameter) {
    qsort(values, count, sizeof *values, by_value);
    const char **names = bl_arena_allocate(arena, count + 1, sizeof *names);
    float *points = bl_arena_allocate(arena, count, sizeof *points);
    uint32_t kept = 0, nearest = 0;
    for (uint32_t index = 0; index < count && names != NULL && points != NULL; index += 1) {
        float value = values[index].value;
        if (!isfinite(value) || (kept > 0 && value == points[kept - 1])) {
            continue;
        }
        names[kept] = bl_text_unique(arena, bl_text_line(arena, values[index].name, "-"), " ",
                                     name_at, names, kept);
        points[kept] = value;
        if (fabsf(value - info->default_value) < fabsf(points[nearest] - info->default_value)) {
            nearest = kept;
        }
        kept += 1;
    }
    if (kept < 2) {
        return;
    }
    /* Consecutive integers need no mapping. */
    bool is_consecutive = points[0] == roundf(points[0]);
    for (uint32_t index = 1; index < kept; index += 1) {
        is_consecutive = is_consecutive && points[index] == points[index - 1] + 1;
    }
    parameter->points = is_consecutive ? NULL : points;
    parameter->point_count = is_consecutive ? 0 : kept;
    parameter->is_whole = true;
    parameter->scaled_maximum = parameter->scaled_minimum = 0;
    info->unit = BL_UNIT_INDEXED;
    info->minimum = is_consecutive ? points[0] : 0;
    info->maximum = info->minimum + (float)(kept - 1);
    info->default_value = info->minimum + (float)nearest;
    info->curve = BL_CURVE_LINEAR;
    info->flags &= ~(uint32_t)BL_PARAMETER_RAMPABLE;
    info->value_strings = names;
    info->unit_name = NULL;
}

void bl_range_name_whole_numbers(bl_arena *arena, bl_parameter_info *info) {
    float span = info->maximum - info->minimum;
    if (info->unit != BL_UNIT_GENERIC || span > most_names) {
        return;
    }
    uint32_t count = (uint32_t)span + 1;
    const char **names = bl_arena_allocate(arena, count + 1, sizeof *names);
    for (uint32_t index = 0; index < count && names != NULL; index += 1) {
        names[index] = bl_text_print(arena, "%.0f", (double)(info->minimum + (float)index));
    }
    if (names != NULL) {
        info->unit = BL_UNIT_INDEXED;
        info->value_strings = names;
        info->curve = BL_CURVE_LINEAR;
    }
}

float bl_range_to_port(const bl_plug_in_parameter *parameter, float value,
                       double sample_rate) BL_NONBLOCKING {
    if (parameter->points != NULL) {
        float last = (float)(parameter->point_count - 1);
        float place = value > 0 ? value + 0.5f : 0;
        return parameter->points[place < last ? (uint32_t)place : (uint32_t)last];
    }
    if (parameter->is_whole) {
        value = floorf(value + 0.5f);
    }
    if (parameter->scaled_maximum > parameter->scaled_minimum) {
        float rate = (float)sample_rate;
        float low = parameter->scaled_minimum * rate, high = parameter->scaled_maximum * rate;
        value = value < low ? low : value > high ? high : value;
    }
    return value;
}

float bl_range_from_port(const bl_plug_in_parameter *parameter, float value) BL_NONBLOCKING {
    if (!(value > -INFINITY && value < INFINITY)) {
        return 0;
    }
    uint32_t nearest = 0;
    for (uint32_t index = 1; index < parameter->point_count; index += 1) {
        if (fabsf(parameter->points[index] - value) < fabsf(parameter->points[nearest] - value)) {
            nearest = index;
        }
    }
    return parameter->points != NULL ? (float)nearest : value;
}
