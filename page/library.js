// Library: the units that can be added, found by words and tags, and auditioned in a cable.

import { h, say } from './dom.js';
import { rack } from './rack.js';
import { units } from './catalogue.js';
import { cancel, hear, heard, keep } from './audition.js';

/** The largest number of units shown; all built-in units fit. */
const MOST_CARDS = 100;
/** The search, kept while the library is shown, which is built again after each edit. */
let search = null;

/** Returns an unused name: "delay", "delay2". */
function freeName(title) {
  const stem = title.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'unit';
  const taken = new Set([...rack.listing.units, ...rack.listing.inputs, ...rack.listing.outputs].map(({ name }) => name));
  taken.delete(heard()?.name);
  if (!taken.has(stem)) return stem;
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}${number}`)) return `${stem}${number}`;
}

/** Returns the cables into which a unit can be inserted, as if there were no auditioned unit. */
function cables() {
  const all = rack.listing.cables.filter(({ kind, from, to }) =>
    kind !== 'feedback' && ![from, to].some((end) => end.split('.')[0] === heard()?.name)).map(({ chain }) => chain);
  return search.into && !all.includes(search.into) ? [search.into, ...all] : all;
}

const open = (name) => { location.hash = `#/unit/${encodeURIComponent(name)}`; };

export function libraryView(place) {
  const isNew = !search;
  if (isNew) search = { words: '', tags: new Set(), presets: new Map(), into: sessionStorage.getItem('into') ?? '' };
  sessionStorage.removeItem('into');
  const words = h('input', { type: 'search', placeholder: 'Search units', 'aria-label': 'Search units', value: search.words });
  const into = h('select', { 'aria-label': 'Insert into' }, h('option', { value: '' }, 'without cables'),
    cables().map((chain) => h('option', { value: chain }, `into ${chain}`)));
  into.value = search.into;
  const tags = h('div', { class: 'row', role: 'group', 'aria-label': 'Tags' });
  const count = h('p', { class: 'dim', role: 'status' }, 'Looking for units …');
  const cards = h('div', { class: 'cards' });
  place.append(h('div', { class: 'row spread' }, h('h2', {}, 'Library'), h('div', { class: 'row' }, words, into)),
    auditionBar() ?? '', tags, count, cards);
  if (isNew) words.focus();

  const add = async (entry, preset) => {
    await cancel();
    const name = freeName(entry.name);
    const members = { name, unit: entry.unit, ...(preset && { preset }), ...(into.value && { into: into.value }) };
    if (await rack.do('add', members)) open(name);
  };
  const card = (entry) => {
    const isHeard = heard()?.unit === entry.unit;
    const preset = h('select', {
      'aria-label': `Preset of ${entry.name}`,
      onchange: () => { search.presets.set(entry.unit, preset.value); if (isHeard) listen(); },
    }, h('option', { value: '' }, 'as it is'), entry.presets.map((text) => h('option', { value: text }, text)));
    preset.value = search.presets.get(entry.unit) ?? '';
    const listen = () => hear({ name: freeName(entry.name), unit: entry.unit, preset: preset.value, into: into.value });
    return h('article', { class: 'card', 'aria-label': entry.name },
      h('strong', {}, entry.name), h('span', { class: 'dim' }, entry.summary),
      h('div', { class: 'row' }, entry.presets.length ? preset : null,
        h('button', { 'aria-label': `Add ${entry.name}`, onclick: () => add(entry, preset.value) }, 'Add'),
        into.value ? h('button', { 'aria-label': `Audition ${entry.name}`, 'aria-pressed': isHeard, onclick: listen }, 'Audition') : null));
  };
  let all = [];
  const show = () => {
    const text = search.words.toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.filter((entry) => {
      const about = [entry.name, entry.summary, entry.manufacturer, ...entry.tags, ...entry.presets].join(' ').toLowerCase();
      return text.every((word) => about.includes(word)) && [...search.tags].every((tag) => entry.tags.includes(tag));
    });
    // The unit of that name comes first, then those whose names have the words.
    const rank = ({ name }) => (name.toLowerCase() === text.join(' ') ? 2
      : text.every((word) => name.toLowerCase().includes(word)) ? 1 : 0);
    found.sort((one, other) => rank(other) - rank(one));
    const shown = found.slice(0, MOST_CARDS);
    count.textContent = found.length === 1 ? '1 unit'
      : `${found.length} units${shown.length < found.length ? `, of which ${MOST_CARDS} are here` : ''}`;
    cards.replaceChildren(...shown.map(card));
  };
  words.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    cards.querySelector('button')?.focus();
  });
  words.addEventListener('input', () => { search.words = words.value; show(); });
  into.addEventListener('change', () => {
    search.into = into.value;
    if (!heard()) show();
    else if (into.value) hear({ ...heard(), into: into.value });
    else cancel();
  });
  units().then((entries) => {
    all = entries;
    tags.append(...[...new Set(entries.flatMap((entry) => entry.tags))].sort().map((tag) => {
      const button = h('button', {
        class: 'tag', 'aria-pressed': search.tags.has(tag),
        onclick: () => {
          if (!search.tags.delete(tag)) search.tags.add(tag);
          button.setAttribute('aria-pressed', search.tags.has(tag));
          show();
        },
      }, tag);
      return button;
    }));
    show();
  }).catch((error) => say(error.message, true));
  return () => {
    if (location.hash.startsWith('#/library')) return;
    search = null;
    cancel();
  };
}

/** Returns the bar to keep or remove the auditioned unit; null without one. */
function auditionBar() {
  if (!heard()) return null;
  const { name, preset, into } = heard();
  return h('div', { class: 'row audition', role: 'group', 'aria-label': 'Audition' },
    h('span', {}, `You hear ${name}${preset ? `, ${preset}` : ''} in ${into}.`),
    h('button', { onclick: () => { const kept = keep(); if (kept) open(kept); } }, 'Keep'), h('button', { onclick: cancel }, 'Cancel'));
}
