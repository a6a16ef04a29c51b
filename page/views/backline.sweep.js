// Faces of oscillators, and of the units that one moves: both sides over the time of two periods and, where it
// sweeps notches, the response while it stands in the middle and at both ends.

import {
  ACCENT, EDGE, FREQUENCY, MIDI, choice, choices, code, handle, isOn, linear, log, now, parameter, plot, show,
  spectra, text, toDecibels, turn, value, within, write,
} from './backline.draw.js';

const sine = (phase) => Math.sin(2 * Math.PI * phase);
const triangle = (phase) => 2 / Math.PI * Math.asin(sine(phase));
const ahead = (wave, turns) => (phase) => wave(phase + turns);
const spread = () => now.spread / 360;
/** Returns the turns of a rotor in a second; 0 with the brake. */
const speed = (rotor) => value(`${rotor}.${choice('speed').toLowerCase()}`);
const percent = (part) => `${Math.round(part * 100)} %`;

/** Returns the random value of a seed for a turn, -1 to 1 (dsp/random_value.h). */
function random(seed, turn) {
  const mix = (bits) => [[30n, 0xbf58476d1ce4e5b9n], [27n, 0x94d049bb133111ebn], [31n, 1n]].reduce(
    (mixed, [by, factor]) => BigInt.asUintN(64, (mixed ^ mixed >> by) * factor), BigInt.asUintN(64, bits + 0x9e3779b97f4a7c15n));
  return Number(mix(mix(BigInt(seed)) ^ BigInt(turn)) >> 40n) / 2 ** 23 - 1;
}

/** Returns the gain of dry sound with a copy that is phase-shifted and fed back (dsp/equal_power.h). */
function comb(angle, tone = 1) {
  const mix = Math.PI / 200 * now.mix, wet = Math.sin(mix) * tone, loop = now.feedback / 100 * tone;
  // cos + sin · t / (1 - loop t), with t the turned copy.
  const real = Math.cos(angle), below = 1 - 2 * loop * real + loop * loop;
  return toDecibels(Math.hypot(Math.cos(mix) + wet * (real - loop) / below, wet * Math.sin(angle) / below));
}

/** The delays of the chorus's voices, a golden section of a turn apart, or of the flanger. */
function delayFace() {
  const wave = (phase) => (choice('shape') === 'Triangle' ? triangle(phase) : sine(phase));
  const late = (phase) => now.delay + Math.min(now.depth, now.delay) * wave(phase);
  const scales = [5, 10, 20, 55].map((most) => linear(0, most, most > 50 ? 10 : most / 5, (ms) => `${ms} ms`));
  const up = () => scales.find((scale) => scale.at(late(0.25)) < 0.9) ?? scales[3];
  return {
    up,
    sides() {
      const voices = Array.from({ length: parameter('voices') ? now.voices : 1 }, (_, voice) => ahead(late, voice * 0.618034));
      return voices.flatMap((one) => [one, ahead(one, spread())]);
    },
    handles: [
      { y: 'depth', at: () => [0.25, late(0.25)] },
      { y: 'delay', at: () => [1, now.delay] }],
  };
}

