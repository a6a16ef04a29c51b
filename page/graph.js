// Rack: the graph, edited by pointer and by keys, and the same as a table for screen readers.

import { h, menu, onLongPress, say, svg } from './dom.js';
import { link } from './link.js';
import { rack } from './rack.js';
import { block } from './block.js';
import { Dock } from './dock.js';
import { Meters } from './meter.js';
import { dragBoxes, layoutButtons, moves, nudge } from './layout.js';
import { Viewport } from './viewport.js';
import { scenesSection } from './scenes.js';
import { controlsSection } from './controls.js';

/** Returns the possible ends of cables: ports and units, with audio or MIDI. */
function ends() {
  const { inputs, outputs, units } = rack.listing;
  const from = [], to = [];
  for (const port of inputs) from.push({ name: port.name, isMIDI: port.channels === 0 });
  for (const unit of units) {
    for (const name of unit.outputs) from.push({ name, isMIDI: false });
    if (unit.sendsMIDI && !unit.outputs.length) from.push({ name: unit.name, isMIDI: true });
    for (const name of unit.inputs) to.push({ name, isMIDI: false });
    if (unit.takesMIDI) to.push({ name: unit.name, isMIDI: true });
  }
  for (const port of outputs) to.push({ name: port.name, isMIDI: port.channels === 0 });
  return { from, to };
}

const nodeOf = (end) => end.split('.')[0];

/** Returns the names of the possible destinations of a cable. */
function legalEnds(from) {
  const all = ends();
  const kinds = all.from.filter((end) => nodeOf(end.name) === nodeOf(from)).map((end) => end.isMIDI);
  return [...new Set(all.to
    .filter((end) => kinds.includes(end.isMIDI) && nodeOf(end.name) !== nodeOf(from))
    .map((end) => end.name))];
}

const connect = (from, to) => rack.do('connect', { chain: `${from} -> ${to}` });
const cut = (chain) => rack.do('disconnect', { chain });
const open = (name) => { location.hash = `#/unit/${encodeURIComponent(name)}`; };

