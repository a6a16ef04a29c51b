// Stage: the rack's tuner, if it has one, as a large note and a row of bars.

import { h } from './dom.js';
import { rack } from './rack.js';

/** The largest deviation of a string in tune, in cents. */
const IN_TUNE = 2;

/** Returns the tuner and the function that ends it; null without a tuner unit. */
export function tuner() {
  const unit = rack.listing.units.find((one) => one.unit === 'aufx/tunr/bkln');
  if (!unit) return null;
  const note = h('div', { class: 'note' }), bars = Array.from({ length: 9 }, () => h('i')), words = h('div', { class: 'words' });
  const element = h('div', { class: 'tuner', role: 'group', 'aria-label': `Tuner ${unit.name}` },
    note, h('div', { class: 'needle', 'aria-hidden': true }, bars), words);
  const reading = (name) => rack.parameters.get(`${unit.name}.${name}`);
  const show = () => {
    const isSure = reading('confidence').value >= 50, cents = reading('cents').value;
    const isIn = isSure && Math.abs(cents) <= IN_TUNE;
    note.textContent = isSure ? reading('note').text.replace('#', '♯') : '–';
    words.textContent = !isSure ? 'play a note' : isIn ? 'in tune' : `${Math.abs(cents).toFixed(0)} cents ${cents < 0 ? 'low' : 'high'}`;
    // Twelve cents a bar; in tune, the middle one alone.
    const lit = isIn ? 4 : 4 + Math.sign(cents) * Math.min(4, Math.ceil(Math.abs(cents) / 12));
    bars.forEach((bar, index) => bar.classList.toggle('lit', isSure && index === lit));
    element.classList.toggle('in', isIn);
  };
  show();
  const ends = ['note', 'cents', 'confidence'].map((name) => rack.on(`${unit.name}.${name}`, show));
  return { element, end: () => { for (const end of ends) end(); } };
}
