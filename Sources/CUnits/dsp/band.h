/* A band of an equaliser: an analogue filter of up to 48 dB per octave, matched (match.h), whose
   settings all change without clicks. Coefficients move linearly from one line of a grid to the
   next, and from one type to another within BL_BAND_CHANGE_TIME. */
#pragma once

#include <string.h>

#include "match.h"

enum { BL_BAND_SECTIONS = 4 };

/* The crossfade time of a band that changes its type or is switched, seconds. */
#define BL_BAND_CHANGE_TIME 0.02

typedef enum bl_band_type {
    BL_BAND_BELL,
    BL_BAND_LOW_SHELF,
    BL_BAND_HIGH_SHELF,
    BL_BAND_LOW_CUT,
    BL_BAND_HIGH_CUT,
    BL_BAND_NOTCH,
    BL_BAND_BAND_PASS,
    BL_BAND_TILT,
    BL_BAND_ALL_PASS,
    BL_BAND_TYPE_COUNT
} bl_band_type;

/* A band's kind: its settings apart from the knobs. */
typedef struct bl_band_kind {
    bool on;
    bl_band_type type;
    uint32_t sections; /* sections of a cut, 12 dB per octave each; 0 is 6 dB per octave */
} bl_band_kind;

/* Values of a band's knobs. */
typedef struct bl_band_knobs {
    double cutoff; /* as a part of the sample rate */
    double q;
    double gain; /* factor */
} bl_band_knobs;

/* A band. All zero: never tuned. */
typedef struct bl_band {
    bl_band_kind kind, kind_before;
    double progress; /* from kind_before, 0, to `kind`, 1 */
    bl_band_knobs knobs;
    bl_section from[BL_BAND_SECTIONS], to[BL_BAND_SECTIONS];
    uint32_t from_count, to_count; /* active sections at `from` and at `to` */
    uint32_t section_count;        /* active sections of the change */
    bool tuned;
    bool moving;
} bl_band;

BL_INLINE bool bl_band_same_kind(bl_band_kind a, bl_band_kind b) BL_NONBLOCKING {
    return a.on == b.on && a.type == b.type && a.sections == b.sections;
}

BL_INLINE bool bl_band_same_knobs(bl_band_knobs a, bl_band_knobs b) BL_NONBLOCKING {
    return a.cutoff == b.cutoff && a.q == b.q && a.gain == b.gain;
}

/* Active sections of such a band; 0 if it passes everything. */
BL_INLINE uint32_t bl_band_section_count(bl_band_kind kind, double gain) BL_NONBLOCKING {
    bool has_gain = kind.type == BL_BAND_BELL || kind.type == BL_BAND_LOW_SHELF ||
                    kind.type == BL_BAND_HIGH_SHELF || kind.type == BL_BAND_TILT;
    if (!kind.on || (has_gain && gain == 1)) {
        return 0;
    }
    bool cuts = kind.type == BL_BAND_LOW_CUT || kind.type == BL_BAND_HIGH_CUT;
    return cuts && kind.sections > 1 ? kind.sections : 1;
}

/* The prototype of one of a band's sections. */
BL_INLINE bl_prototype bl_band_prototype(bl_band_kind kind, bl_band_knobs knobs,
                                         uint32_t section) BL_NONBLOCKING {
    switch (kind.type) {
    case BL_BAND_LOW_SHELF: return bl_prototype_low_shelf(knobs.q, knobs.gain);
    case BL_BAND_HIGH_SHELF: return bl_prototype_high_shelf(knobs.q, knobs.gain);
    case BL_BAND_LOW_CUT:
        return kind.sections == 0
                   ? bl_prototype_high_pass_6()
                   : bl_prototype_high_pass(bl_cut_q(knobs.q, section, kind.sections));
    case BL_BAND_HIGH_CUT:
        return kind.sections == 0
                   ? bl_prototype_low_pass_6()
                   : bl_prototype_low_pass(bl_cut_q(knobs.q, section, kind.sections));
    case BL_BAND_NOTCH: return bl_prototype_notch(knobs.q);
    case BL_BAND_BAND_PASS: return bl_prototype_band_pass(knobs.q);
    case BL_BAND_TILT: return bl_prototype_tilt(knobs.q, knobs.gain);
    case BL_BAND_ALL_PASS: return bl_prototype_all_pass(knobs.q);
    case BL_BAND_BELL:
    case BL_BAND_TYPE_COUNT: break;
    }
    return bl_prototype_bell(knobs.q, knobs.gain);
}

