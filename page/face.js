// A unit's own view: in a frame of its own origin, which has the unit by one message port and nothing else
// of this page. A view that hangs, fails or floods is removed, with the reason.

import { h } from './dom.js';
import { link } from './link.js';
import { rack } from './rack.js';
import { units } from './catalogue.js';

const MOST_MESSAGES = 200; // a second
const PATIENCE = 3000; // ms

/** The folder of a unit's view on the server; null where it has none. */
async function folderOf(unit) {
  const folder = `/v/${link.views}/${unit.unit.replaceAll('/', '-')}/`;
  const answer = await fetch(`${folder}index.html`, { method: 'HEAD' }).catch(() => null);
  return answer?.ok ? folder : null;
}

/** Shows the view of a unit in `place`, where it has one; returns the function that ends it. */
export function showFace(unit, place) {
  const ends = [];
  let isOver = false;
  const end = () => { isOver = true; for (const each of ends.splice(0)) each(); };
  folderOf(unit).then((folder) => { if (folder && !isOver) open(folder); });

  function open(folder) {
    const frame = h('iframe', { class: 'face', sandbox: 'allow-scripts', title: `${unit.title}: its own view`, src: `${folder}index.html` });
    const channel = new MessageChannel();
    const { port1: port } = channel;
    let heard = performance.now(), count = 0;
    const fail = (reason) => {
      for (const each of ends.splice(0)) each();
      place.replaceChildren(h('p', { class: 'row warn', role: 'alert' }, `The unit's own view was removed: ${reason}.`,
        h('button', { onclick: () => { place.replaceChildren(); open(folder); } }, 'Show it again')));
    };
    const path = (keyPath) => `${unit.name}.${keyPath}`;
    const own = (keyPath) => unit.parameters.some((parameter) => parameter.parameter === path(keyPath));
    port.onmessage = ({ data }) => {
      heard = performance.now();
      count += 1;
      if (count > MOST_MESSAGES) { fail('it sent more than 200 messages a second'); return; }
      switch (data?.type) {
        case 'set': if (own(data.keyPath) && Number.isFinite(data.value)) rack.set(path(data.keyPath), data.value); break;
        case 'touch': if (own(data.keyPath)) rack.touch(path(data.keyPath)); break;
        case 'release': if (own(data.keyPath)) rack.release(path(data.keyPath)); break;
        case 'preset': if (typeof data.name === 'string') rack.do('preset', { name: unit.name, preset: data.name }); break;
        case 'error': fail(String(data.reason).slice(0, 200)); break;
      }
    };
    const keyPath = (parameter) => parameter.parameter.slice(unit.name.length + 1);
    const sendUnit = async () => port.postMessage({
      type: 'unit', name: unit.name, component: unit.unit, preset: unit.preset ?? null,
      presets: (await units().catch(() => [])).find((entry) => entry.unit === unit.unit)?.presets ?? [],
      parameters: unit.parameters.map((parameter) => ({ ...parameter, keyPath: keyPath(parameter) })),
    });
    frame.addEventListener('load', () => {
      heard = performance.now();
      frame.contentWindow.postMessage('backline', '*', [channel.port2]);
      sendUnit();
      const size = () => port.postMessage({
        type: 'configuration', configuration: { width: frame.clientWidth, height: frame.clientHeight, hostHasController: true },
      });
      size();
    }, { once: true });
    const timer = setInterval(() => {
      count = 0;
      port.postMessage({ type: 'ping' });
      if (!document.hidden && performance.now() - heard > PATIENCE) fail('it does not answer');
    }, 1000);
    ends.push(
      () => clearInterval(timer), () => port.close(), () => frame.remove(),
      ...unit.parameters.map((parameter) => rack.on(parameter.parameter, ({ value, text }) =>
        port.postMessage({ type: 'value', keyPath: keyPath(parameter), value, text }))),
      rack.on('meters', ({ units }) => {
        const levels = units.find((meter) => meter.name === unit.name);
        if (levels && !document.hidden) port.postMessage({ type: 'levels', levels: { peak: levels.peak, rms: levels.rms } });
      }),
      rack.on('status', ({ units }) => {
        const state = units.find((one) => one.name === unit.name)?.process?.state;
        const isGone = state !== undefined && state !== 'running';
        if (isGone !== frame.inert) {
          frame.inert = isGone;
          if (isGone) port.postMessage({ type: 'gone' }); else sendUnit();
        }
      }));
    place.append(frame);
  }
  return end;
}
