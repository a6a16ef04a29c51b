// The overdrive and the guitar amp: a fader a knob, the models as buttons, and what goes in and comes out.

import { ACCENT, DEEP, EDGE, TEXT, bar, choices, code, follow, handle, line, linear, parameter, plot, show, text, turn, write } from './backline.draw.js';

const KNOBS = { drvs: ['drive', 'tone', 'bias', 'level'], gamp: ['gain', 'bass', 'middle', 'treble', 'level'] }[code];
const panel = plot(linear(0, KNOBS.length), linear(0, 1)), wave = plot(linear(0, 1), linear(-1, 1, 0.5));
const scopes = ['input', 'output'].map((side) => follow(`${side}.scope`));
const row = choices('model');
KNOBS.forEach((name, place) => handle(panel, { y: name, at: () => [place + 0.5, turn(name)] }));
show((width, height) => {
  const low = (row.offsetTop || height) - 6, named = Math.min(44, low / 3);
  panel.show(0, named, width * 0.55, low - named);
  KNOBS.forEach((name, place) => {
    const x = panel.x(place + 0.5), top = panel.y(turn(name)), wide = Math.min(panel.width / KNOBS.length - 12, 36);
    bar(x - wide / 2, panel.top, wide, panel.height, `${DEEP}33`);
    bar(x - wide / 2, top, wide, low - top, `${ACCENT}99`);
    write(parameter(name).name, x, named * 0.4, { size: 15, align: 'center', colour: TEXT });
    write(text(name), x, named * 0.8, { align: 'center' });
  });
  wave.show(panel.width + 12, 0, width - panel.width - 12, low);
  scopes.forEach(({ data }, isOutput) => line(
    Array.from(data?.left ?? [], (sample, index) => [wave.x(index / data.left.length), wave.y(sample)]), isOutput ? ACCENT : EDGE, { width: isOutput ? 2 : 1 }));
});
