/* Digital filters with an analogue filter's magnitude up to three quarters of half the sample rate,
 * without latency. The bilinear transform squeezes all frequencies to infinity below half the rate;
 * this does not.
 *
 * Poles and zeros go to z = exp(s · T) (the matched z-transform; a zero at infinity goes to -1/2),
 * which is exact far below half the rate. The remaining error is a smooth function of frequency.
 * After Martin Vicanek ("Matched Second Order Digital Filters", 2016) it is found in the squared
 * magnitude, as a function of p = sin²(ω/2): here as a quadratic over a linear function that has
 * the right value at four frequencies. That takes only divided differences (Milne-Thomson, "The
 * Calculus of Finite Differences", 1933), and the roots for the filter itself are Vicanek's.
 *
 * A cut is the reciprocal of its boost within the fit's error. Measured at 48 kHz, 10 Hz to 18 kHz,
 * cutoffs 10 Hz to 22 kHz: see docs/reference/units/parametric-eq.md.
 */
#pragma once

#include "prototype.h"
#include "section.h"

/* The highest cutoff, as a part of the sample rate. */
#define BL_MATCH_MAXIMUM_CUTOFF 0.499

/* The least distance of a cutoff from a node, radians per frame. */
#define BL_MATCH_DISTANCE 1e-5

/* The linear function's slope is between the first two, so that its pole is within 0.82; if it is
   outside, it becomes the first if that is near, else the third. Measured: the smallest errors. */
#define BL_MATCH_LEAST_SLOPE -0.99
#define BL_MATCH_MOST_SLOPE 8.0
#define BL_MATCH_OTHER_SLOPE 0.5

enum { BL_MATCH_NODES = 4 };

/* The nodes, where the magnitude is right, or, if that would need an unstable filter, equally far
   above and below in turn: ω, radians per frame, and sin²(ω/2). */
static const double bl_match_angles[BL_MATCH_NODES] = {0.062831853071795868, 1.2566370614359172,
                                                       1.9477874452256718, 2.3561944901923448};
static const double bl_match_places[BL_MATCH_NODES] = {0.000986635785864219, 0.34549150281252627,
                                                       0.68406227634233896, 0.85355339059327373};

/* Two roots in the z-plane: z² + c₁ z + c₂. */
typedef struct bl_match_roots {
    double at_dc;   /* 1 + c₁ + c₂ */
    double at_half; /* 1 - c₁ + c₂ */
    double product; /* c₂ */
} bl_match_roots;

/* The coefficients of two real roots, each given as r and 1 - r. */
BL_INLINE bl_match_roots bl_match_real(double first, double first_to_one, double second,
                                       double second_to_one) BL_NONBLOCKING {
    return (bl_match_roots){first_to_one * second_to_one, (1 + first) * (1 + second),
                            first * second};
}

/* The roots of c[0] s² + c[1] s + c[2] at `angle` radians a frame for s = j. */
BL_INLINE bl_match_roots bl_match_roots_of(const double *c, double angle) BL_NONBLOCKING {
    if (c[0] == 0 && c[1] == 0) {
        return bl_match_real(-0.5, 1.5, -0.5, 1.5);
    }
    if (c[0] == 0) {
        double real = -angle * c[2] / c[1];
        return bl_match_real(exp(real), -expm1(real), -0.5, 1.5);
    }
    double half = angle * c[1] / (2 * c[0]);
    double square = angle * angle * c[2] / c[0];
    double rest = square - half * half;
    if (rest < 0) {
        double far = half + copysign(sqrt(-rest), half);
        double near = square / far;
        return bl_match_real(exp(-far), -expm1(-far), exp(-near), -expm1(-near));
    }
    double turn = sqrt(rest);
    /* Beyond half the rate only a root's distance has an effect. */
    double beyond = fmax(turn - 3.14159265358979324, 0);
    half += copysign(beyond, half);
    turn -= beyond;
    double radius = exp(-half);
    double to_one = -expm1(-half);
    double sine = sin(0.5 * turn);
    double cosine = cos(0.5 * turn);
    return (bl_match_roots){to_one * to_one + 4 * radius * (sine * sine),
                            to_one * to_one + 4 * radius * (cosine * cosine), radius * radius};
}

/* |z² + c₁ z + c₂|² at sin²(ω/2) = `place`. */
BL_INLINE double bl_match_digital(const bl_match_roots *roots, double place) BL_NONBLOCKING {
    return roots->at_dc * roots->at_dc * (1 - place) + roots->at_half * roots->at_half * place -
           16 * roots->product * (place * (1 - place));
}

/* |c[0] s² + c[1] s + c[2]|² at s = jω, ω² = `square`. */
BL_INLINE double bl_match_analogue(const double *c, double square) BL_NONBLOCKING {
    double even = c[2] - c[0] * square;
    return even * even + c[1] * c[1] * square;
}

/* Newton's divided differences of values at the nodes, in place. */
BL_INLINE void bl_match_differences(double *values) BL_NONBLOCKING {
    for (int order = 1; order < BL_MATCH_NODES; order += 1) {
        for (int node = BL_MATCH_NODES - 1; node >= order; node -= 1) {
            values[node] = (values[node] - values[node - 1]) /
                           (bl_match_places[node] - bl_match_places[node - order]);
        }
    }
}

