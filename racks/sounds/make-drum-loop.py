#!/usr/bin/env python3
"""Synthesises the drum loop that the shipped racks play.

    make-drum-loop.py drum-loop.flac     (needs sox or flac; name it .wav to do without)

Two bars at 120 beats per minute, 48 kHz, stereo, 16 bits. Every drum is mixed in modulo the
loop's length, so that what rings over the end is there at the beginning: the loop has no seam.
The same samples come out at every run.
"""

import array
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import wave

RATE = 48_000  # Hz
STEP = RATE // 8  # frames of a sixteenth note at 120 beats per minute
FRAMES = 32 * STEP
SWING = STEP // 12  # frames by which every second sixteenth is late
PEAK = 10 ** (-1.5 / 20)

noise = random.Random(1977)


def decay(frame, seconds):
    """An exponential that has fallen to 1/e after `seconds`."""
    return math.exp(-frame / (seconds * RATE))


def swept_sine(frames, start, end, sweep):
    """A sine whose frequency falls from `start` to `end` Hz, most of the way in `sweep` s."""
    phase = 0.0
    for frame in range(frames):
        yield math.sin(phase)
        phase += 2 * math.pi * (end + (start - end) * decay(frame, sweep)) / RATE


def filtered(samples, cutoff, high=False, resonance=0.8):
    """Low- or high-pass, two poles: the state-variable filter in its trapezoidal form
    (Andrew Simper, "Linear Trapezoidal Integrated State Variable Filter", 2013)."""
    g = math.tan(math.pi * cutoff / RATE)
    k = 1 / resonance
    a1 = 1 / (1 + g * (g + k))
    one = two = 0.0
    for sample in samples:
        v3 = sample - two
        band = a1 * one + g * a1 * v3
        low = two + g * band
        one = 2 * band - one
        two = 2 * low - two
        yield sample - k * band - low if high else low


def white(frames):
    return [noise.uniform(-1, 1) for _ in range(frames)]


def kick():
    body = swept_sine(22_000, 150, 50, 0.035)
    click = filtered(white(22_000), 3000)
    return [
        math.tanh(2.2 * b * decay(n, 0.13)) + 0.5 * c * decay(n, 0.002)
        for n, (b, c) in enumerate(zip(body, click))
    ]


def snare():
    tone = swept_sine(16_000, 260, 200, 0.02)
    upper = swept_sine(16_000, 400, 330, 0.02)
    wires = filtered(white(16_000), 1800, high=True)
    return [
        0.75 * t * decay(n, 0.07) + 0.3 * u * decay(n, 0.04) + 0.6 * w * decay(n, 0.075)
        for n, (t, u, w) in enumerate(zip(tone, upper, wires))
    ]


def clap():
    """Several hands, ten milliseconds apart, and the room after them."""
    band = list(filtered(filtered(white(14_000), 900, high=True), 2400, resonance=1.5))
    hands = [0, 480, 1010, 1490]
    return [
        0.8 * b * (sum(decay(n - h, 0.004) for h in hands if n >= h) + 0.35 * decay(n, 0.08))
        for n, b in enumerate(band)
    ]


def hat(seconds):
    """Six square waves that fit no scale, and noise, above 7 kHz: like struck metal."""
    frames = int(6 * seconds * RATE)
    metal = [0.0] * frames
    for frequency in (2131.0, 2753.0, 3389.0, 4273.0, 5407.0, 6841.0):
        for n in range(frames):
            metal[n] += 0.16 if (frequency * n / RATE) % 1 < 0.5 else -0.16
    mixed = [m + 0.5 * w for m, w in zip(metal, white(frames))]
    bright = filtered(filtered(mixed, 7000, high=True), 7000, high=True)
    return [0.9 * b * decay(n, seconds) for n, b in enumerate(bright)]


def tom(frequency):
    tone = swept_sine(20_000, 1.7 * frequency, frequency, 0.04)
    skin = filtered(white(20_000), 1500)
    return [
        0.9 * t * decay(n, 0.12) + 0.25 * s * decay(n, 0.015)
        for n, (t, s) in enumerate(zip(tone, skin))
    ]


# What is hit when: bar 1 and bar 2 in sixteenths; o is loud, x middling, . a ghost.
PATTERN = [
    # drum, level, place from -1 (left) to 1 (right), bars
    (kick(), 0.95, 0.00, "o------xo-x-----", "o--x----o-o--x--"),
    (snare(), 0.85, -0.05, "----o--.-.--o---", "----o--.-.--o---"),
    (clap(), 0.60, 0.15, "------------o---", "----o-------o---"),
    (hat(0.025), 0.75, 0.30, "o.x.o.x.o.x.o.-.", "o.x.o.x.o.x.o---"),
    (hat(0.120), 0.55, 0.30, "--------------x-", "----------------"),
    (tom(150), 0.60, 0.55, "----------------", "-------------xo-"),
    (tom(95), 0.70, -0.55, "----------------", "---------------o"),
]
LOUDNESS = {"o": 1.0, "x": 0.65, ".": 0.25}


def mix():
    left = [0.0] * FRAMES
    right = [0.0] * FRAMES
    for drum, level, place, first, second in PATTERN:
        angle = (place + 1) * math.pi / 4  # equal power
        for step, stroke in enumerate(first + second):
            if stroke == "-":
                continue
            gain = level * LOUDNESS[stroke] * math.sqrt(2)
            begin = step * STEP + step % 2 * SWING
            for n, sample in enumerate(drum):
                frame = (begin + n) % FRAMES
                sample *= gain * min(1, (len(drum) - n) / 2000)  # no drum stops short
                left[frame] += math.cos(angle) * sample
                right[frame] += math.sin(angle) * sample
    return left, right


def main(path):
    # Gentle saturation glues the drums together; then the peak is put where it belongs.
    channels = [[math.tanh(1.2 * sample) for sample in channel] for channel in mix()]
    loudest = max(abs(sample) for channel in channels for sample in channel)
    scale = 32_767 * PEAK / loudest
    samples = array.array("h")
    for frame in zip(*channels):
        samples.extend(round(scale * sample) for sample in frame)
    if sys.byteorder == "big":
        samples.byteswap()
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "loop.wav")
        with wave.open(plain, "wb") as file:
            file.setnchannels(2)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(samples.tobytes())
        if not path.endswith(".flac"):
            shutil.copyfile(plain, path)
        elif shutil.which("flac"):
            subprocess.run(["flac", "-8", "-f", "-s", "-o", path, plain], check=True)
        else:
            subprocess.run(["sox", "-D", plain, "-C", "8", path], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].endswith((".flac", ".wav")):
        sys.exit("usage: make-drum-loop.py drum-loop.flac (or .wav)")
    main(sys.argv[1])
