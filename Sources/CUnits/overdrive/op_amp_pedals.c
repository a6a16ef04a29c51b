/* The circuits of pedals with op-amps, as published schematics have them; followers and what
   follows the last knob are left out, and those without a tone control get a capacitor behind a
   pot. */
#include "circuit/circuit_list.h"
#include "overdrive/devices.h"
#include "overdrive/pedals.h"

/* Ibanez TS808. */
const bl_part bl_screamer[] = {
    CAPACITOR(IN, 3, 20e-9),
    RESISTOR(3, G, 510e3),
    BUFFER(3, 4),
    CAPACITOR(4, 5, 1e-6),
    RESISTOR(5, G, 10e3),
    OP_AMP(5, 6, 7, OF_4558),
    RESISTOR(6, 8, 4.7e3),
    CAPACITOR(8, G, 47e-9),
    RESISTOR(6, 9, 51e3),
    RHEOSTAT(BL_KNOB_DRIVE, BL_TAPER_AUDIO, 9, 7, 500e3),
    CAPACITOR(6, 7, 51e-12),
    DIODES(6, 7, SILICON),
    RESISTOR(7, 10, 1e3),
    CAPACITOR(10, G, 220e-9),
    RESISTOR(10, G, 10e3),
    OP_AMP(10, 11, 12, OF_4558),
    RESISTOR(11, 12, 1e3),
    POT(BL_KNOB_TONE, BL_TAPER_LINEAR, 10, 13, 11, 20e3),
    RESISTOR(13, 14, 220),
    CAPACITOR(14, G, 220e-9),
    CAPACITOR(12, OUT, 1e-6),
    RESISTOR(OUT, G, 100e3),
    END,
};

/* MXR Distortion+. */
const bl_part bl_plus[] = {
    CAPACITOR(IN, 3, 10e-9),
    RESISTOR(3, 4, 10e3),
    RESISTOR(4, G, 1e6),
    OP_AMP(4, 5, 6, OF_741),
    RESISTOR(5, 6, 1e6),
    RESISTOR(5, 7, 4.7e3),
    RHEOSTAT(BL_KNOB_DRIVE, BL_TAPER_REVERSE_AUDIO, 7, 8, 1e6),
    CAPACITOR(8, G, 47e-9),
    CAPACITOR(6, 9, 1e-6),
    RESISTOR(9, 10, 10e3),
    DIODES(10, G, GERMANIUM),
    CAPACITOR(10, G, 1e-9),
    RESISTOR(10, G, 50e3),
    RESISTOR(10, OUT, 10e3),
    CAPACITOR(OUT, 11, 10e-9),
    RHEOSTAT(BL_KNOB_TONE, BL_TAPER_LINEAR, 11, G, 100e3),
    RESISTOR(OUT, G, 1e6),
    END,
};

/* Pro Co RAT, with less of a capacitor before the diodes and a way past them, so that it comes to
   rest in time. */
const bl_part bl_rodent[] = {
    CAPACITOR(IN, 3, 22e-9),
    RESISTOR(3, G, 1e6),
    OP_AMP(3, 4, 5, OF_308),
    RHEOSTAT(BL_KNOB_DRIVE, BL_TAPER_AUDIO, 4, 5, 150e3),
    CAPACITOR(4, 5, 100e-12),
    RESISTOR(4, 6, 47),
    CAPACITOR(6, G, 2.2e-6),
    RESISTOR(4, 7, 560),
    CAPACITOR(7, G, 4.7e-6),
    CAPACITOR(5, 8, 1e-6),
    RESISTOR(8, 9, 1e3),
    DIODES(9, G, SILICON),
    RESISTOR(9, G, 47e3),
    RHEOSTAT(BL_KNOB_TONE, BL_TAPER_REVERSE, 9, 10, 100e3),
    RESISTOR(10, 11, 1.5e3),
    CAPACITOR(11, G, 3.3e-9),
    CAPACITOR(11, OUT, 22e-9),
    RESISTOR(OUT, G, 1e6),
    END,
};

