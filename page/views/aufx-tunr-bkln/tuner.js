// The tuner: the note in large letters, a needle, and strobe bands that drift with the error and stand still
// when the string is in tune.

import { ACCENT, EDGE, PALE, TEXT, WARN, bar, draw, now, show, within, write } from './backline.draw.js';

const NAMES = ['C', 'C♯', 'D', 'D♯', 'E', 'F', 'F♯', 'G', 'G♯', 'A', 'A♯', 'B'];
const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
let phase = 0, last = performance.now(), isThere = true;
backline.audioUnit.then((unit) => unit.onPresence((is) => { isThere = is; draw(); }));

show((width, height) => {
  const moment = performance.now(), note = Math.round(now.note), cents = now.cents;
  const isSure = isThere && now.confidence >= 50, isIn = isSure && Math.abs(cents) <= 2;
  if (isSure && !isCalm.matches) phase += cents * (moment - last) / 1000 * 0.06;
  last = moment;
  const middle = width / 2, colour = isIn ? ACCENT : WARN;
  write(isSure ? `${NAMES[note % 12]}${Math.floor(note / 12) - 1}` : '–', middle, height * 0.46,
    { size: Math.round(height * 0.45), align: 'center', colour: isIn ? ACCENT : isSure ? TEXT : EDGE });
  write(isSure ? `${cents > 0 ? '+' : ''}${cents.toFixed(1)} cents · ${now.frequency.toFixed(1)} Hz` : 'play a note', middle, height * 0.59,
    { size: within(Math.round(height * 0.06), 13, 24), align: 'center', colour: isSure ? TEXT : EDGE });
  // The needle, ±50 cents, and words, so that it is not colour alone.
  const top = height * 0.64, tall = height * 0.12, x = (away) => middle + within(away, -50, 50) / 50 * width * 0.45;
  for (let tick = -50; tick <= 50; tick += 10) bar(x(tick) - 1, top + (tick ? tall / 2 : 0), 2, tick ? tall / 2 : tall, EDGE);
  if (!isSure) return;
  bar(x(cents) - 3, top - 4, 6, tall + 8, colour);
  if (isIn) write('in tune', middle + 12, top + 8, { size: 15, colour });
  for (let band = 0; band < 3; band += 1) {
    const stripe = width / (8 * 2 ** band), shift = ((phase * 2 ** band % 1) + 1) % 1 * stripe * 2;
    const y = height * (0.81 + band * 0.06);
    for (let x = shift - stripe * 2; x < width; x += stripe * 2) bar(x, y, stripe, height * 0.045, PALE);
  }
  if (Math.abs(cents) > 0.2) draw();
});
