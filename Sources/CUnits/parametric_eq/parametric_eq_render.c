/* The sound of the parametric equaliser: bands in series, two channels at a time. */
#include <string.h>

#include "parametric_eq/parametric_eq.h"

static const bl_eq_share shares[BL_EQ_PLACEMENT_COUNT] = {
    [BL_EQ_STEREO] = {{1, 1}, {0, 0}},         [BL_EQ_MID] = {{0.5, 0.5}, {0.5, 0.5}},
    [BL_EQ_SIDE] = {{0.5, 0.5}, {-0.5, -0.5}}, [BL_EQ_LEFT] = {{1, 0}, {0, 0}},
    [BL_EQ_RIGHT] = {{0, 1}, {0, 0}},
};

static uint32_t choice(const bl_ramp *parameter) BL_NONBLOCKING {
    return (uint32_t)(parameter->target + 0.5f);
}

bl_band_kind bl_eq_kind(const bl_unit_base *base, uint32_t band) BL_NONBLOCKING {
    const bl_ramp *parameters = base->parameters + band * BL_EQ_BAND_PARAMETERS;
    return (bl_band_kind){choice(&parameters[BL_EQ_ON]) != 0,
                          (bl_band_type)choice(&parameters[BL_EQ_TYPE]),
                          choice(&parameters[BL_EQ_SLOPE])};
}

bl_band_knobs bl_eq_knobs(const bl_unit_base *base, uint32_t band, uint32_t frame) BL_NONBLOCKING {
    const bl_ramp *parameters = base->parameters + band * BL_EQ_BAND_PARAMETERS;
    double frequency = (double)bl_ramp_value(&parameters[BL_EQ_FREQUENCY], frame);
    return (bl_band_knobs){frequency / base->sample_rate,
                           (double)bl_ramp_value(&parameters[BL_EQ_Q], frame),
                           pow(10, (double)bl_ramp_value(&parameters[BL_EQ_GAIN], frame) / 20)};
}

/* Returns `value`, or the nearest that `step` allows. */
BL_INLINE double approach(double from, double value, double step) BL_NONBLOCKING {
    return fmax(fmin(value, from + step), from - step);
}

/* Sets a band's target share; returns whether it moves. */
BL_INLINE bool aim_share(bl_eq_unit *eq, uint32_t band, bool at_once) BL_NONBLOCKING {
    const bl_unit_base *base = &eq->grid.base;
    const bl_ramp *parameters = base->parameters + band * BL_EQ_BAND_PARAMETERS;
    const bl_eq_share *wanted = &shares[choice(&parameters[BL_EQ_PLACEMENT])];
    double step = at_once ? 2 : BL_EQ_GRID / (BL_BAND_CHANGE_TIME * base->sample_rate);
    bl_eq_share *from = &eq->from[band];
    bl_eq_share *to = &eq->to[band];
    *from = *to;
    bool moves = false;
    for (int channel = 0; channel < 2; channel += 1) {
        to->own[channel] = approach(from->own[channel], wanted->own[channel], step);
        to->other[channel] = approach(from->other[channel], wanted->other[channel], step);
        moves = moves || to->own[channel] != from->own[channel] ||
                to->other[channel] != from->other[channel];
    }
    if (at_once) {
        *from = *to;
    }
    return moves && !at_once;
}

/* Aims all bands, at a line of the grid. */
BL_INLINE void aim(bl_grid_unit *unit) BL_NONBLOCKING {
    bl_eq_unit *eq = (bl_eq_unit *)unit;
    const bl_unit_base *base = &unit->base;
    bool stale = false;
    for (uint32_t index = 0; index < BL_EQ_OUTPUT; index += 1) {
        stale = stale || bl_ramp_is_moving(&base->parameters[index]);
    }
    for (uint32_t index = 0; index < BL_EQ_BANDS; index += 1) {
        bl_band *band = &eq->bands[index];
        stale = aim_share(eq, index, !band->tuned) || stale;
        bl_band_aim(band, bl_eq_kind(base, index), bl_eq_knobs(base, index, BL_EQ_GRID), BL_EQ_GRID,
                    base->sample_rate);
        stale = stale || band->moving;
    }
    unit->base.stale = stale;
}

/* Limits a band's change to its placement. */
BL_INLINE void place(const bl_eq_share *from, const bl_eq_share *to, uint32_t passed,
                     const bl_double2 *before, bl_double2 *samples,
                     uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double part = (double)(int32_t)(passed + frame + 1) * (1.0 / BL_EQ_GRID);
        part = part < 1 ? part : 1;
        bl_double2 change = samples[frame] - before[frame];
        bl_double2 turned = {change[1], change[0]};
        bl_double2 own = from->own + part * (to->own - from->own);
        bl_double2 other = from->other + part * (to->other - from->other);
        samples[frame] = before[frame] + (own * change + other * turned);
    }
}

BL_INLINE bool is_stereo(const bl_eq_share *share) BL_NONBLOCKING {
    const bl_eq_share *stereo = &shares[BL_EQ_STEREO];
    return share->own[0] == stereo->own[0] && share->own[1] == stereo->own[1] &&
           share->other[0] == 0;
}

/* Filters two channels with all bands. */
BL_INLINE void run(bl_grid_unit *unit, uint32_t pair, bl_double2 *samples,
                   uint32_t frames) BL_NONBLOCKING {
    bl_eq_unit *eq = (bl_eq_unit *)unit;
    bl_section_state(*states)[BL_BAND_SECTIONS] = eq->states[pair];
    uint32_t passed = unit->passed;
    for (uint32_t index = 0; index < BL_EQ_BANDS; index += 1) {
        const bl_band *band = &eq->bands[index];
        if (band->section_count == 0) {
            continue;
        }
        const bl_eq_share *from = &eq->from[index];
        const bl_eq_share *to = &eq->to[index];
        if (is_stereo(from) && is_stereo(to)) {
            bl_band_run(band, states[index], passed, BL_EQ_GRID, samples, frames);
            continue;
        }
        bl_double2 before[BL_GRID_STRETCH];
        memcpy(before, samples, frames * sizeof samples[0]);
        bl_band_run(band, states[index], passed, BL_EQ_GRID, samples, frames);
        place(from, to, passed, before, samples, frames);
    }
}

BL_VECTOR_CLONES void bl_eq_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                    uint32_t frames) BL_NONBLOCKING {
    bl_grid_process(unit, BL_EQ_GRID, &((bl_unit_base *)unit)->parameters[BL_EQ_OUTPUT], aim, run,
                    io, first_frame, frames);
}
