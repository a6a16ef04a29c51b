// The view of a unit, in a frame of its own origin with one message port to the unit. A view that hangs, fails or
// floods is removed, with the reason. The view of a unit without a process is hidden.

import { h, say } from './dom.js';
import { link } from './link.js';
import { rack } from './rack.js';
import { units } from './catalogue.js';

const MOST_MESSAGES = 200; // a second
const MOST_SIGNALS = 32;
const MOST_WAITING = 8; // requests without an answer
const MOST_PINGS = 3; // without an answer, a second apart
/** The configurations offered to a view, as by Apple's hosts; with `hostHasController` the page shows a keyboard. */
export const CONFIGURATIONS = [
  { name: 'Compact', width: 400, height: 100, hostHasController: false },
  { name: 'Expanded', width: 800, height: 420, hostHasController: false },
  { name: 'Stage', width: 1180, height: 600, hostHasController: true },
];

/** Returns the folder of a unit's view on the server; null without a view. */
async function folderOf(unit) {
  const folder = `/v/${link.views}/${unit.unit.replaceAll('/', '-')}/`;
  const answer = await fetch(`${folder}index.html`, { method: 'HEAD' }).catch(() => null);
  return answer?.ok ? folder : null;
}

/**
 * Shows the view of a unit, if it has one, in the element `place`; returns the function that ends the view.
 * `offer` gets the indices of the configurations that the view supports, and the function that selects one.
 */
export function showFace(unit, place, offer) {
  let isOver = false, frame = null;
  folderOf(unit).then((folder) => { if (folder && !isOver) open(folder); });

  function open(folder) {
    frame = new Frame(unit, folder, place, offer, (reason) => {
      place.replaceChildren(h('p', { class: 'row warn', role: 'alert' }, `The unit's own view was removed: ${reason}.`,
        h('button', { onclick: () => { place.replaceChildren(); open(folder); } }, 'Show it again')));
    });
  }
  return () => { isOver = true; frame?.end(); };
}

class Frame {
  #unit;
  #port;
  #ends = [];
  #watched = new Map();
  /** The parameters that the view holds. */
  #held = new Set();
  #waiting = 0;
  /** The number of unanswered pings; negative while the view loads, for which it has ten seconds. */
  #unanswered = MOST_PINGS - 10;
  #count = 0;
  #fail;

