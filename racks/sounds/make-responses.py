#!/usr/bin/env python3
"""Synthesises the impulse responses that the shipped racks convolve with.

    make-responses.py FOLDER [wav]     (needs sox or flac, but for wav)

cabinet-closed.flac  a closed guitar cabinet with a microphone close to the cone's edge
cabinet-open.flac    an open one, brighter, with less bass
small-room.flac      a room of 4.2 × 3.4 × 2.6 m, two ears

48 kHz, 16 bits. The same samples come out at every run.
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
PEAK = 10 ** (-1 / 20)


def biquad(samples, b, a):
    """A second-order section, direct form I; a[0] is 1."""
    x1 = x2 = y1 = y2 = 0.0
    out = []
    for x in samples:
        y = b[0] * x + b[1] * x1 + b[2] * x2 - a[1] * y1 - a[2] * y2
        x2, x1, y2, y1 = x1, x, y1, y
        out.append(y)
    return out


def section(samples, numerator, frequency, q):
    """Numerator over s² + s/Q + 1 by the bilinear transform, s = 1 at `frequency` in Hz."""
    k = 1 / math.tan(math.pi * frequency / RATE)
    n2, n1, n0 = numerator
    scale = k * k + k / q + 1
    b = [n2 * k * k + n1 * k + n0, 2 * (n0 - n2 * k * k), n2 * k * k - n1 * k + n0]
    a = [scale, 2 * (1 - k * k), k * k - k / q + 1]
    return biquad(samples, [v / scale for v in b], [v / scale for v in a])


def low_pass(samples, frequency, q=math.sqrt(0.5)):
    return section(samples, (0, 0, 1), frequency, q)


def high_pass(samples, frequency, q=math.sqrt(0.5)):
    return section(samples, (1, 0, 0), frequency, q)


def peak(samples, frequency, gain, q):
    """A bell of `gain` dB."""
    root = 10 ** (gain / 40)
    return section(samples, (1, root / q, 1), frequency, q * root)


def cabinet(seed, resonance, bass, presence, top, ripple):
    """The box's resonance and the air's spring at the bottom, the cone's break-up as many narrow
    modes, its mass at the top, and the sound of the cone's edge, a moment later."""
    modes = random.Random(seed)
    response = [1.0] + [0.0] * 4799
    response = high_pass(response, resonance, bass)
    response = peak(response, 1.6 * resonance, 2.5, 1.2)
    response = peak(response, 420, -4.5, 0.9)
    for frequency, gain, q in presence:
        response = peak(response, frequency, gain, q)
    frequency = 700.0
    while frequency < 7500:
        response = peak(response, frequency, modes.uniform(-ripple, ripple), modes.uniform(5, 11))
        frequency *= modes.uniform(1.10, 1.22)
    response = low_pass(low_pass(response, top, 1.1), 1.15 * top, 0.6)
    edge = low_pass(response, 3000)
    late = 17  # frames: 12 cm
    response = [v - (0.3 * edge[n - late] if n >= late else 0) for n, v in enumerate(response)]
    return [[v * min(1, (4800 - n) / 2400) for n, v in enumerate(response)]]


def small_room():
    """The images of a source in the walls (Allen and Berkley, 1979). Those of each order are summed
    up apart; each wall on the way takes some of all and more of the treble."""
    box, source, middle = (4.2, 3.4, 2.6), (1.1, 1.3, 1.2), (2.9, 2.0, 1.5)
    frames, orders, speed = 20_000, 24, 343.0
    left_over = 0.87  # of the pressure, a wall
    jitter = random.Random(1979)
    ears = [[[0.0] * frames for _ in range(orders)] for _ in range(2)]
    reach = [int(frames / RATE * speed / side) + 2 for side in box]
    cells = [
        (x, y, z)
        for x in range(-reach[0], reach[0] + 1)
        for y in range(-reach[1], reach[1] + 1)
        for z in range(-reach[2], reach[2] + 1)
        if abs(x) + abs(y) + abs(z) < orders
    ]
    for cell in cells:
        # A real wall is not even: what comes off it is not quite where a mirror would have it.
        order = sum(abs(c) for c in cell)
        image = [
            c * side + (place if c % 2 == 0 else side - place) + jitter.uniform(-1, 1) * 0.01 * order
            for c, side, place in zip(cell, box, source)
        ]
        for ear, offset in enumerate((0.35, -0.35)):
            distance = math.dist(image, (middle[0], middle[1] + offset, middle[2]))
            place = distance / speed * RATE
            frame = int(place)
            if frame + 1 < frames:
                gain = left_over**order / distance
                ears[ear][order][frame] += gain * (frame + 1 - place)
                ears[ear][order][frame + 1] += gain * (place - frame)
    channels = []
    for ear in ears:
        response = [0.0] * frames
        for order in reversed(range(orders)):
            # What has one wall more before it goes through one more loss of treble.
            last = 0.0
            for n in range(frames):
                last += 0.75 * (response[n] - last)
                response[n] = last + ear[order][n]
        response = high_pass(response, 40)
        channels.append([v * min(1, (frames - n) / 4000) for n, v in enumerate(response)])
    # The flight of the direct sound is left out.
    first = min(next(n for n, v in enumerate(c) if abs(v) > 1e-3) for c in channels)
    return [c[first:] for c in channels]


def write(path, channels):
    loudest = max(abs(v) for channel in channels for v in channel)
    samples = array.array("h")
    for frame in zip(*channels):
        samples.extend(round(32_767 * PEAK * v / loudest) for v in frame)
    if sys.byteorder == "big":
        samples.byteswap()
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "response.wav")
        with wave.open(plain, "wb") as file:
            file.setnchannels(len(channels))
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(samples.tobytes())
        if path.endswith(".wav"):
            shutil.copyfile(plain, path)
        elif shutil.which("flac"):
            subprocess.run(["flac", "-8", "-f", "-s", "-o", path, plain], check=True)
        else:
            subprocess.run(["sox", "-D", plain, "-C", "8", path], check=True)


def main(folder, kind):
    closed = cabinet(12, 95, 1.4, ((2300, 5, 1.1), (3700, 4, 1.8)), 4900, 4)
    opened = cabinet(65, 70, 0.7, ((1500, -3, 1.0), (2900, 6, 1.3)), 5900, 5)
    write(os.path.join(folder, f"cabinet-closed.{kind}"), closed)
    write(os.path.join(folder, f"cabinet-open.{kind}"), opened)
    write(os.path.join(folder, f"small-room.{kind}"), small_room())


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["wav"]):
        sys.exit("usage: make-responses.py FOLDER [wav]")
    main(sys.argv[1], "wav" if sys.argv[2:] else "flac")
