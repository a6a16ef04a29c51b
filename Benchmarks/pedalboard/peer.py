"""Times plug-ins of pedalboard: `peer.py IMPULSE` reads names of PLUG_INS from its standard input
and answers each with a line: the nanoseconds of processor time that it takes for a frame, stereo,
48 kHz, blocks of 64."""

import sys
import time

import numpy
from pedalboard import (
    Bitcrush,
    Chorus,
    Compressor,
    Convolution,
    Delay,
    Distortion,
    Gain,
    HighpassFilter,
    LadderFilter,
    Limiter,
    LowpassFilter,
    NoiseGate,
    Pedalboard,
    Phaser,
    PitchShift,
    Reverb,
)

RATE = 48000
FRAMES = 32768  # a call, so that what Python takes is spread over many blocks

PLUG_INS = {
    "nothing": lambda: Pedalboard([]),
    "gain": lambda: Gain(gain_db=-6),
    "chorus": lambda: Chorus(rate_hz=0.6, depth=0.25, centre_delay_ms=8, mix=0.5),
    "phaser": lambda: Phaser(rate_hz=0.4, centre_frequency_hz=800, mix=0.5),
    "compressor": lambda: Compressor(threshold_db=-18, ratio=4, attack_ms=10, release_ms=150),
    "limiter": lambda: Limiter(threshold_db=-20, release_ms=80),
    "reverb": lambda: Reverb(room_size=0.5, damping=0.5, wet_level=0.22, dry_level=0.78),
    "delay": lambda: Delay(delay_seconds=0.375, feedback=0.35, mix=0.35),
    "ladder filter": lambda: LadderFilter(
        mode=LadderFilter.Mode.LPF24, cutoff_hz=1000, resonance=0.3
    ),
    "distortion": lambda: Distortion(drive_db=18),
    "noise gate": lambda: NoiseGate(threshold_db=-40, ratio=20, attack_ms=1, release_ms=120),
    "bit crusher": lambda: Bitcrush(bit_depth=8),
    "pitch shifter": lambda: PitchShift(semitones=7),
    "convolver": lambda: Convolution(sys.argv[1], mix=1.0),
    "low-pass filter": lambda: LowpassFilter(cutoff_frequency_hz=1000),
    "high-pass filter": lambda: HighpassFilter(cutoff_frequency_hz=100),
}

noise = numpy.random.default_rng(1).uniform(-0.25, 0.25, (2, FRAMES)).astype(numpy.float32)


def process(plug_in):
    """Returns the nanoseconds that a frame takes."""
    start = time.thread_time_ns()
    plug_in.process(noise, RATE, buffer_size=64, reset=False)
    return (time.thread_time_ns() - start) / FRAMES


def make(name):
    plug_in = PLUG_INS[name]()
    process(plug_in)
    time.sleep(0.3)  # a convolution takes its response in the background
    process(plug_in)
    return plug_in


plug_ins = {}
for line in sys.stdin:
    name = line.strip()
    if name not in plug_ins:
        plug_ins[name] = make(name)
    print(process(plug_ins[name]), flush=True)