export function graphView(place) {
  const graph = h('div', { class: 'graph', role: 'group', 'aria-label': 'Graph' });
  const viewport = new Viewport(graph), dock = new Dock();
  const meters = new Meters();
  const table = h('div');
  const scenes = scenesSection();
  place.append(
    h('div', { class: 'row spread' },
      h('h2', {}, 'Rack'),
      h('p', { class: 'dim' }, 'Drag from a box to a box to connect them. With keys: arrows go along the cables, '
        + 'C connects, I inserts, Space selects, Enter opens, Delete removes, / searches; with Alt they move the box.')),
    graph, h('p', { class: 'row' }, viewport.buttons(), rack.mayEdit ? layoutButtons(graph) : ''), scenes.element, dock.element, h('h3', {}, 'Meters'), meters.element,
    rack.mayEdit ? controlsSection() : '', h('h3', {}, 'Cables'), table);
  let blocks = new Map();
  let isOver = false;
  graph.addEventListener('unit', ({ detail }) => dock.show(detail));
  const draw = async () => {
    const picture = await link.ask('picture').catch(() => null);
    if (!picture || isOver) return;
    const focused = graph.contains(document.activeElement) && document.activeElement.dataset.name;
    graph.style.setProperty('--height', `${picture.height * 1.5}px`);
    blocks = drawGraph(viewport, picture);
    dock.show(rack.unit(dock.name) ? dock.name : null);
    graph.querySelector(`.box[data-name="${CSS.escape(dock.name ?? '')}"]`)?.classList.add('picked');
    if (focused) graph.querySelector(`.box[data-name="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    drawTable(table, picture);
    showBypasses();
  };
  const showBypasses = () => {
    for (const box of graph.querySelectorAll('.box')) {
      const bypassed = isBypassed(box.dataset.name);
      box.classList.toggle('bypassed', bypassed);
      box.setAttribute('aria-description', bypassed ? 'bypassed' : '');
    }
  };
  draw();
  const stop = [
    rack.on('layout', draw),
    rack.on('meters', ({ inputs, outputs, units }) => {
      meters.show([...inputs, ...outputs]);
      for (const { name, peak } of units) blocks.get(name)?.showLevel(peak);
    }),
    ...rack.listing.units.map((unit) => rack.on(`${unit.name}.bypass`, showBypasses)),
    rack.on('status', ({ units }) => { for (const { name, share } of units) blocks.get(name)?.showShare(share * 100); }),
    () => meters.end(), () => viewport.end(), () => dock.end(), scenes.end,
  ];
  return () => { isOver = true; for (const end of stop) end(); };
}

function drawGraph(viewport, picture) {
  const drawing = svg('svg', {});
  const boxes = new Map(picture.boxes.map((box) => [box.name, box]));
  const blocks = new Map();
  drawing.append(...picture.cables.map((cable) => cableElement(cable)));
  drawing.append(...picture.boxes.map((box) => boxElement(box, picture, blocks)));
  if (rack.mayEdit) dragCables(drawing, boxes, viewport);
  viewport.show(drawing, picture);
  return blocks;
}

function cableElement(cable) {
  const name = `${cable.kind} from ${cable.from} to ${cable.to}`;
  const element = svg('g', { class: `cable ${cable.kind}`, role: 'img', 'aria-label': name },
    svg('path', { class: 'line', d: cable.path }), svg('path', { class: 'arrow', d: cable.arrow }),
    svg('path', { class: 'hit', d: cable.path }));
  if (!cable.chain || !rack.mayEdit) return element;
  element.setAttribute('tabindex', '0');
  element.setAttribute('role', 'button');
  const choose = (x, y) => menu(x, y, [
    ['Insert a unit', () => insertInto(cable.chain)], ['Cut', () => cut(cable.chain)],
  ]);
  element.addEventListener('click', (event) => choose(event.clientX, event.clientY));
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Delete' || event.key === 'Backspace') cut(cable.chain);
    else if (event.key === 'i') insertInto(cable.chain);
    else if (event.key === 'Enter') {
      const box = element.getBoundingClientRect();
      choose(box.left + box.width / 2, box.top + box.height / 2);
    } else return;
    event.preventDefault();
  });
  return element;
}

/** Opens the library to insert a unit into a cable. */
function insertInto(chain) {
  sessionStorage.setItem('into', chain);
  location.hash = '#/library';
}

function boxElement(box, picture, blocks) {
  const into = picture.cables.filter((cable) => cable.to === box.name && cable.chain).map((cable) => cable.from);
  const out = picture.cables.filter((cable) => cable.from === box.name && cable.chain).map((cable) => cable.to);
  const words = [box.name, box.kind, into.length && `from ${into.join(', ')}`, out.length && `to ${out.join(', ')}`,
    box.process].filter(Boolean).join(', ');
  const drawn = block(box, words), { element } = drawn;
  blocks.set(box.name, drawn);
  element.addEventListener('click', ({ target }) => {
    if (target.dataset.lamp && rack.mayEdit) toggleBypass(box.name);
    else if (!box.isPort) select(element, box.name);
  });
  element.addEventListener('dblclick', ({ target }) => { if (!box.isPort && !target.dataset.lamp) open(box.name); });
  element.addEventListener('keydown', (event) => onBoxKey(event, element, box, into, out));
  if (rack.mayEdit) onLongPress(element, (x, y) => openMenu(x, y, box));
  return element;
}

/** Marks a unit as selected: the dock shows it. */
function select(element, name) {
  for (const other of element.ownerSVGElement.querySelectorAll('.picked')) other.classList.remove('picked');
  element.classList.add('picked');
  element.dispatchEvent(new CustomEvent('unit', { bubbles: true, detail: name }));
}

function openMenu(x, y, box) {
  const isSource = ends().from.some((end) => nodeOf(end.name) === box.name);
  const entries = isSource ? [['Connect to …', () => chooseEnd(x, y, box.name)]] : [];
  if (!box.isPort) {
    const bypass = rack.parameters.get(`${box.name}.bypass`);
    const isOn = bypass?.value >= 0.5;
    entries.unshift(['Open', () => open(box.name)]);
    entries.push(
      [isOn ? 'Switch on' : 'Bypass', () => rack.set(`${box.name}.bypass`, isOn ? 0 : 1)],
      ['Remove', () => rack.do('remove', { name: box.name })]);
  }
  if (entries.length) menu(x, y, entries);
}

function chooseEnd(x, y, from) {
  const names = legalEnds(from);
  if (!names.length) { say(`nothing here takes what ${from} sends`); return; }
  menu(x, y, names.map((name) => [name, () => connect(from, name)]));
}

const isBypassed = (unit) => rack.parameters.get(`${unit}.bypass`)?.value >= 0.5;

function toggleBypass(unit) {
  const bypassed = !isBypassed(unit);
  rack.set(`${unit}.bypass`, bypassed ? 1 : 0);
  say(`${unit} ${bypassed ? 'is bypassed' : 'plays'}`);
}

function onBoxKey(event, element, box, into, out) {
  if (nudge(event, element, box)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const focus = (name) => name && element.ownerSVGElement.querySelector(`.box[data-name="${CSS.escape(name)}"]`)?.focus();
  const place = element.getBoundingClientRect();
  const all = [...element.ownerSVGElement.querySelectorAll('.box')];
  switch (event.key) {
    case 'ArrowRight': focus(out[0]); break;
    case 'ArrowLeft': focus(into[0]); break;
    case 'ArrowDown': all[(all.indexOf(element) + 1) % all.length].focus(); break;
    case 'ArrowUp': all[(all.indexOf(element) + all.length - 1) % all.length].focus(); break;
    case 'Enter': if (!box.isPort) open(box.name); break;
    case ' ': if (!box.isPort) select(element, box.name); break;
    case 'c': if (rack.mayEdit) chooseEnd(place.right, place.top, box.name); break;
    case 'b': if (rack.mayEdit && !box.isPort) toggleBypass(box.name); break;
    case 'Delete': case 'Backspace':
      if (rack.mayEdit && !box.isPort) rack.do('remove', { name: box.name });
      break;
    default: return;
  }
  event.preventDefault();
}

/** Connects boxes by dragging from one to another. */
function dragCables(drawing, boxes, viewport) {
  let from = null, line = null;
  const point = (event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  dragBoxes(drawing, boxes, point);
  const over = (event) =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest?.('.box')?.dataset.name;
  drawing.addEventListener('pointerdown', (event) => {
    const name = event.target.closest('.box')?.dataset.name;
    if (name && event.button === 0 && !moves(event)) from = boxes.get(name);
  });
  drawing.addEventListener('pointermove', (event) => {
    if (!from) return;
    if (viewport.isPinched) { end(event); return; }
    const at = point(event);
    if (!line) {
      if (Math.hypot(event.movementX, event.movementY) < 2) return;
      line = svg('path', { class: 'drag' });
      drawing.append(line);
      drawing.setPointerCapture(event.pointerId);
      const legal = new Set(legalEnds(from.name).map(nodeOf));
      for (const box of drawing.querySelectorAll('.box')) box.classList.toggle('legal', legal.has(box.dataset.name));
    }
    line.setAttribute('d', `M${from.x + from.width} ${from.y + from.height / 2}L${at.x} ${at.y}`);
  });
  const end = (event) => {
    const to = line && event.type === 'pointerup' ? over(event) : null;
    const source = from;
    line?.remove();
    for (const box of drawing.querySelectorAll('.legal')) box.classList.remove('legal');
    [from, line] = [null, null];
    if (!to || to === source.name) return;
    const names = legalEnds(source.name).filter((name) => nodeOf(name) === to);
    if (names.length === 1) connect(source.name, names[0]);
    else if (names.length) menu(event.clientX, event.clientY, names.map((name) => [name, () => connect(source.name, name)]));
    else say(`${to} does not take what ${source.name} sends`, true);
  };
  drawing.addEventListener('pointerup', end);
  drawing.addEventListener('pointercancel', end);
}

function drawTable(place, picture) {
  const all = ends();
  const options = (list) => [...new Set(list.map((end) => end.name))].map((name) => h('option', {}, name));
  const from = h('select', { 'aria-label': 'from' }, options(all.from));
  const to = h('select', { 'aria-label': 'to' });
  const filter = () => to.replaceChildren(...legalEnds(from.value).map((name) => h('option', {}, name)));
  from.addEventListener('change', filter);
  filter();
  const rows = picture.cables.filter((cable) => cable.chain).map((cable) => h('tr', {},
    h('td', {}, cable.from), h('td', {}, cable.to), h('td', {}, cable.part ? `${cable.kind}, ${cable.part}` : cable.kind),
    h('td', {}, rack.mayEdit ? h('div', { class: 'row' },
      h('button', { class: 'small', 'aria-label': `Insert a unit into ${cable.chain}`, onclick: () => insertInto(cable.chain) }, 'Insert'),
      h('button', { class: 'small', 'aria-label': `Cut ${cable.chain}`, onclick: () => cut(cable.chain) }, 'Cut')) : null)));
  place.replaceChildren(
    h('table', {}, h('thead', {}, h('tr', {}, ['From', 'To', 'Carries', 'Edit'].map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, rows)),
    rack.mayEdit ? h('p', { class: 'row' }, from, 'to', to,
      h('button', { onclick: () => connect(from.value, to.value) }, 'Connect')) : '');
}
