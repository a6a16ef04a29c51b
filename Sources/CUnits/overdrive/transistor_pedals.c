/* The circuits of pedals with transistors and tubes. */
#include "circuit/circuit_list.h"
#include "overdrive/devices.h"
#include "overdrive/pedals.h"

/* Dallas Rangemaster, upside down, as its OC44 is PNP. The drive reduces the emitter's
   capacitor. */
const bl_part bl_boost[] = {
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

/* Dallas Arbiter Fuzz Face, upside down, as its AC128s are PNP. The transistors' own capacitances
   round its edges. */
const bl_part bl_face[] = {
    SUPPLY(3, 9),
    RESISTOR(IN, 4, 5e3),
    CAPACITOR(4, 5, 2.2e-6),
    TRANSISTOR(5, 6, G, 1e-6, 70, 5),
    CAPACITOR(5, G, 1.5e-9),
    CAPACITOR(5, 6, 100e-12),
    RESISTOR(6, 3, 33e3),
    TRANSISTOR(6, 7, 8, 1e-6, 120, 5),
    CAPACITOR(6, 8, 3.3e-9),
    CAPACITOR(6, 7, 100e-12),
    RESISTOR(7, 12, 4.1e3),
    RHEOSTAT(BL_KNOB_BIAS, BL_TAPER_LINEAR, 12, 9, 8.2e3),
    RESISTOR(9, 3, 470),
    RESISTOR(8, 5, 100e3),
    POT(BL_KNOB_DRIVE, BL_TAPER_LINEAR, G, 10, 8, 1e3),
    CAPACITOR(10, G, 20e-6),
    CAPACITOR(9, 13, 10e-9),
    RESISTOR(13, OUT, 22e3),
    CAPACITOR(OUT, 11, 4.7e-9),
    RHEOSTAT(BL_KNOB_TONE, BL_TAPER_LINEAR, 11, G, 100e3),
    RESISTOR(OUT, G, 500e3),
    END,
};

/* Electro-Harmonix Big Muff Pi, up to its second transistor. The last resistor stands for the third
   one's base. With diodes around them, two transistors never saturate: they have no reverse
   beta. */
const bl_part bl_pi_in[] = {
    SUPPLY(3, 9),
    RESISTOR(IN, 4, 39e3),
    CAPACITOR(4, 5, 100e-9),
    RESISTOR(5, G, 100e3),
    TRANSISTOR(5, 6, 7, SMALL_NPN, 1),
    RESISTOR(5, 6, 470e3),
    CAPACITOR(5, 6, 470e-12),
    RESISTOR(6, 3, 10e3),
    RESISTOR(7, G, 100),
    CAPACITOR(6, 8, 100e-9),
    RESISTOR(10, G, 1e3),
    POT(BL_KNOB_DRIVE, BL_TAPER_LINEAR, 10, 9, 8, 100e3),
    CAPACITOR(9, 11, 100e-9),
    RESISTOR(11, 12, 10e3),
    RESISTOR(12, G, 100e3),
    TRANSISTOR(12, OUT, 13, SMALL_NPN),
    RESISTOR(12, OUT, 470e3),
    CAPACITOR(12, OUT, 470e-12),
    CAPACITOR(12, 14, 100e-9),
    DIODES(14, OUT, SILICON),
    RESISTOR(OUT, 3, 10e3),
    RESISTOR(13, G, 150),
    CAPACITOR(OUT, 15, 100e-9),
    RESISTOR(15, G, 11e3),
    END,
};

/* The rest from the third transistor on: the tone control, and its recovery stage. */
const bl_part bl_pi_out[] = {
    SUPPLY(3, 9),
    CAPACITOR(IN, 4, 100e-9),
    RESISTOR(4, 5, 10e3),
    RESISTOR(5, G, 100e3),
    TRANSISTOR(5, 6, 7, SMALL_NPN),
    RESISTOR(5, 6, 470e3),
    CAPACITOR(5, 6, 470e-12),
    CAPACITOR(5, 8, 100e-9),
    DIODES(8, 6, SILICON),
    RESISTOR(6, 3, 10e3),
    RESISTOR(7, G, 150),
    RESISTOR(6, 9, 39e3),
    CAPACITOR(9, G, 10e-9),
    CAPACITOR(6, 10, 4e-9),
    RESISTOR(10, G, 22e3),
    POT(BL_KNOB_TONE, BL_TAPER_LINEAR, 9, 11, 10, 100e3),
    CAPACITOR(11, 12, 100e-9),
    RESISTOR(12, 3, 430e3),
    RESISTOR(12, G, 100e3),
    TRANSISTOR(12, 13, 14, SMALL_NPN),
    RESISTOR(14, G, 3.3e3),
    RESISTOR(13, 3, 15e3),
    CAPACITOR(13, OUT, 100e-9),
    RESISTOR(OUT, G, 100e3),
    END,
};

/* An original octave fuzz, after Dan Armstrong's Green Ringer: a slow op-amp clips ... */
const bl_part bl_octave_in[] = {
    CAPACITOR(IN, 3, 47e-9),
    RESISTOR(3, G, 1e6),
    OP_AMP(3, 4, OUT, OF_741),
    RESISTOR(4, 5, 10e3),
    RHEOSTAT(BL_KNOB_DRIVE, BL_TAPER_AUDIO, 5, OUT, 250e3),
    CAPACITOR(4, OUT, 100e-12),
    RESISTOR(4, 6, 4.7e3),
    CAPACITOR(6, G, 100e-9),
    END,
};

/* ... and its sound, upright from the emitter and inverted from the collector, passes a diode each,
   which lets half of it through: two halves replace each whole period. The bias makes one of them
   larger, so that the note itself remains. */
const bl_part bl_octave_out[] = {
    SUPPLY(3, 9),
    CAPACITOR(IN, 4, 1e-6),
    RESISTOR(4, 5, 47e3),
    RESISTOR(5, 3, 100e3),
    RESISTOR(5, G, 47e3),
    TRANSISTOR(5, 6, 7, SMALL_NPN),
    RESISTOR(6, 15, 3.9e3),
    RHEOSTAT(BL_KNOB_BIAS, BL_TAPER_LINEAR, 15, 3, 2e3),
    RESISTOR(7, G, 4.7e3),
    CAPACITOR(6, 8, 470e-9),
    CAPACITOR(7, 9, 470e-9),
    RESISTOR(8, G, 22e3),
    RESISTOR(9, G, 22e3),
    DIODE(8, 10, GERMANIUM),
    DIODE(9, 10, GERMANIUM),
    RESISTOR(10, G, 22e3),
    CAPACITOR(10, G, 1e-9),
    RESISTOR(10, 11, 10e3),
    CAPACITOR(11, 12, 10e-9),
    RHEOSTAT(BL_KNOB_TONE, BL_TAPER_LINEAR, 12, G, 100e3),
    CAPACITOR(11, OUT, 100e-9),
    RESISTOR(OUT, G, 100e3),
    END,
};

/* Two stages of a 12AX7. */
const bl_part bl_triode[] = {
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