/* Klon Centaur's gain stage, with the clean sound beside it. */
const bl_part bl_gold[] = {
    CAPACITOR(IN, 3, 100e-9),
    RESISTOR(3, G, 1e6),
    OP_AMP(3, 4, 5, OF_072),
    RESISTOR(4, 5, 422e3),
    CAPACITOR(4, 5, 390e-12),
    RESISTOR(4, 6, 17e3),
    RHEOSTAT(BL_KNOB_DRIVE, BL_TAPER_REVERSE, 6, 7, 100e3),
    CAPACITOR(7, G, 82e-9),
    CAPACITOR(5, 8, 1e-6),
    RESISTOR(8, 9, 1e3),
    DIODES(9, G, OLD_GERMANIUM),
    RESISTOR(9, 10, 47e3),
    RESISTOR(3, 11, 68e3),
    RHEOSTAT(BL_KNOB_DRIVE, BL_TAPER_LINEAR, 11, 10, 100e3),
    OP_AMP(G, 10, 12, OF_4558),
    RESISTOR(10, 12, 392e3),
    CAPACITOR(10, 12, 20e-12),
    RESISTOR(12, 13, 100e3),
    RESISTOR(13, 14, 100e3),
    RESISTOR(12, 15, 1.8e3),
    POT(BL_KNOB_TONE, BL_TAPER_REVERSE, 15, 16, 17, 10e3),
    RESISTOR(17, 14, 4.7e3),
    CAPACITOR(16, 13, 3.9e-9),
    OP_AMP(G, 13, 14, OF_4558),
    CAPACITOR(14, OUT, 1e-6),
    RESISTOR(OUT, G, 100e3),
    END,
};

/* Marshall Blues Breaker: pairs of diodes around the second op-amp. */
const bl_part bl_breaker[] = {
    CAPACITOR(IN, 3, 10e-9),
    RESISTOR(3, G, 1e6),
    OP_AMP(3, 4, 5, OF_072),
    RESISTOR(4, 6, 27e3),
    RESISTOR(4, 7, 33e3),
    CAPACITOR(7, 6, 10e-9),
    CAPACITOR(6, G, 10e-9),
    CAPACITOR(4, 5, 100e-12),
    POT(BL_KNOB_DRIVE, BL_TAPER_LINEAR, 4, 5, 8, 100e3),
    CAPACITOR(8, 9, 100e-9),
    RESISTOR(9, 10, 10e3),
    OP_AMP(G, 10, 11, OF_FAST_072),
    RESISTOR(10, 11, 220e3),
    RESISTOR(10, 12, 6.8e3),
    DIODES(12, 11, SILICON_PAIR),
    RESISTOR(11, 13, 1e3),
    POT(BL_KNOB_TONE, BL_TAPER_REVERSE, 13, 14, 15, 25e3),
    CAPACITOR(15, G, 10e-9),
    RESISTOR(14, 16, 6.8e3),
    CAPACITOR(16, G, 10e-9),
    RESISTOR(16, G, 100e3),
    CAPACITOR(16, OUT, 100e-9),
    RESISTOR(OUT, G, 1e6),
    END,
};

/* A TL072 driven against its rails. */
const bl_part bl_op_amp[] = {
    CAPACITOR(IN, 3, 47e-9),
    RESISTOR(3, G, 1e6),
    OP_AMP(3, 4, 5, OF_072),
    RESISTOR(4, 6, 10e3),
    RHEOSTAT(BL_KNOB_DRIVE, BL_TAPER_AUDIO, 6, 5, 500e3),
    CAPACITOR(4, 5, 22e-12),
    RESISTOR(4, 7, 2.2e3),
    CAPACITOR(7, G, 100e-9),
    CAPACITOR(5, 8, 1e-6),
    RESISTOR(8, OUT, 10e3),
    CAPACITOR(OUT, 9, 10e-9),
    RHEOSTAT(BL_KNOB_TONE, BL_TAPER_LINEAR, 9, G, 100e3),
    RESISTOR(OUT, G, 100e3),
    END,
};
