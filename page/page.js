// The page: its bar, its views, and the message after the rack is lost.

import { h, say } from './dom.js';
import { link } from './link.js';
import { rack } from './rack.js';
import { stageView } from './stage.js';
import { graphView } from './graph.js';
import { unitView } from './unit.js';
import { libraryView } from './library.js';
import { keyboardView } from './keyboard.js';
import { setListView } from './songs.js';
import { logView } from './log.js';
import { devicesView } from './devices.js';

/** The views. Each function builds a view in an element and returns the function that ends it. */
const VIEWS = [
  ['stage', 'Stage', stageView, true], ['rack', 'Rack', graphView, false],
  ['library', 'Library', libraryView, false], ['keyboard', 'Keyboard', keyboardView, true],
  ['set', 'Set list', setListView, true], ['log', 'Log', logView, true],
  ['devices', 'Devices', devicesView, false],
];

const place = document.getElementById('view');
let end = () => {};
let shown = '';

function showView() {
  if (!rack.listing) return;
  let [, name, rest] = location.hash.split('/');
  const isKnown = VIEWS.some(([word, , , onStage]) => word === name && (rack.mayEdit || onStage));
  if (!isKnown && !(name === 'unit' && rack.mayEdit)) name = rack.mayEdit ? 'rack' : 'stage';
  const isNew = shown !== location.hash;
  const { activeElement: focused } = document;
  const label = focused.dataset?.name ?? focused.getAttribute('aria-label');
  const number = isNew ? -1 : controls().indexOf(focused);
  const { scrollTop } = place;
  shown = location.hash;
  end();
  place.replaceChildren();
  const view = VIEWS.find(([word]) => word === name);
  end = view ? view[2](place) : unitView(place, decodeURIComponent(rest ?? ''));
  for (const anchor of document.querySelectorAll('#views a')) {
    const isHere = anchor.dataset.view === (view ? name : 'rack');
    if (isHere) anchor.setAttribute('aria-current', 'page'); else anchor.removeAttribute('aria-current');
  }
  document.title = `${rack.listing.rack} — ${view ? view[1] : decodeURIComponent(rest ?? '')}`;
  if (isNew && !place.contains(document.activeElement)) place.focus({ preventScroll: true });
  if (!isNew) place.scrollTop = scrollTop;
  if (number >= 0) focusAgain(label, number);
}

const controls = () => [...place.querySelectorAll('a, button, input, select, [tabindex="0"]')];

/** Restores the focus after a view was built again, parts of which may appear later. */
function focusAgain(label, number) {
  const find = () => {
    if (place.contains(document.activeElement)) return true;
    const text = CSS.escape(label ?? '');
    const element = label && place.querySelector(`[data-name="${text}"], [aria-label="${text}"]`);
    element?.focus({ preventScroll: true });
    return Boolean(element);
  };
  if (find()) return;
  const observer = new MutationObserver(() => { if (find()) observer.disconnect(); });
  observer.observe(place, { childList: true, subtree: true });
  setTimeout(() => {
    observer.disconnect();
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) (controls()[number] ?? place).focus({ preventScroll: true });
  }, 500);
}

function buildBar() {
  const tool = (text, label, action, attributes) =>
    h('button', { 'aria-label': label, title: label, onclick: action, ...attributes }, text);
  const undo = tool('Undo', 'Undo', () => rack.do('undo'));
  const redo = tool('Redo', 'Redo', () => rack.do('redo'));
  const save = tool('Save', 'Save the rack', () => rack.do('save'));
  const record = tool('Record', 'Record the outputs', () =>
    rack.do('record', { action: rack.status?.recording ? 'stop' : 'start' }));
  const panic = tool('Panic', 'Panic: end all notes', () => rack.do('panic'), { class: 'panic' });
  const tools = document.getElementById('tools');
  tools.replaceChildren(...(rack.mayEdit ? [undo, redo, save, record, panic] : [panic]));
  rack.on('state', (state) => {
    const wasUndo = document.activeElement === undo, wasRedo = document.activeElement === redo;
    undo.disabled = !state.undo;
    redo.disabled = !state.redo;
    if (wasUndo && undo.disabled) redo.focus();
    if (wasRedo && redo.disabled) undo.focus();
    undo.title = state.undo ? `Undo: ${state.undo}` : 'There is nothing to undo';
    redo.title = state.redo ? `Redo: ${state.redo}` : 'There is nothing to redo';
    save.textContent = state.isSaved ? 'Save' : 'Save •';
    save.setAttribute('aria-label', state.isSaved ? 'Save the rack: all is saved' : 'Save the rack: there are changes');
  });
  const load = h('span'), xruns = h('span'), rate = h('span');
  document.getElementById('health').replaceChildren(load, xruns, rate);
  rack.on('status', (status) => {
    record.setAttribute('aria-pressed', Boolean(status.recording));
    record.title = status.recording ? `Stop recording ${status.recording.file}` : 'Record the outputs';
    load.textContent = `load ${status.load.toFixed(0)} %`;
    load.className = status.load > 80 ? 'bad' : status.load > 60 ? 'warn' : '';
    xruns.textContent = `xruns ${status.xruns}`;
    xruns.className = status.xruns > 0 ? 'warn' : '';
    rate.textContent = status.serverIsAway ? 'no JACK server'
      : `${status.sampleRate / 1000} kHz, ${status.bufferSize} frames`;
  });
  document.getElementById('views').replaceChildren(
    ...VIEWS.filter(([, , , onStage]) => rack.mayEdit || onStage).map(([name, text]) =>
      h('a', { href: `#/${name}`, 'data-view': name }, text)));
}

let hasBar = false;
rack.on('listing', (listing) => {
  document.getElementById('rack').textContent = listing.rack;
  if (!hasBar) { buildBar(); hasBar = true; }
  showView();
});
rack.on('open', () => {
  document.body.classList.remove('lost');
  document.getElementById('lost').hidden = true;
});
rack.on('lost', (reason) => {
  const banner = document.getElementById('lost');
  banner.textContent = `NOT CONNECTED: ${reason}`;
  banner.hidden = false;
  document.body.classList.add('lost');
});
const learn = document.getElementById('learn');
const cancelLearning = () => rack.do('learn', {}, true);
rack.on('learning', ({ to, done, error }) => {
  learn.hidden = Boolean(done ?? error);
  if (learn.hidden) say(done ?? `${to}: ${error}`, Boolean(error) && error !== 'cancelled');
  else {
    say(`${to}: move a MIDI control`);
    learn.replaceChildren(`Learning ${to}: move a MIDI control`,
      rack.mayEdit ? h('button', { onclick: cancelLearning }, 'Cancel') : '');
  }
});
rack.on('lost', () => { learn.hidden = true; });
addEventListener('hashchange', () => { if (link.isOpen) showView(); });
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !learn.hidden && rack.mayEdit && !event.defaultPrevented) cancelLearning();
  if (event.target.closest?.('input, select, textarea')) return;
  if ((event.ctrlKey || event.metaKey) && event.key === 'z') {
    event.preventDefault();
    rack.do(event.shiftKey ? 'redo' : 'undo');
  } else if (event.key === '/' && rack.mayEdit && !event.ctrlKey) {
    event.preventDefault();
    location.hash = '#/library';
  }
});
rack.start();
