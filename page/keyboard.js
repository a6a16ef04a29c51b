// Keyboard: plays a MIDI input or a unit.

import { h, say } from './dom.js';
import { link } from './link.js';
import { rack } from './rack.js';

/** The computer keys by semitones above the lowest note, by position, not by the printed letter. */
const CODES = 'Z S X D C V G B H N J M Q 2 W 3 E R 5 T 6 Y 7 U I'.split(' ');
const NAMES = 'C C♯ D D♯ E F F♯ G G♯ A A♯ B'.split(' ');
const KEYS = 25;

const hex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');

/** Builds a keyboard for one unit, or with a choice of the target. */
export function keyboardView(place, only) {
  const targets = only ? [only] : [
    ...rack.listing.inputs.filter((port) => port.channels === 0).map(({ name }) => name),
    ...rack.listing.units.filter((unit) => unit.takesMIDI).map(({ name }) => name)];
  if (!targets.length) {
    place.append(h('h2', {}, 'Keyboard'), h('p', { class: 'dim' }, 'Nothing in this rack takes notes.'));
    return () => {};
  }
  const target = h('select', { 'aria-label': 'Play' }, targets.map((name) => h('option', {}, name)));
  let lowest = 48;
  const held = new Map();
  /** The start of each touch: its position, and the timbre sent last. */
  const begun = new Map();
  const send = (...bytes) => link.ask('midi', { to: target.value, bytes: hex(bytes) }).catch((error) => say(error.message, true));
  const element = (note) => keys.querySelector(`[data-note="${note}"]`);
  const press = (hand, note, velocity) => {
    if (held.has(hand) || note < 0 || note > 127) return;
    held.set(hand, note);
    element(note)?.classList.add('down');
    send(0x90, note, velocity);
  };
  const lift = (hand) => {
    const note = held.get(hand);
    if (note === undefined) return;
    held.delete(hand);
    if ([...held.values()].includes(note)) return;
    element(note)?.classList.remove('down');
    send(0x80, note, 64);
  };
  /** A finger that slides up its key brightens that note. */
  const slide = (hand, y) => {
    const start = begun.get(hand), value = Math.round((start.y - y) / 5) / 24;
    if (value === start.sent) return;
    start.sent = value;
    link.ask('express', { to: target.value, key: `${held.get(hand)}`, expression: 'timbre', value }).catch(() => {});
  };
  const liftAll = () => { for (const hand of [...held.keys()]) lift(hand); };

  const keys = h('div', { class: 'keys', role: 'group', 'aria-label': 'Keys' });
  const build = () => keys.replaceChildren(...Array.from({ length: KEYS }, (_, step) => {
    const note = lowest + step, name = `${NAMES[note % 12]}${Math.floor(note / 12) - 1}`;
    const isBlack = NAMES[note % 12].length > 1;
    // The unit's name of the key, such as that of a drum.
    const own = rack.listing.units.find((unit) => unit.name === target.value)?.noteNames?.[note];
    const text = h('span', { class: own ? 'named' : '', 'aria-hidden': true }, own ?? (note % 12 ? '' : name));
    return h('button', { class: isBlack ? 'black' : 'white', 'data-note': note, 'aria-label': own ? `${own}, ${name}` : name }, text);
  }));
  build();
  const noteAt = (event) => {
    const key = document.elementFromPoint(event.clientX, event.clientY)?.closest?.('[data-note]');
    if (!key) return null;
    const box = (key.matches('.black') ? key.firstChild : key).getBoundingClientRect();
    // Lower on the key is louder.
    const velocity = Math.round(Math.min(Math.max(0.25 + 0.75 * (event.clientY - box.top) / box.height, 0.1), 1) * 127);
    return { note: Number(key.dataset.note), velocity };
  };
  const point = ({ pointerId, clientY }, { note, velocity }) => {
    begun.set(pointerId, { y: clientY, sent: 0 });
    press(pointerId, note, velocity);
  };
  keys.addEventListener('pointerdown', (event) => {
    const at = noteAt(event);
    if (!at) return;
    event.preventDefault();
    keys.setPointerCapture(event.pointerId);
    point(event, at);
  });
  keys.addEventListener('pointermove', (event) => {
    if (!held.has(event.pointerId)) return;
    const at = noteAt(event);
    if (!at) return;
    if (at.note === held.get(event.pointerId)) return slide(event.pointerId, event.clientY);
    lift(event.pointerId);
    point(event, at);
  });
  for (const name of ['pointerup', 'pointercancel']) keys.addEventListener(name, (event) => lift(event.pointerId));
  // A key that has the focus sounds while Enter or Space is down.
  keys.addEventListener('keydown', (event) => {
    if (event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    press('focus', Number(event.target.dataset.note), 100);
  });
  keys.addEventListener('keyup', (event) => { if (event.key === 'Enter' || event.key === ' ') lift('focus'); });

  const typing = h('button', {
    'aria-pressed': false,
    onclick: () => {
      typing.setAttribute('aria-pressed', typing.getAttribute('aria-pressed') !== 'true');
      liftAll();
    },
  }, 'Computer keys');
  const velocity = h('input', { type: 'range', min: 1, max: 127, value: 100, 'aria-label': 'Velocity of the computer keys' });
  const isTyping = (event) => typing.getAttribute('aria-pressed') === 'true' && !event.ctrlKey && !event.metaKey
    && !event.altKey && !event.target.closest?.('input[type=search], input[type=text], select');
  const down = (event) => {
    const step = CODES.indexOf(event.code.replace(/Key|Digit/, ''));
    if (step < 0 || !isTyping(event)) return;
    event.preventDefault();
    if (!event.repeat) press(event.code, lowest + step, Number(velocity.value));
  };
  const up = (event) => lift(event.code);
  addEventListener('keydown', down);
  addEventListener('keyup', up);
  addEventListener('blur', liftAll);

  const octave = (by) => h('button', {
    'aria-label': by > 0 ? 'Octave up' : 'Octave down',
    onclick: () => { liftAll(); lowest = Math.min(Math.max(lowest + by, 0), 96); build(); },
  }, by > 0 ? 'Octave +' : 'Octave −');
  const bend = h('input', { type: 'range', min: -8192, max: 8191, value: 0, 'aria-label': 'Pitch bend' });
  const sendBend = () => { const value = Number(bend.value) + 8192; send(0xE0, value & 127, value >> 7); };
  bend.addEventListener('input', sendBend);
  for (const name of ['pointerup', 'pointercancel', 'blur']) bend.addEventListener(name, () => { bend.value = 0; sendBend(); });
  const modulation = h('input', { type: 'range', min: 0, max: 127, value: 0, 'aria-label': 'Modulation' });
  modulation.addEventListener('input', () => send(0xB0, 1, Number(modulation.value)));
  target.addEventListener('mousedown', liftAll);
  target.addEventListener('change', build);
  place.append(
    only ? '' : h('div', { class: 'row spread' }, h('h2', {}, 'Keyboard'), h('div', { class: 'row' }, 'plays', target)),
    h('div', { class: 'row' }, octave(-12), octave(12), typing, h('label', { class: 'row' }, 'Velocity', velocity),
      h('label', { class: 'row' }, 'Pitch', bend), h('label', { class: 'row' }, 'Modulation', modulation)),
    h('p', { class: 'dim' }, 'With “Computer keys” the two lower rows of letters play an octave from the left, the two upper rows the next.'),
    keys);
  return () => {
    liftAll();
    removeEventListener('keydown', down);
    removeEventListener('keyup', up);
    removeEventListener('blur', liftAll);
  };
}
