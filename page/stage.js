// Stage: the song, the next song, the scenes and the levels, readable from three metres.

import { h } from './dom.js';
import { rack } from './rack.js';
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

export function stageView(place) {
  const song = h('h2', { class: 'song' }), next = h('div', { class: 'next' }), clock = h('div', { class: 'clock' });
  const scenes = h('div', { class: 'scenes', role: 'group', 'aria-label': 'Scenes' });
  const meters = new Meters();
  const strings = tuner();
  const button = (text, command) => pressed(h('button', {}, text), () => rack.do(command));
  const foot = h('div', { class: 'foot row' });
  place.append(h('div', { class: 'stage' },
    h('div', { class: 'row spread' }, h('div', {}, song, next), clock),
    scenes, h('div', {}, strings?.element, meters.element, foot)));
  const { listing } = rack;
  scenes.append(...listing.scenes.map((name) =>
    pressed(h('button', { 'data-scene': name }, h('span', {}, name)), () => rack.do('scene', { name }))));
  // Makes the longest name, with the mark of a change, fit its button.
  scenes.style.setProperty('--letters', Math.max(6, ...listing.scenes.map((name) => name.length + 1)));
  if (!listing.scenes.length) scenes.append(h('p', { class: 'dim' }, 'This rack has no scenes.'));
  if (listing.songs?.length) foot.append(button('Previous song', 'previous'), button('Next song', 'next'));
  foot.append(button('Tap', 'tap'), pressed(h('button', { class: 'panic' }, 'Panic'), () => rack.do('panic')));

  const showState = (state) => {
    song.textContent = state.song ?? listing.rack;
    next.textContent = state.nextSong ? `next: ${state.nextSong}${state.isNextSongReady ? '' : ' (loading)'}` : '';
    for (const element of scenes.querySelectorAll('button')) {
      const isOn = element.dataset.scene === state.scene;
      element.setAttribute('aria-pressed', isOn);
      element.firstChild.textContent = element.dataset.scene + (isOn && state.isSceneChanged ? ' *' : '');
    }
  };
  const showTime = () => {
    const tempo = rack.status ? ` · ${rack.status.tempo.toFixed(0)} bpm` : '';
    clock.textContent = new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) + tempo;
  };
  showState(rack.state);
  showTime();
  const ends = [
    rack.on('state', showState), rack.on('status', showTime),
    rack.on('meters', ({ inputs, outputs }) => meters.show([...inputs, ...outputs])),
    keepAwake(), () => meters.end(), () => strings?.end(),
  ];
  return () => { for (const end of ends) end(); };
}

/** Keeps the screen on if the browser permits that: over HTTPS and on this machine. */
function keepAwake() {
  let lock = null, isOver = false;
  const ask = async () => {
    try { lock = await navigator.wakeLock?.request('screen'); } catch { /* not allowed */ }
    if (isOver) lock?.release();
  };
  const again = () => { if (!document.hidden) ask(); };
  ask();
  document.addEventListener('visibilitychange', again);
  return () => { isOver = true; lock?.release(); document.removeEventListener('visibilitychange', again); };
}
