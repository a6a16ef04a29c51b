/* The overdrive's circuits, as published schematics of the pedals have them; followers and what
   follows the last knob are left out, and those without a tone control get a capacitor behind a
   pot. */
#include "overdrive/pedals.h"

#include "circuit/circuit_list.h"

/* Saturation currents and emission coefficients: 1N4148, 1N270, 1N34A. */
#define SILICON 2.52e-9, 1.752
#define GERMANIUM 200e-9, 1.3
#define OLD_GERMANIUM 15e-6, 1.0
/* Op-amps: 4558 far from its limits; 741, LM308 and TL072 with them. */
#define OF_4558 3e6
#define OF_741 1e6, 0.5e6, 3.5
#define OF_308 1e6, 0.3e6, 3.9
#define OF_072 3e6, 13e6, 3.5

/* Ibanez TS808. */
static const bl_part screamer[] = {
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
static const bl_part plus[] = {
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
static const bl_part rodent[] = {
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
static const bl_part gold[] = {
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

/* Dallas Rangemaster, upside down, as its OC44 is PNP. The drive takes the emitter's capacitor
 * away.
 */
static const bl_part boost[] = {
    SUPPLY(3, 9),
    CAPACITOR(IN, 4, 4.7e-9),
    RHEOSTAT(BL_KNOB_TONE, BL_TAPER_LINEAR, IN, 8, 100e3),
    CAPACITOR(8, 4, 47e-9),
    RESISTOR(4, 3, 470e3),
    RESISTOR(4, 9, 30e3),
    RHEOSTAT(BL_KNOB_BIAS, BL_TAPER_LINEAR, 9, G, 76e3),
    TRANSISTOR(4, 5, 6, 2e-6, 85, 10),
    CAPACITOR(4, 5, 10e-12),
    RESISTOR(6, G, 3.9e3),
    RHEOSTAT(BL_KNOB_DRIVE, BL_TAPER_REVERSE_AUDIO, 6, 7, 5e3),
    CAPACITOR(7, G, 47e-6),
    RESISTOR(5, 3, 10e3),
    CAPACITOR(5, OUT, 10e-9),
    RESISTOR(OUT, G, 470e3),
    END,
};

/* Two stages of a 12AX7. */
static const bl_part triode[] = {
    SUPPLY(3, 250),
    RESISTOR(IN, 4, 68e3),
    TRIODE(4, 5, 6, 1e-9, 4),
    CAPACITOR(4, 5, 1.7e-12),
    RESISTOR(5, 3, 100e3),
    RESISTOR(6, G, 1.5e3),
    CAPACITOR(6, G, 22e-6),
    CAPACITOR(5, 7, 22e-9),
    POT(BL_KNOB_DRIVE, BL_TAPER_AUDIO, G, 8, 7, 1e6),
    RESISTOR(8, 9, 220e3),
    TRIODE(9, 10, 11, 1e-9, 4),
    CAPACITOR(9, 10, 1.7e-12),
    RESISTOR(10, 3, 100e3),
    RESISTOR(11, 14, 500),
    RHEOSTAT(BL_KNOB_BIAS, BL_TAPER_LINEAR, 14, G, 2e3),
    CAPACITOR(11, G, 22e-6),
    CAPACITOR(10, 12, 22e-9),
    RESISTOR(12, OUT, 220e3),
    RESISTOR(OUT, G, 10e3),
    CAPACITOR(OUT, 13, 10e-9),
    RHEOSTAT(BL_KNOB_TONE, BL_TAPER_LINEAR, 13, G, 100e3),
    END,
};

/* A TL072 driven against its rails. */
static const bl_part op_amp[] = {
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

/* The gains make half drive about as loud as the input, for a guitar. */
const bl_circuit_plan bl_pedals[BL_PEDAL_COUNT] = {
    [BL_PEDAL_SCREAMER] = {{screamer}, 0.575f}, [BL_PEDAL_PLUS] = {{plus}, 0.596f},
    [BL_PEDAL_RODENT] = {{rodent}, 0.31f},      [BL_PEDAL_GOLD] = {{gold}, 0.102f},
    [BL_PEDAL_BOOST] = {{boost}, -0.0716f},     [BL_PEDAL_TRIODE] = {{triode}, 0.132f},
    [BL_PEDAL_OP_AMP] = {{op_amp}, 0.0668f},
};
