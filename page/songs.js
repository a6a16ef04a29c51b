// Set list: the songs, in order.

import { h } from './dom.js';
import { rack } from './rack.js';

export function setListView(place) {
  const { songs, refusedSong } = rack.listing;
  place.append(h('h2', {}, 'Set list'));
  if (!songs?.length) {
    place.append(h('p', { class: 'dim' }, 'No set list is running: backline run SETLIST'));
    return () => {};
  }
  const list = h('ol', { class: 'list' });
  place.append(
    h('div', { class: 'row' }, h('button', { onclick: () => rack.do('previous') }, 'Previous'),
      h('button', { onclick: () => rack.do('next') }, 'Next')), h('p'), list);
  const show = (state) => list.replaceChildren(...songs.map((name, index) => h('li', {}, h('button', {
    'aria-pressed': name === state.song, onclick: () => rack.do('song', { name }),
  }, `${index + 1}. ${name}`,
  name === refusedSong ? ' (cannot be played)' : name === state.nextSong ? (state.isNextSongReady ? ' (next, ready)' : ' (next)') : ''))));
  show(rack.state);
  return rack.on('state', show);
}
