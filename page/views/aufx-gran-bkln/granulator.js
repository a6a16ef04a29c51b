// The granulator: where in the past its grains are, the present at the right, and how long and dense they are.

import {
  ACCENT, EDGE, MIDI, bar, buttons, choice, handle, isOn, line, linear, log, now, parameter, plot, show, text, within, write,
} from './backline.draw.js';

const LONGEST = 35; // s: the furthest position and spray
const early = {
  label: (seconds) => `−${seconds} s`, ticks: [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.01],
  at: (seconds) => 1 - Math.cbrt(seconds / LONGEST), of: (place) => LONGEST * (1 - place) ** 3,
};
const past = plot(early, linear(-24, 24, 12));
const grain = plot(log(5, 1000, [10, 30, 100, 300], (ms) => `${ms} ms`), log(0.5, 200, [1, 3, 10, 30, 100], (hertz) => `${hertz} Hz`));
const isGrains = () => choice('engine') === 'Grains';
const row = buttons([
  [parameter('freeze').name, () => parameter('freeze').setValue(isOn('freeze') ? 0 : 1), () => isOn('freeze')],
  ...parameter('engine').values.map((name, index) => [name, () => parameter('engine').setValue(index), () => choice('engine') === name])]);
handle(past, { mark: 'P', x: 'position', y: 'pitch', at: () => [now.position, now.pitch] });
handle(past, { mark: 'S', x: 'spray', at: () => [now.position + now.spray, -22] });
handle(grain, { mark: 'G', x: 'size', y: 'density', isHidden: () => !isGrains() });
show((width, height) => {
  const low = row.offsetTop - 4, wide = isGrains() ? Math.round(width * 0.62) : width;
  past.show(0, 0, wide, low);
  const [from, to] = [past.x(now.position + now.spray), past.x(now.position)];
  bar(from, 0, Math.max(to - from, 1), low, '#2f7fb855');
  line([[to, 0], [to, low]], ACCENT);
  line([[from, 0], [from, low]], EDGE);
  write(`${text('position')} ago · ${text('pitch')}`, 8, 16);
  if (!isGrains()) return;
  // As many as sound at once, spread evenly by golden sections.
  const sounding = within(now.density * now.size / 1000, 1, now.grains), part = (index, step) => (index * step) % 1;
  for (let index = 0; index < sounding; index += 1) {
    const back = now.position + part(index, 0.618034) * now.spray, y = past.y(now.pitch + (part(index, 0.754878) - 0.5) * 5);
    const x = past.x(back + now.size / 1000), isBackwards = part(index, 0.569840) < now.reverse / 100;
    bar(x, y - 2, Math.max(past.x(back) - x, 3), 4, isBackwards ? MIDI : ACCENT);
  }
  grain.show(wide + 12, 0, width - wide - 12, low);
  write(`${sounding.toFixed(sounding < 10 ? 1 : 0)} at once`, width - 8, 16, { align: 'right' });
});
