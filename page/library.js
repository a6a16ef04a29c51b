// Library: the units that can be added, by words and tags.

import { h, say } from './dom.js';
import { rack } from './rack.js';
import { units } from './catalogue.js';

/** A name that the rack does not have yet: "delay", "delay2". */
function freeName(title) {
  const stem = title.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'unit';
  const taken = new Set([...rack.listing.units, ...rack.listing.inputs, ...rack.listing.outputs].map(({ name }) => name));
  if (!taken.has(stem)) return stem;
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}${number}`)) return `${stem}${number}`;
}

export function libraryView(place) {
  const words = h('input', { type: 'search', placeholder: 'Search units', 'aria-label': 'Search units' });
  const into = h('select', { 'aria-label': 'Insert into' },
    h('option', { value: '' }, 'without cables'),
    rack.listing.cables.filter((cable) => cable.kind !== 'feedback')
      .map((cable) => h('option', { value: cable.chain }, `into ${cable.chain}`)));
  const wanted = sessionStorage.getItem('into');
  sessionStorage.removeItem('into');
  if (wanted) into.value = wanted;
  const tags = h('div', { class: 'row', role: 'group', 'aria-label': 'Tags' });
  const count = h('p', { class: 'dim', role: 'status' });
  const cards = h('div', { class: 'cards' });
  const chosen = new Set();
  place.append(h('div', { class: 'row spread' }, h('h2', {}, 'Library'), h('div', { class: 'row' }, words, into)), tags, count, cards);
  words.focus();

  const add = async (entry, preset) => {
    const name = freeName(entry.name);
    const members = { name, unit: entry.unit, ...(preset && { preset }), ...(into.value && { into: into.value }) };
    if (await rack.do('add', members)) location.hash = `#/unit/${encodeURIComponent(name)}`;
  };
  const card = (entry) => {
    const preset = h('select', { 'aria-label': `Preset of ${entry.name}` },
      h('option', { value: '' }, 'as it is'), entry.presets.map((text) => h('option', { value: text }, text)));
    return h('article', { class: 'card', 'aria-label': entry.name },
      h('strong', {}, entry.name), h('span', { class: 'dim' }, entry.summary),
      h('div', { class: 'row' }, entry.presets.length ? preset : null,
        h('button', { 'aria-label': `Add ${entry.name}`, onclick: () => add(entry, preset.value) }, 'Add')));
  };
  let all = [];
  const show = () => {
    const text = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.filter((entry) => {
      const about = [entry.name, entry.summary, entry.manufacturer, ...entry.tags, ...entry.presets].join(' ').toLowerCase();
      return text.every((word) => about.includes(word)) && [...chosen].every((tag) => entry.tags.includes(tag));
    });
    // Those whose names have the words come first.
    const isNamed = (entry) => text.every((word) => entry.name.toLowerCase().includes(word));
    found.sort((one, other) => isNamed(other) - isNamed(one));
    count.textContent = found.length === 1 ? '1 unit' : `${found.length} units`;
    cards.replaceChildren(...found.map(card));
  };
  words.addEventListener('input', show);
  units().then((entries) => {
    all = entries;
    tags.append(...[...new Set(entries.flatMap((entry) => entry.tags))].sort().map((tag) => {
      const button = h('button', {
        class: 'tag', 'aria-pressed': false,
        onclick: () => {
          if (!chosen.delete(tag)) chosen.add(tag);
          button.setAttribute('aria-pressed', chosen.has(tag));
          show();
        },
      }, tag);
      return button;
    }));
    show();
  }).catch((error) => say(error.message, true));
  return () => {};
}