  constructor(unit, folder, place, offer, failed) {
    this.#unit = unit;
    this.#fail = (reason) => { this.end(); failed(reason); };
    const frame = h('iframe', { class: 'face', sandbox: 'allow-scripts', title: `${unit.title}: its own view`, src: `${folder}index.html` });
    const away = h('p', { class: 'warn', role: 'status', hidden: true }, 'The unit’s process is away: its own view comes back with it.');
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#port.onmessage = ({ data }) => this.#receive(data);
    const select = (index) => {
      const configuration = CONFIGURATIONS[index];
      frame.dataset.configuration = configuration.name;
      this.#port.postMessage({ type: 'configuration', index, configuration: { ...configuration, width: frame.clientWidth, height: frame.clientHeight } });
    };
    this.supported = (indices) => offer(indices, select);
    frame.addEventListener('load', () => {
      this.#unanswered = 0;
      frame.contentWindow.postMessage('backline', '*', [channel.port2]);
      this.#sendUnit();
      this.#port.postMessage({ type: 'configurations', available: CONFIGURATIONS });
    }, { once: true });
    const timer = setInterval(() => {
      if (this.#unanswered >= MOST_PINGS) { this.#fail('it does not answer'); return; }
      this.#count = 0;
      this.#unanswered += 1;
      this.#port.postMessage({ type: 'ping' });
    }, 1000);
    this.#ends.push(
      () => clearInterval(timer), () => this.#port.close(), () => frame.remove(), () => away.remove(),
      ...unit.parameters.map((parameter) => rack.on(parameter.parameter, ({ value, text }) =>
        this.#port.postMessage({ type: 'value', keyPath: this.#keyPath(parameter), value, text }))),
      rack.on('status', ({ units: all }) => {
        const state = all.find((one) => one.name === unit.name)?.process?.state;
        const isAway = state !== undefined && state !== 'running';
        if (isAway === frame.hidden) return;
        [frame.hidden, away.hidden] = [isAway, !isAway];
        if (isAway) this.#port.postMessage({ type: 'gone' }); else this.#sendUnit();
      }));
    place.append(frame, away);
  }

  end() {
    for (const end of [...this.#ends.splice(0), ...this.#watched.values()]) end();
    this.#watched.clear();
    for (const path of this.#held) rack.release(path);
    this.#held.clear();
  }

  #path(keyPath) { return `${this.#unit.name}.${keyPath}`; }
  #keyPath(parameter) { return parameter.parameter.slice(this.#unit.name.length + 1); }
  #has(keyPath) { return this.#unit.parameters.some((parameter) => parameter.parameter === this.#path(keyPath)); }

  async #sendUnit() {
    const unit = this.#unit;
    const entry = (await units().catch(() => [])).find((one) => one.unit === unit.unit);
    this.#port.postMessage({
      type: 'unit', name: unit.name, component: unit.unit, preset: unit.preset ?? null, presets: entry?.presets ?? [],
      parameters: unit.parameters.map((parameter) => ({ ...parameter, keyPath: this.#keyPath(parameter) })),
    });
  }

  #receive(message) {
    this.#unanswered = 0;
    this.#count += 1;
    if (this.#count > MOST_MESSAGES) { this.#fail('it sent more than 200 messages a second'); return; }
    const { keyPath, value, name } = message ?? {};
    switch (message?.type) {
      case 'set': if (this.#has(keyPath) && Number.isFinite(value)) rack.set(this.#path(keyPath), value); break;
      case 'touch': if (this.#has(keyPath)) { this.#held.add(this.#path(keyPath)); rack.touch(this.#path(keyPath)); } break;
      case 'release': if (this.#held.delete(this.#path(keyPath))) rack.release(this.#path(keyPath)); break;
      case 'preset': if (typeof name === 'string') this.#loadPreset(name); break;
      case 'watch': if (Array.isArray(message.signals)) this.#watch(message.signals.slice(0, MOST_SIGNALS).map(String)); break;
      case 'message': this.#pass(message); break;
      case 'supported': this.supported(CONFIGURATIONS.map((_, index) => index).filter((index) => message.indices?.includes(index))); break;
      case 'error': this.#fail(String(message.reason).slice(0, 200)); break;
    }
  }

  #watch(signals) {
    const send = (signal) => (reading) => this.#port.postMessage({ type: 'telemetry', signal, reading });
    for (const [signal, end] of this.#watched) {
      if (signals.includes(signal)) continue;
      end();
      this.#watched.delete(signal);
    }
    for (const signal of signals) {
      if (this.#watched.has(signal) || (signal !== 'levels' && !this.#unit.signals.includes(signal))) continue;
      const follow = send(signal);
      this.#watched.set(signal, signal === 'levels'
        ? rack.on('meters', ({ units: all }) => {
          const levels = all.find((meter) => meter.name === this.#unit.name);
          if (levels && !document.hidden) follow({ peak: levels.peak, rms: levels.rms });
        })
        : rack.watch(`${this.#unit.name}.${signal}`, follow));
    }
  }

  async #ask(request) {
    if (this.#waiting >= MOST_WAITING) throw new Error(`${MOST_WAITING} requests of the view wait for an answer`);
    this.#waiting += 1;
    try { return await request(); } finally { this.#waiting -= 1; }
  }

  #loadPreset(name) {
    this.#ask(() => rack.do('preset', { name: this.#unit.name, preset: name })).catch((error) => say(error.message, true));
  }

  async #pass({ id, channel, text }) {
    const answer = { type: 'reply', id };
    try {
      answer.reply = await this.#ask(() => link.ask('message', { unit: this.#unit.name, channel: String(channel), message: String(text) }));
    } catch (error) { answer.error = error.message; }
    this.#port.postMessage(answer);
  }
}