/* Writes a band's sections; unused ones have the first one's poles and pass everything. */
BL_INLINE void bl_band_design(bl_band_kind kind, bl_band_knobs knobs,
                              bl_section *sections) BL_NONBLOCKING {
    uint32_t count = bl_band_section_count(kind, knobs.gain);
    for (uint32_t index = 0; index < BL_BAND_SECTIONS; index += 1) {
        if (index < count || index == 0) {
            bl_prototype prototype = bl_band_prototype(kind, knobs, index);
            sections[index] = bl_match(&prototype, knobs.cutoff);
        }
        if (index >= count) {
            sections[index] = bl_section_idle(&sections[0]);
        }
    }
}

/* Writes the sections of a band between two kinds; returns the number of active ones. */
BL_INLINE uint32_t bl_band_design_change(const bl_band *band, bl_section *sections) BL_NONBLOCKING {
    bl_band_design(band->kind, band->knobs, sections);
    uint32_t count = bl_band_section_count(band->kind, band->knobs.gain);
    if (band->progress == 1) {
        return count;
    }
    bl_section before[BL_BAND_SECTIONS];
    bl_band_design(band->kind_before, band->knobs, before);
    double share = band->progress * band->progress * (3 - 2 * band->progress);
    for (uint32_t index = 0; index < BL_BAND_SECTIONS; index += 1) {
        sections[index] = bl_section_between(&before[index], &sections[index], share);
    }
    uint32_t count_before = bl_band_section_count(band->kind_before, band->knobs.gain);
    return count > count_before ? count : count_before;
}

/* Computes the coefficients for the grid's next line, `length` frames from now, for the knobs'
   values then, `knobs`; at once the first time. Call it at a line of the grid while parameters or
   coefficients move. [render] */
BL_INLINE void bl_band_aim(bl_band *band, bl_band_kind kind, bl_band_knobs knobs, uint32_t length,
                           double sample_rate) BL_NONBLOCKING {
    bool changes = band->progress < 1;
    if (!band->tuned) {
        band->kind = kind;
        band->progress = 1;
    } else if (!changes && !bl_band_same_kind(kind, band->kind)) {
        band->kind_before = band->kind;
        band->kind = kind;
        band->progress = 0;
        changes = true;
    }
    band->progress = fmin(band->progress + length / (BL_BAND_CHANGE_TIME * sample_rate), 1);
    band->moving = changes || !bl_band_same_knobs(knobs, band->knobs);
    band->knobs = knobs;
    memcpy(band->from, band->to, sizeof band->from);
    band->from_count = band->to_count;
    if (band->moving || !band->tuned) {
        band->to_count = bl_band_design_change(band, band->to);
    }
    if (!band->tuned) {
        memcpy(band->from, band->to, sizeof band->from);
        band->from_count = band->to_count;
        band->moving = false;
        band->tuned = true;
    }
    band->section_count = band->to_count > band->from_count ? band->to_count : band->from_count;
}

/* Filters `frames` frames of two channels, in place, `passed` frames after the grid's last line.
   `states` has BL_BAND_SECTIONS. [render] */
BL_INLINE void bl_band_run(const bl_band *band, bl_section_state *states, uint32_t passed,
                           uint32_t length, bl_double2 *samples, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < band->section_count; index += 1) {
        if (passed == 0 && index >= band->from_count) {
            /* The state from its last use is out of date. */
            states[index] = (bl_section_state){0};
        }
        if (band->moving) {
            bl_section_run_moving(&states[index], &band->from[index], &band->to[index], passed,
                                  length, samples, frames);
        } else {
            bl_section_run(&states[index], &band->to[index], samples, frames);
        }
    }
}

/* Time in which the slowest pole falls to -60 dB, seconds: exp(-damping · t) = 1/1000. [any] */
BL_INLINE double bl_band_tail_time(bl_band_kind kind, bl_band_knobs knobs,
                                   double sample_rate) BL_NONBLOCKING {
    uint32_t count = bl_band_section_count(kind, knobs.gain);
    double tail = 0;
    for (uint32_t index = 0; index < count; index += 1) {
        bl_prototype prototype = bl_band_prototype(kind, knobs, index);
        double damping = bl_prototype_damping(&prototype) * 2 * 3.14159265358979324 *
                         fmin(knobs.cutoff, BL_MATCH_MAXIMUM_CUTOFF) * sample_rate;
        tail = fmax(tail, log(1000) / damping);
    }
    return tail;
}
