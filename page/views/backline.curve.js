// Faces of the units that bend: the distortion, the bit crusher and the velocity curve, as what comes out over
// what goes in.

import {
  ACCENT, EDGE, MARK, MIDI, choice, code, dot, follow, handle, isOn, line, linear, now, plot, show,
  toGain, turn, value, within,
} from './backline.draw.js';

const isVelocity = code === 'velo';
const scale = () => (isVelocity ? linear(0, 127, 32) : linear(-1, 1, 0.5));
const curve = plot(scale(), scale());
const nearest = (x, levels) => Math.round(x * levels) / levels;

const FACES = {
  // The curves of dsp/waveshape.h behind the crusher's bits; the ring modulator is not drawn.
  dist() {
    const shapes = { Soft: (x) => x / Math.hypot(1, x), Hard: (x) => within(x, -1, 1), Fold: (x) => Math.sin(Math.PI / 2 * x) };
    const output = (input) => {
      const crushed = value('crush.bits') < 16 ? nearest(input, 2 ** (value('crush.bits') - 1)) : input;
      return toGain(now.level) * (input + now.mix / 100 * (shapes[choice('shape')](crushed * toGain(now.drive)) - input));
    };
    const corner = () => toGain(-now.drive);
    return { output, handles: [{ x: 'drive', y: 'level', at: () => [corner(), output(corner())] }] };
  },

  // The nearest of 2^bits levels, from -1 to just below 1, or the same on the µ-law of ITU-T G.711.
  crsh() {
    const crush = (x) => {
      const levels = 2 ** (now.bits - 1), isLinear = choice('scale') === 'Linear';
      if (now.bits >= 24) return x;
      const level = within(nearest(isLinear ? x : Math.sign(x) * Math.log1p(255 * Math.abs(x)) / Math.log(256), levels), -1, 1 - 1 / levels);
      return isLinear ? level : Math.sign(level) * (256 ** Math.abs(level) - 1) / 255;
    };
    return {
      output: (x) => (x + now.mix / 100 * (crush(x * toGain(now.drive)) - x)) * toGain(now.level),
      sides: [{ mark: '✥', x: 'rate', y: 'bits', at: () => [turn('rate'), turn('bits') * 2 - 1] }],
    };
  },

  // minimum + (maximum - minimum) xᵍ, g from 4 over 1 to a quarter.
  velo() {
    const output = (input) => now.minimum + (now.maximum - now.minimum)
      * (isOn('fixed') ? 1 : Math.max((input - 1) / 126, 0) ** 2 ** (-now.curve / 50));
    const hits = follow('hits');
    return {
      output,
      over() {
        const { values = [] } = hits.data ?? {};
        for (let hit = 0; hit < values.length; hit += 2) {
          const isLast = hit + 2 >= values.length;
          dot(curve.x(values[hit]), curve.y(values[hit + 1]), isLast ? 7 : 4, isLast ? MARK : MIDI);
        }
      },
      handles: [
        { y: 'curve', at: () => [64, output(64)] },
        { y: 'minimum', at: () => [1, now.minimum] },
        { y: 'maximum', at: () => [127, now.maximum] }],
    };
  },
};

const { output, over, handles = [], sides = [] } = FACES[code]();
const wave = plot(linear(0, 1), linear(-1, 1, 0.5));
const scopes = isVelocity ? [] : ['input', 'output'].map((side) => follow(`${side}.scope`));
for (const one of handles) handle(curve, one);
for (const one of sides) handle(wave, one);
show((width, height) => {
  curve.show(0, 0, isVelocity ? width : Math.min(width * 0.5, height * 1.4), height);
  line([[0, height], [curve.width, 0]], EDGE, { width: 1 });
  curve.curve(output);
  over?.();
  if (isVelocity) return;
  wave.show(curve.width + 12, 0, width - curve.width - 12, height);
  scopes.forEach(({ data }, isOutput) => line(
    Array.from(data?.left ?? [], (sample, index) => [wave.x(index / data.left.length), wave.y(sample)]), isOutput ? ACCENT : EDGE, { width: 1 }));
  // How far the input reaches on the curve.
  const input = scopes[0].data?.left ?? [0], least = Math.min(...input), part = (Math.max(...input) - least) / 100;
  line(Array.from({ length: 101 }, (_, index) => [curve.x(least + part * index), curve.y(output(least + part * index))]), MARK, { width: 4 });
});
