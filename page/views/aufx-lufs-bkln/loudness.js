// The loudness meter: its readings in large numbers, and the last minute beside the target.

import { ACCENT, DEEP, MARK, TEXT, handle, history, line, linear, now, parameter, plot, show, value, write } from './backline.draw.js';

const NAMES = ['short_term', 'momentary', 'integrated', 'range', 'true_peak', 'distance'];
const past = history(60, () => [now.momentary, now.short_term]);
const area = plot(linear(-60, 0, 10, (seconds) => `${seconds} s`), linear(-48, 0, 6));
handle(area, { y: 'target', at: () => [-1, now.target] });
show((width, height) => {
  const isWide = width > height * 1.4, wide = isWide ? width * 0.55 : width, low = isWide ? height : height * 0.5;
  const size = Math.min(low * 0.24, wide / 10);
  NAMES.forEach((name, index) => {
    const x = (index % 3 + 0.5) * wide / 3, y = low * (index < 3 ? 0.3 : 0.78);
    write(value(name) > -99 ? value(name).toFixed(1) : '–', x, y, { size, align: 'center', colour: name === 'integrated' ? ACCENT : TEXT });
    write(parameter(name).name, x, y + 15, { align: 'center' });
  });
  area.show(isWide ? wide : 0, isWide ? 0 : low, isWide ? width - wide : width, isWide ? height : height - low);
  area.trace(past, ([momentary]) => momentary, DEEP, { width: 1 });
  area.trace(past, ([, shortTerm]) => shortTerm);
  line([[area.left, area.y(now.target)], [width, area.y(now.target)]], MARK, { width: 1, dash: [6, 4] });
});