const FACES = {
  tmlo() {
    const isHarmonic = () => choice('mode') === 'Harmonic', up = linear(0, 1, 0.25, percent);
    const shapes = {
      sine, triangle,
      square(phase) { // a clipped triangle with edges of 5 ms, rounded by a quintic
        const edge = within(triangle(phase) * 100 * (period() || 1), -1, 1), squared = edge * edge;
        return edge * (1.875 - squared * (1.25 - 0.375 * squared));
      },
    };
    const level = (phase) => 1 + now.depth / 200 * (shapes[choice('shape')](phase + 0.25) - 1);
    return {
      up: () => up, names: () => (isHarmonic() ? ['lows', 'highs'] : ['left', 'right']),
      sides: () => [level, ahead(level, isHarmonic() ? 0.5 : spread())],
      handles: [{ y: 'depth', at: () => [0.5, level(0.5)] }],
    };
  },

  // From its beginning on; random values are the first that the seed gives.
  lfom() {
    const up = linear(-1, 1, 0.5), saw = (phase) => 2 * (phase % 1) - 1, isRandom = () => now.shape === 5 || now.shape === 6;
    const shapes = [
      sine, triangle, saw, (phase) => -saw(phase), (phase) => (phase % 1 < 0.5 ? 1 : -1),
      (phase) => random(now.seed, Math.floor(phase)),
      (phase) => {
        const [from, to] = [0, 1].map((next) => random(now.seed, Math.floor(phase) + next)), part = phase % 1;
        return from + (to - from) * part * part * (3 - 2 * part);
      },
      (phase) => value(`steps.${Math.floor(phase % 1 * 16) + 1}`) / 100];
    const wave = (turns) => {
      const height = shapes[now.shape]((isOn('one_shot') ? Math.min(turns, 1 - 1e-9) : turns) + now.phase / 360);
      return (isOn('polarity') ? 0.5 + 0.5 * height : height) * (now.fade && period() ? Math.min(turns * period() / now.fade, 1) : 1);
    };
    return {
      up: () => up, turns: () => (isRandom() ? 8 : 2), sides: () => [wave], names: () => [parameter('shape').values[now.shape]],
      row: choices('shape'),
      handles: [
        { mark: 'R', at: () => [1, 0] },
        { mark: 'P', x: 'phase', at: () => [now.phase / 360, 0.6] },
        { mark: 'F', x: 'fade', at: () => [period() ? Math.min(now.fade / period(), 8) : turn('fade'), -0.6] }],
    };
  },

  // What becomes of a sine of seven turns.
  shld() {
    const up = linear(-1, 1, 0.5), wave = (turns) => sine(turns / 7);
    const slew = () => (period() ? now.slew / 1000 / period() : turn('slew'));
    const held = (turns) => {
      let value = 0;
      for (let step = 0; step <= turns; step += 1) value += (wave(step) - value) * Math.min(Math.min(turns - step, 1) / (slew() + 1e-9), 1);
      return value;
    };
    return {
      up: () => up, turns: () => 8, sides: () => [held, wave], names: () => ['output', 'an input'],
      handles: [{ mark: 'R', at: () => [1, 0] }, { mark: 'S', x: 'slew', at: () => [2 + Math.min(slew(), 6), -0.6] }],
    };
  },

  chor: delayFace,
  flng: () => ({
    ...delayFace(), across: linear(0, 8000, 1000, (hertz) => `${hertz / 1000}k`),
    response: (place) => (hertz) => {
      const late = Math.min(now.depth, now.delay) * place + (isOn('through_zero') ? 0 : now.delay);
      const dark = now.tone < 20000 ? hertz / now.tone : 0; // a low-pass of first order
      return comb(-2 * Math.PI * hertz * late / 1000 - Math.atan(dark), 1 / Math.hypot(1, dark));
    },
  }),

  // First-order all-passes, (s - w) / (s + w); the Uni-Vibe's are as far apart as its capacitors.
  phas() {
    const sweep = (phase) => now.center * 2 ** (now.depth * sine(phase));
    const up = log(20, 20000, [50, 200, 1000, 5000], FREQUENCY.label);
    return {
      up: () => up, sides: () => [sweep, ahead(sweep, spread())],
      handles: [{ y: 'depth', at: () => [0.25, sweep(0.25)] }, { y: 'center', at: () => [1, now.center] }],
      response: (place) => (hertz) => {
        const w = hertz / (now.center * 2 ** (now.depth * place)), stages = choice('stages');
        const parts = stages === 'Vibe' ? [0.6162, 0.04201, 19.665, 1.9665] : Array(Number(stages)).fill(1);
        return comb(parts.reduce((angle, part) => angle + Math.PI - 2 * Math.atan(w / part), 0));
      },
    };
  },

  // Level of horn and drum at each microphone, by the way from the mouth and by how it faces (rotary.c).
  rota() {
    const up = linear(0, 1.6, 0.4, percent);
    const rotor = (radius, shade, turns) => [1, -1].map((side) => (phase) => {
      const facing = Math.cos(2 * Math.PI * (phase * turns + side * now.angle / 720)), distance = now.distance;
      const way = Math.sqrt(distance ** 2 + radius ** 2 - 2 * distance * radius * facing);
      return (1 - shade * (0.5 - 0.5 * facing)) * distance / way;
    });
    return {
      // The drum turns the other way.
      up: () => up, sides: () => [...rotor(0.19, 0.7, 1), ...rotor(0.12, 0.45, -speed('drum') * period() || -1)],
      names: () => ['left (thin: drum)', 'right'], row: choices('speed'),
      handles: [{ x: 'angle', y: 'distance', at: () => [2 * turn('angle'), 1.6 * turn('distance')] }],
    };
  },
};

/** Returns the period in seconds; 0 if it follows the tempo or the rotor stands. */
function period() {
  if (code !== 'rota') return now.sync ? 0 : 1 / now.rate;
  return speed('horn') && 1 / speed('horn');
}
const { up, sides, handles, response, across = FREQUENCY, turns = () => 2, names = () => ['left', 'right'], row } = FACES[code]();
const time = plot(null, up());
const gains = plot(across, linear(-30, 18, 6, (db) => `${db} dB`));
handles.forEach((one, index) => handle(time, index || code === 'rota' ? one : { x: 'rate', ...one }));
const drawSpectra = response && spectra();
const label = (count) => {
  const seconds = count * period();
  if (!seconds) return count && now.sync ? text('sync') : '';
  return seconds < 1 ? `${(seconds * 1000).toPrecision(3)} ms` : `${seconds.toPrecision(3)} s`;
};
show((width, height) => {
  const wide = response ? Math.round(width * 0.4) : width;
  Object.assign(time, { across: linear(0, turns(), 1, label), up: up() });
  time.show(0, 0, wide, row ? row.offsetTop - 4 : height);
  sides().forEach((side, index) => {
    const isRight = index % 2;
    time.curve(side, isRight ? MIDI : ACCENT, { width: index > 1 ? 1 : 2.5, dash: isRight ? [6, 4] : [] });
  });
  names().forEach((name, isRight) => {
    write(`${isRight ? '╌' : '—'} ${name}`, wide - 8, 16 + isRight * 16, { align: 'right', colour: isRight ? MIDI : ACCENT });
  });
  if (!response) return;
  gains.show(wide + 12, 0, width - wide - 12, height);
  drawSpectra(gains);
  for (const end of [-1, 1]) gains.curve(response(end), EDGE, { width: 1, dash: [4, 3] });
  gains.curve(response(0), ACCENT, { width: 2 });
});