/* Writes b₀, b₁, b₂ and a₁ for the squared magnitude (N₀ + N₁ p + N₂ p²) / (1 + `slope` p) that has
   `values` at the nodes, or, if four values need more than a quadratic, is equally far from each,
   in turn above and below. Its gain at DC is applied before it, so that all coefficients stay near
   1 and may move one by one. False, and nothing written, if there is no such filter. */
BL_INLINE bool bl_match_factor(bl_section *section, const double *values,
                               double slope) BL_NONBLOCKING {
    const double *p = bl_match_places;
    double quadratic[BL_MATCH_NODES], turns[BL_MATCH_NODES];
    for (int node = 0; node < BL_MATCH_NODES; node += 1) {
        quadratic[node] = (1 + slope * p[node]) * values[node];
        turns[node] = node % 2 == 0 ? quadratic[node] : -quadratic[node];
    }
    bl_match_differences(quadratic);
    bl_match_differences(turns);
    double share = quadratic[3] / turns[3];
    double value = quadratic[0] - share * turns[0];
    double first = quadratic[1] - share * turns[1];
    double second = quadratic[2] - share * turns[2];
    double at_dc = value - p[0] * (first - p[1] * second);
    double at_half = value + (1 - p[0]) * (first + (1 - p[1]) * second);
    double w = 0.5 * (sqrt(fmax(at_dc, 0)) + sqrt(fmax(at_half, 0)));
    double square = w * w - 0.25 * second;
    if (!(at_dc > 0 && at_half > 0 && square > 0)) {
        return false;
    }
    double c = sqrt(1 + slope);
    double gain = sqrt(at_dc);
    double scale = 2 / ((1 + c) * gain);
    double b0 = 0.5 * (w + sqrt(square));
    section->of[BL_SECTION_B0] = scale * b0;
    section->of[BL_SECTION_B1] = scale * (0.5 * (gain - sqrt(at_half)));
    section->of[BL_SECTION_B2] = scale * (0.0625 * second / b0);
    section->of[BL_SECTION_A1] = (1 - c) / (1 + c);
    section->of[BL_SECTION_FROM_INPUT] *= gain;
    section->of[BL_SECTION_FROM_BAND] *= gain;
    section->of[BL_SECTION_FROM_LOW] *= gain;
    return true;
}

/* The section with the magnitude of `prototype` at `cutoff` (as a part of the sample rate, limited
   to BL_MATCH_MAXIMUM_CUTOFF). [render] */
BL_INLINE bl_section bl_match(const bl_prototype *prototype, double cutoff) BL_NONBLOCKING {
    double angle = 2 * 3.14159265358979324 * fmin(cutoff, BL_MATCH_MAXIMUM_CUTOFF);
    /* A notch must not lie on a node, where it would be 0 / 0. */
    for (int node = 0; node < BL_MATCH_NODES; node += 1) {
        bool near = fabs(angle - bl_match_angles[node]) < BL_MATCH_DISTANCE;
        angle = near ? bl_match_angles[node] + BL_MATCH_DISTANCE : angle;
    }
    bl_match_roots zeros = bl_match_roots_of(prototype->numerator, angle);
    bl_match_roots poles = bl_match_roots_of(prototype->denominator, angle);
    bl_section section;
    /* 1 + gk + g², g, and k, from the poles; then the zeros' weights of the three outputs. */
    double sum = 4 / poles.at_half;
    double g = sqrt(poles.at_dc / poles.at_half);
    double k = (1 - poles.product) * sum / (2 * g);
    double high = zeros.at_half / poles.at_half;
    double band = (1 - zeros.product) * sum / (2 * g);
    double low = zeros.at_dc / poles.at_dc;
    section.of[BL_SECTION_BAND] = 2 * g / sum;
    section.of[BL_SECTION_LOW] = 2 * g * g / sum;
    section.of[BL_SECTION_LOSS] = 2 * g * (k + g) / sum;
    section.of[BL_SECTION_FROM_INPUT] = high;
    section.of[BL_SECTION_FROM_BAND] = 0.5 * (band - high * k);
    section.of[BL_SECTION_FROM_LOW] = 0.5 * (low - high);

    double values[BL_MATCH_NODES], plain[BL_MATCH_NODES], weighted[BL_MATCH_NODES];
    for (int node = 0; node < BL_MATCH_NODES; node += 1) {
        double place = bl_match_places[node];
        double frequency = bl_match_angles[node] / angle;
        double square = frequency * frequency;
        values[node] =
            bl_match_analogue(prototype->numerator, square) * bl_match_digital(&poles, place) /
            (bl_match_analogue(prototype->denominator, square) * bl_match_digital(&zeros, place));
        plain[node] = values[node];
        weighted[node] = place * values[node];
    }
    bl_match_differences(plain);
    bl_match_differences(weighted);
    double slope = -plain[3] / weighted[3];
    if (!(slope > BL_MATCH_LEAST_SLOPE && slope < BL_MATCH_MOST_SLOPE)) {
        slope = slope < 0 && slope > -2 ? BL_MATCH_LEAST_SLOPE : BL_MATCH_OTHER_SLOPE;
    }
    for (int attempt = 0; attempt < 8 && !bl_match_factor(&section, values, slope); attempt += 1) {
        slope *= 0.97;
    }
    return section;
}
