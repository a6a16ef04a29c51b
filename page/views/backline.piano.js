// The keys of a piano, for the faces that show notes.

import { DIM, bar, follow } from './backline.draw.js';

const isBlack = (note) => [1, 3, 6, 8, 10].includes(note % 12);
/** Draws the keys between two notes, in the colours of `lit`; returns the function for the middle of a key. */
export function keys(top, width, height, low, high, lit) {
  const step = width / (high - low + 1), x = (note) => (note - low + 0.5) * step;
  for (const black of [false, true]) {
    for (let note = low; note <= high; note += 1) {
      if (isBlack(note) !== black) continue;
      // A white key reaches to the middles of the black ones beside it.
      const [left, right] = [-1, 1].map((side) => x(note + side * (!black && isBlack(note + side) ? 1 : 0.5)));
      bar(left + 0.5, top, right - left - 1, black ? height * 0.6 : height, lit(note) ?? (black ? '#0e1013' : DIM));
    }
  }
  return x;
}

/** Returns a function that draws the keys from `top` down and marks those that sound. */
export function soundingKeys() {
  const notes = follow('notes');
  return (top, width, height) => {
    const levels = notes.data?.values ?? [], lit = (level) => (level > 0 ? `rgb(240 228 66 / ${Math.min(0.4 + 0.6 * level, 1)})` : undefined);
    keys(top, width, height - top, 21, 108, (note) => lit(levels[note]));
  };
}
