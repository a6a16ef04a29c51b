// The reverb: the decay time of each frequency, and the onset; both can be dragged.

import { ACCENT, PALE, FREQUENCY, MIDI, handle, line, linear, log, now, plot, show, text, write } from './backline.draw.js';

/** Seconds to -60 dB: in 1/T the middle and the two shelves of each line add up (reverb.md); at 48 kHz. */
function decay(hertz) {
  const omega = (of) => Math.tan(Math.PI * Math.min(of, 23000) / 48000) ** 2;
  const extra = (factor) => 1 / factor - 1;
  const low = extra(now.low_decay) / (1 + omega(hertz) / omega(now.low_frequency));
  const high = extra(now.high_decay) / (1 + omega(now.high_frequency) / omega(hertz));
  return now.decay / (1 + low + high);
}

const tone = plot(FREQUENCY, log(0.05, 60, [0.1, 0.3, 1, 3, 10, 30], (seconds) => `${seconds} s`));
const spans = [0.5, 1, 2, 5, 10, 20, 50].map((span) => linear(0, span, span / 5, (seconds) => `${+seconds.toFixed(1)} s`));
const time = plot(spans[2], linear(-60, 0, 12, (db) => `${db} dB`));
const middle = () => Math.sqrt(now.low_frequency * now.high_frequency);
handle(tone, { y: 'decay', at: () => [middle(), now.decay] });
handle(tone, { mark: 'L', x: 'low_frequency', y: 'low_decay', at: () => [now.low_frequency / 3, decay(now.low_frequency / 3)] });
handle(tone, { mark: 'H', x: 'high_frequency', y: 'high_decay', at: () => [Math.min(now.high_frequency * 2, 18000), decay(now.high_frequency * 2)] });
handle(time, { mark: 'P', x: 'pre_delay', y: 'mix', at: () => [now.pre_delay / 1000, -6] });
show((width, height) => {
  const wide = Math.round(width * 0.55), start = now.pre_delay / 1000;
  time.across = spans.find((span) => span.at(start + now.decay * 1.1) < 1) ?? spans[6];
  tone.show(0, 0, wide, height);
  tone.curve(decay, ACCENT, { base: 0.05 });
  time.show(wide + 12, 0, width - wide - 12, height);
  const lines = [['— middle', middle(), ACCENT, []], ['╌ 100 Hz', 100, PALE, [6, 4]], ['┄ 10 kHz', 10000, MIDI, [2, 4]]];
  lines.forEach(([name, hertz, colour, dash], index) => {
    line([[time.x(start), time.y(0)], [time.x(start + decay(hertz)), time.y(-60)]], colour, { width: 2.5, dash });
    write(name, width - 8, 16 + 16 * index, { align: 'right', colour });
  });
  write(`${text('type')} · ${text('decay')}`, wide - 8, 24, { size: 18, align: 'right' });
});
