// Log: its entries, the newest first, and the times of units in the last late cycle.

import { h } from './dom.js';
import { rack } from './rack.js';

export function logView(place) {
  const blame = h('p');
  const list = h('ul', { class: 'list' });
  place.append(h('h2', {}, 'Log'), blame, list);
  const showLog = (log) => list.replaceChildren(...log.toReversed().map(({ time, text, isWarning }) =>
    h('li', { class: isWarning ? 'warn' : '' },
      h('span', { class: 'dim' }, `${new Date(time * 1000).toLocaleTimeString()}  `), isWarning ? '⚠ ' : '', text)));
  const showStatus = (status) => {
    const late = status?.lastXrun;
    const share = (part) => `${(part * 100).toFixed(0)} %`;
    blame.textContent = late
      ? `The last late cycle took ${share(late.share)} of its time: ${late.units.map((unit) => `${unit.name} ${share(unit.share)}`).join(', ')}`
        + (late.late.length ? `; no answer from ${late.late.join(', ')}` : '')
      : 'No cycle was late.';
  };
  showLog(rack.log);
  showStatus(rack.status);
  const ends = [rack.on('log', showLog), rack.on('status', showStatus)];
  return () => { for (const end of ends) end(); };
}
