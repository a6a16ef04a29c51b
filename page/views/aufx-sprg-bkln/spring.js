// The spring reverb: when each frequency comes back along the springs, echo by echo, and how it decays.

import { ACCENT, EDGE, FREQUENCY, MIDI, PALE, handle, line, linear, log, now, plot, show, text, toDecibels, write } from './backline.draw.js';

const STAGES = 100;
const SPRINGS = [[1, ACCENT], [1.21, MIDI], [0.83, PALE]]; // ways beside the first one's

/** Seconds from one end to the other, and back to the first (spring_reverb/spring_tank.h). */
function along(hertz) {
  const a = 0.3 + 0.0045 * now.drip;
  return STAGES / (2 * now.chirp) * (1 - a * a) / (1 + 2 * a * Math.cos(Math.PI * hertz / now.chirp) + a * a);
}
const back = () => 0.07 * (0.025 / 0.07) ** (now.tension / 100);

const LONGEST = 0.6; // s
const echoes = plot(
  linear(0, LONGEST, 0.1, (seconds) => `${Math.round(seconds * 1000)} ms`), log(50, 8000, [100, 200, 500, 1000, 2000, 5000], FREQUENCY.label));
const decay = plot(linear(0, 7, 1, (seconds) => `${seconds} s`), linear(-60, 0, 12, (db) => `${db} dB`));
const level = () => toDecibels(Math.sin(Math.PI / 200 * now.mix));
handle(echoes, { mark: 'C', y: 'chirp', extra: 'drip', at: () => [0.02, now.chirp] });
handle(echoes, { mark: 'T', x: 'tension', at: () => [4 * along(300) + 3 * back(), 300] });
handle(echoes, { mark: 'L', y: 'low_cut', at: () => [0.56, now.low_cut] });
handle(decay, { mark: 'D', x: 'decay', y: 'mix', at: () => [now.decay / 2, level() - 30] });
show((width, height) => {
  const wide = Math.round(width * 0.6);
  echoes.show(0, 0, wide, height);
  decay.show(wide + 12, 0, width - wide - 12, height);
  SPRINGS.slice(0, now.springs + 1).forEach(([way, colour]) => {
    for (let echo = 1; echo < 16; echo += 1) {
      const when = (hertz) => echo * along(hertz) + (echo - 1) * back() * way, start = when(50);
      if (start > LONGEST) break;
      const fainter = Math.round(255 * 10 ** (-1.5 * start / now.decay)).toString(16).padStart(2, '0');
      const heard = Array.from({ length: 61 }, (_, index) => 50 * (now.chirp / 50) ** (index / 60)).filter((hertz) => when(hertz) < LONGEST);
      line(heard.map((hertz) => [echoes.x(when(hertz)), echoes.y(hertz)]), colour + fainter);
    }
  });
  for (const edge of [now.chirp, now.low_cut]) line([[0, echoes.y(edge)], [wide, echoes.y(edge)]], EDGE, { width: 1, dash: [4, 4] });
  line([[decay.x(0), decay.y(level())], [decay.x(now.decay), decay.y(level() - 60)]], ACCENT, { width: 3, base: height });
  write(`Springs: ${text('springs')} · ${text('decay')}`, width - 8, 24, { size: 18, align: 'right' });
});
