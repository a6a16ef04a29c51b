// The gain and the mixer: faders beside the level that comes out, with the marks of a K-20 meter.

import {
  ACCENT, BAD, DEEP, EDGE, MARK, PALE, TEXT, WARN, bar, follow, handle, isOn, line, linear, parameters, plot, show,
  text, toDecibels, value, within, write,
} from './backline.draw.js';

const faders = parameters.map(({ keyPath }) => keyPath).filter((name) => /^(.+\.)?gain$|^master$/.test(name)).map((gain) => {
  const input = gain.includes('.') ? gain.slice(0, -5) : '';
  return { gain, title: input || gain[0].toUpperCase() + gain.slice(1), pan: input && `${input}.pan`, mute: input && `${input}.mute` };
});
const count = faders.length + 1;
const strips = plot(linear(-0.5, count - 0.5), linear(-60, 24, 12, (db) => `${db} dB`));
faders.forEach(({ title, gain, pan }, index) => {
  handle(strips, { label: title, y: gain, at: () => [index, value(gain)], isColumn: true });
  if (pan) handle(strips, { label: `${title} pan`, mark: '↔', x: pan, at: () => [index + value(pan) / 3, -55] });
});
let held = -200;
const levels = follow('levels', ({ peak }) => { held = Math.max(held - 0.53, toDecibels(peak)); }); // falls by 13.3 dB a second
show((width, height) => {
  strips.show(0, 0, width, height);
  faders.forEach(({ title, gain, mute }, index) => {
    const x = strips.x(index), isMuted = mute && isOn(mute);
    line([[x, 24], [x, height]], EDGE);
    bar(x - 16, strips.y(value(gain)) - 5, 32, 10, isMuted ? EDGE : TEXT);
    write(isMuted ? `${title}: muted` : `${title} ${text(gain)}`, x, 14, { align: 'center', colour: isMuted ? WARN : TEXT });
  });
  const wide = Math.min(width / count / 2, 60), x = strips.x(count - 1), top = within(held, -60, 24);
  for (const [from, to, colour] of [[-60, -20, DEEP], [-20, 0, PALE], [0, 24, BAD]]) {
    if (top > from) bar(x - wide / 2, strips.y(Math.min(top, to)), wide, strips.y(from) - strips.y(Math.min(top, to)), colour);
  }
  bar(x - wide / 2 - 4, strips.y(toDecibels(levels.data?.rms ?? 0)) - 1, wide + 8, 3, MARK);
  write(held > -99 ? `${held.toFixed(1)} dB` : 'silent', x, 14, { align: 'center', colour: ACCENT });
});
