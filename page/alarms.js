// What endangers the show: no JACK server, a unit without its process, xruns since the song began.

import { h } from './dom.js';
import { rack } from './rack.js';

const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;

/** Returns the alarms as sentences, the worst first. */
function alarms(status, xruns) {
  if (!status) return [];
  const dead = status.units.filter(({ process }) => process && process.state !== 'running');
  return [
    status.serverIsAway && 'No JACK server: the rack is silent',
    ...dead.map(({ name, process }) => (process.state === 'given up'
      ? `${name} has died and stays bypassed` : `${name} has died and starts again`)),
    xruns > 0 && `${count(xruns, 'xrun', 'xruns')} in this song`,
  ].filter(Boolean);
}

/** Returns the line of the stage with the alarms, and the function that ends it. A press clears the xruns. */
export function alarmLine() {
  const words = h('button', { onclick: () => clear() });
  const element = h('div', { class: 'alarms', role: 'alert', hidden: true }, words);
  // The xruns before the first status are not this song's.
  let song = rack.state.song, from = rack.status?.xruns;
  const show = () => {
    from ??= rack.status?.xruns;
    const text = alarms(rack.status, (rack.status?.xruns ?? 0) - (from ?? 0)).join(' · ');
    if (words.textContent !== text) words.textContent = text;
    element.hidden = words.hidden = !text;
  };
  const clear = () => { from = rack.status?.xruns; show(); };
  const ends = [
    rack.on('status', show),
    rack.on('state', (state) => { if (state.song !== song) { song = state.song; clear(); } }),
  ];
  show();
  return { element, end: () => { for (const end of ends) end(); } };
}
