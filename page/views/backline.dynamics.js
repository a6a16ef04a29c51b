// Faces of the compressor, the gate and the limiter: the level out over the level in, with a dot where the
// sound is, and what was turned down in the last ten seconds. All in dB.

import {
  ACCENT, DEEP, EDGE, MARK, TEXT, WARN, choice, code, dot, handle, history, isOn, line, linear, now, plot,
  show, toDecibels, toGain, within, write,
} from './backline.draw.js';

const FACES = {
  // Giannoulis, Massberg and Reiss, "Digital dynamic range compressor design", 2012, equation 4.
  cmpr() {
    const taken = (input) => {
      const over = input - now.threshold, knee = now.knee;
      const excess = within(over + knee / 2, 0, knee) ** 2 / (2 * knee + 1e-9) + Math.max(over - knee / 2, 0);
      return Math.min((1 - 1 / now.ratio) * excess * (choice('style') === 'Vari-Mu' ? excess / (excess + 12) : 1), now.range);
    };
    const makeUp = () => now.make_up + (isOn('auto_make_up') ? taken(0) / 2 : 0);
    const gain = (reduction) => toDecibels(1 + now.mix / 100 * (toGain(makeUp() - reduction) - 1));
    const output = (input) => input + gain(taken(input));
    return { low: -60, gain, output, handles: [
      { x: 'threshold', at: () => [now.threshold, output(now.threshold)] },
      { mark: 'R', y: 'ratio', at: () => [-2, output(-2)] },
      { mark: '+', y: 'make_up', at: () => [-50, output(-50)] }] };
  },

  // An expander's line below the threshold; open, it stays so down to the threshold less the hysteresis.
  gate() {
    const through = (edge) => (input) => {
      const taken = input >= edge ? 0 : Math.min((now.ratio - 1) * (now.threshold - input), now.range);
      return input - (isOn('flip') ? now.range - taken : taken);
    };
    const closing = () => now.threshold - now.hysteresis;
    const output = (input) => through(now.threshold)(input);
    const low = () => Math.min(-75, now.threshold - 1);
    return {
      low: -90, gain: (taken) => -taken, output,
      handles: [{ y: 'range', at: () => [low(), output(low())] }],
      edges: [
        { mark: '▲', y: 'threshold', level: () => now.threshold },
        { mark: '▼', y: 'hysteresis', level: closing }],
      over(curve, past, taken) {
        curve.curve(through(closing()), EDGE, { width: 1, dash: [4, 4] });
        const isOpen = taken < now.range / 2;
        write(isOpen ? 'open' : 'closed', past.left + 44, 54, { size: 18, colour: isOpen ? ACCENT : WARN });
      },
    };
  },

  limt() {
    const output = (input) => Math.min(input + now.gain, now.ceiling);
    return {
      low: -24, gain: (taken) => now.gain - taken, output,
      handles: [{ mark: '+', y: 'gain', at: () => [-20, output(-20)] }],
      edges: [{ y: 'ceiling', level: () => now.ceiling }],
    };
  },
};

const { low, gain, output, handles, edges = [], over } = FACES[code]();
const level = (lowest) => linear(lowest, 0, lowest < -60 ? 15 : lowest < -24 ? 12 : 6);
const curve = plot(level(low), level(low));
const past = plot(linear(-10, 0, 2, (seconds) => `${seconds} s`), level(code === 'gate' ? -90 : -24));
const moments = history(10, ({ peak }) => ({ out: toDecibels(peak), taken: Math.abs(now.gain_reduction) }));
for (const one of handles) handle(curve, one);
edges.forEach((edge, index) => handle(past, { ...edge, at: () => [-0.4 - index, edge.level()] }));
show((width, height) => {
  const wide = Math.min(width * 0.42, height * 1.3), moment = moments.at(-1) ?? { out: -200, taken: 0 };
  curve.show(0, 0, wide, height);
  line([[0, height], [wide, 0]], EDGE, { width: 1 });
  past.show(wide + 12, 0, width - wide - 12, height);
  past.trace(moments, ({ out }) => out, DEEP, { width: 1, base: height });
  past.trace(moments, ({ taken }) => -taken, WARN, { base: 0 });
  curve.curve(output);
  edges.forEach((edge, index) => {
    const y = past.y(edge.level());
    line([[past.left, y], [width, y]], MARK, { width: 1, dash: index ? [4, 4] : [] });
  });
  over?.(curve, past, moment.taken);
  // What comes out is measured; what went in is that without the gain.
  if (moment.out > low) dot(Math.max(curve.x(Math.min(moment.out - gain(moment.taken), 0)), 0), curve.y(moment.out), 6);
  write(`${(-moment.taken).toFixed(1)} dB`, past.left + 44, 30, { size: 24, colour: TEXT });
});
