// The step sequencer: the steps of its pattern, each as high as its pitch, as long as its gate, and below as
// loud as its velocity.

import { ACCENT, DEEP, EDGE, MIDI, bar, handle, linear, now, plot, show, text, value, write } from './backline.draw.js';

const STEPS = 64, OF_PATTERN = 16;
const length = () => Math.max(now.length, 1), first = () => (now.pattern - 1) * OF_PATTERN;
/** Returns the position of a step in the row, from 0; the row wraps around. */
const place = (step) => (step - first() + STEPS) % STEPS;
const across = { ...linear(0, 1), at: (of) => of / length(), of: (at) => at * length() };
const pitches = plot(across, linear(-36, 36, 12, (semitones) => (semitones > 0 ? `+${semitones}` : semitones)));
const strokes = plot(across, linear(0, 127));
const steps = Array.from({ length: STEPS }, (_, step) => {
  const name = (lane) => `${lane}.${step + 1}`, isHidden = () => place(step) >= length(), x = () => place(step) + 0.5;
  handle(pitches, { label: `Step ${place(step) + 1}`, y: name('pitch'), extra: name('gate'), at: () => [x(), value(name('pitch'))], isHidden,
    isOff: () => !value(name('velocity')) });
  handle(strokes, { y: name('velocity'), extra: name('probability'), at: () => [x(), value(name('velocity'))], isHidden });
  return { name, step };
});
show((width, height) => {
  const low = height * 0.68, wide = width / length();
  pitches.show(0, 0, width, low);
  strokes.show(0, low + 12, width, height - low - 12);
  for (const { name, step } of steps) {
    if (place(step) >= length()) continue;
    const left = place(step) * wide, velocity = value(name('velocity'));
    // Beats of four steps.
    if (place(step) % 8 < 4) bar(left, 0, wide, height, '#ffffff08');
    const repeats = value(name('ratchet')), each = wide / repeats, gate = each * value(name('gate')) / 100;
    for (let turn = 0; velocity && turn < repeats; turn += 1) bar(left + turn * each, pitches.y(value(name('pitch'))) - 6, Math.max(gate - 2, 2), 12, MIDI);
    bar(left + 3, strokes.y(velocity), wide - 6, height - strokes.y(velocity), value(name('probability')) < 100 ? DEEP : ACCENT);
  }
  bar(0, low + 5, width, 1, EDGE);
  write(`pattern ${text('pattern')} · ${text('length')} steps · ${text('rate')}`, width - 8, 16, { align: 'right' });
});
