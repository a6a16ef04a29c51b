// Stage: the song, the scenes, the tuner and the levels on one screen, readable from three metres.

import { h } from './dom.js';
import { rack } from './rack.js';
import { alarmLine } from './alarms.js';
import { keepAwake } from './awake.js';
import { Meters } from './meter.js';
import { tuner } from './tuner.js';
import { onGesture } from './backline.gesture.js';

/** Calls `action` at a press; of a finger after a moment or when it is lifted, at most once in 0.25 s. */
function pressed(element, action) {
  let last = -Infinity;
  const act = (event) => {
    if (event.timeStamp - last < 250) return;
    last = event.timeStamp;
    action();
  };
  onGesture(element, () => ({ take: act, tap: act }), { still: 24, held: 120, isSideways: false });
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    act(event);
  });
  return element;
}

/** The number of columns that gives tiles the best shape, with few empty places. */
function columns(count, width, height) {
  const shape = (across) => {
    const down = Math.ceil(count / across), tile = (width / across) / (height / down);
    return Math.abs(Math.log(tile / 1.2)) + 2 * (across * down - count) / count;
  };
  return Array.from({ length: count }, (_, index) => index + 1)
    .reduce((best, across) => (shape(across) < shape(best) ? across : best), 1);
}

/** The scenes as tiles that fill their place; each name is as large as its tile permits. */
function sceneTiles() {
  const names = rack.listing.scenes;
  const element = h('div', { class: 'scenes', role: 'group', 'aria-label': 'Scenes' });
  element.append(...names.map((name, index) => {
    const label = h('span', {}, name);
    // The mark of a change needs room, too.
    const words = `${name} *`.split(' ');
    label.style.setProperty('--letters', Math.max(4, ...words.map((word) => word.length)) + 1);
    label.style.setProperty('--lines', words.length - 1);
    const tile = h('button', { 'data-scene': name }, h('small', { 'aria-hidden': true }, index + 1), label);
    tile.style.setProperty('--kind', `var(--kind-${index % 6})`);
    return pressed(tile, () => rack.do('scene', { name }));
  }));
  if (!names.length) element.append(h('p', { class: 'dim' }, 'This rack has no scenes.'));
  const observer = new ResizeObserver(([{ contentRect: { width, height } }]) => {
    if (names.length && height) element.style.setProperty('--columns', columns(names.length, width, height));
  });
  observer.observe(element);
  const show = (state) => {
    for (const button of element.querySelectorAll('button')) {
      const isOn = button.dataset.scene === state.scene;
      button.setAttribute('aria-pressed', isOn);
      button.lastChild.textContent = button.dataset.scene + (isOn && state.isSceneChanged ? ' *' : '');
    }
  };
  show(rack.state);
  const end = rack.on('state', show);
  return { element, end: () => { observer.disconnect(); end(); } };
}

/** Says scenes and songs that others have chosen, a pedal or a page. */
function announcer() {
  const element = h('div', { class: 'unseen', 'aria-live': 'polite' });
  let { scene, song } = rack.state;
  const end = rack.on('state', (state) => {
    if (state.song !== song && state.song) element.textContent = state.song;
    else if (state.scene !== scene && state.scene) element.textContent = `scene ${state.scene}`;
    ({ scene, song } = state);
  });
  return { element, end };
}

export function stageView(place) {
  const number = h('div', { class: 'dim' }), song = h('h2', { class: 'song' }), next = h('div', { class: 'dim' });
  const clock = h('div', { class: 'clock' }), tempo = h('div', { class: 'dim' });
  const parts = [alarmLine(), sceneTiles(), announcer()], [alarms, scenes, voice] = parts;
  const strings = tuner(), meters = new Meters();
  const button = (text, command, attributes) => pressed(h('button', attributes, text), () => rack.do(command));
  const { songs } = rack.listing;
  place.append(h('div', { class: 'stage' }, alarms.element,
    h('div', { class: 'head' }, h('div', { class: 'title' }, number, song, next), h('div', { class: 'time' }, clock, tempo), strings?.element),
    scenes.element, voice.element,
    h('div', { class: 'foot' },
      songs?.length ? [button('‹ Back', 'previous', { 'aria-label': 'Previous song' }),
        button('Next ›', 'next', { class: 'next', 'aria-label': 'Next song' })] : null,
      button('Tap', 'tap'), meters.element, button('Panic', 'panic', { class: 'panic' }))));
  const showState = (state) => {
    song.textContent = state.song ?? rack.listing.rack;
    number.textContent = state.song ? `${songs.indexOf(state.song) + 1} of ${songs.length}` : '';
    next.textContent = state.nextSong ? `next: ${state.nextSong}${state.isNextSongReady ? '' : ' (loading)'}` : '';
  };
  const showTime = () => {
    clock.textContent = new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    tempo.textContent = rack.status ? `${rack.status.tempo.toFixed(0)} bpm` : '';
  };
  showState(rack.state);
  showTime();
  const ends = [
    rack.on('state', showState), rack.on('status', showTime),
    rack.on('meters', ({ outputs }) => meters.show(outputs)),
    keepAwake(), () => meters.end(), () => strings?.end(), ...parts.map((part) => part.end),
  ];
  return () => { for (const end of ends) end(); };
}
