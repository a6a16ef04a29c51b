// The rack as this page knows it. Views follow its topics: rack.on('state', show) returns a function
// that ends it.

import { link } from './link.js';
import { say } from './dom.js';

class Rack {
  listing = null;
  /** The parameters by path: `echo.mix`. */
  parameters = new Map();
  state = {};
  status = null;
  meters = null;
  log = [];
  #topics = new Map();
  /** The number of followers of each watched signal: `echo.output.spectrum`. */
  #watched = new Map();
  #isWatchAsked = false;
  #hasSubscribed = false;
  /** The values to set by path, of each of which one request is pending. */
  #flights = new Map();

  get mayEdit() { return link.role === 'edit'; }

  on(topic, follow) {
    if (!this.#topics.has(topic)) this.#topics.set(topic, new Set());
    this.#topics.get(topic).add(follow);
    return () => this.#topics.get(topic).delete(follow);
  }

  #tell(topic, value) { for (const follow of [...this.#topics.get(topic) ?? []]) follow(value); }

  start() {
    link.addEventListener('open', () => this.#open());
    link.addEventListener('lost', ({ detail }) => this.#tell('lost', detail));
    link.addEventListener('status', ({ detail }) => { this.status = detail; this.#tell('status', detail); });
    link.addEventListener('event', ({ detail }) => this.#receive(detail));
    document.addEventListener('visibilitychange', () => this.#watch());
    link.start();
  }

  async #open() {
    this.#flights.clear();
    this.#hasSubscribed = false;
    try {
      await link.ask('subscribe', { meters: 25 });
      this.#hasSubscribed = true;
      this.log = await link.ask('log');
      await this.#list();
      this.#watch();
      this.#tell('open');
      this.#tell('log', this.log);
    } catch (error) { if (link.isOpen) say(error.message, true); }
  }

  async #list() {
    const listing = await link.ask('list');
    this.listing = listing;
    this.parameters.clear();
    for (const unit of listing.units) {
      for (const parameter of unit.parameters) {
        parameter.revision = listing.revision;
        this.parameters.set(parameter.parameter, parameter);
      }
    }
    this.state = listing.state;
    this.#tell('listing', listing);
    this.#tell('state', this.state);
  }

  #receive(event) {
    switch (event.event) {
      case 'values': for (const reading of event.values) this.#note(reading); break;
      case 'rack': this.#list().catch(() => {}); break;
      case 'layout': this.#tell('layout', event.layout); break;
      case 'state': this.state = event.state; this.#tell('state', event.state); break;
      case 'meters': this.meters = event.meters; this.#tell('meters', event.meters); break;
      case 'learning': this.#tell('learning', event.learning); break;
      case 'telemetry':
        for (const reading of event.telemetry) this.#tell(`signal ${reading.unit}.${reading.signal}`, reading);
        break;
      case 'log':
        this.log = [...this.log, ...event.log].slice(-500);
        this.#tell('log', this.log);
        break;
    }
  }

  /** Applies a received reading; while a value of this page is pending, keeps only the newest. */
  #note(reading) {
    const flight = this.#flights.get(reading.parameter);
    if (flight) flight.other = reading;
    else this.#show(reading);
  }

  #show(reading) {
    const parameter = this.parameters.get(reading.parameter);
    if (!parameter || reading.revision < parameter.revision) return;
    Object.assign(parameter, reading);
    this.#tell(reading.parameter, parameter);
  }

  /** Follows a signal of a unit, such as `echo.output.spectrum`; returns the function that ends it. */
  watch(signal, follow) {
    // A parameter can have the same name.
    const end = this.on(`signal ${signal}`, follow);
    this.#watched.set(signal, (this.#watched.get(signal) ?? 0) + 1);
    this.#watch();
    return () => {
      end();
      this.#watched.set(signal, this.#watched.get(signal) - 1);
      if (!this.#watched.get(signal)) this.#watched.delete(signal);
      this.#watch();
    };
  }

  /** Requests the followed signals; none while the page is hidden. */
  #watch() {
    if (this.#isWatchAsked || !link.isOpen || !this.#hasSubscribed) return;
    this.#isWatchAsked = true;
    queueMicrotask(() => {
      this.#isWatchAsked = false;
      const signals = document.hidden ? '' : [...this.#watched.keys()].join(' ');
      link.ask('watch', { signals }).catch((error) => { if (link.isOpen) say(error.message, true); });
    });
  }

  unit(name) { return this.listing?.units.find((unit) => unit.name === name); }

  /** Sets a parameter to a number. One request is pending at a time; of later values only the last is sent. */
  set(path, value) {
    const parameter = this.parameters.get(path);
    if (parameter) {
      parameter.value = value;
      this.#tell(path, parameter);
    }
    const flight = this.#flights.get(path);
    if (flight) { flight.next = value; return; }
    const own = { next: value };
    this.#flights.set(path, own);
    own.landed = this.#fly(path, own);
  }

  async #fly(path, own) {
    let reading;
    try {
      while (own.next !== undefined) {
        const next = own.next;
        delete own.next;
        reading = (await link.ask('set', { parameter: path, value: next })).value;
      }
    } catch (error) {
      if (link.isOpen) {
        say(error.message, true);
        reading = await link.ask('get', { parameter: path }).catch(() => undefined);
      }
    }
    if (this.#flights.get(path) === own) this.#flights.delete(path);
    const other = own.other;
    const newest = other && (!reading || other.revision > reading.revision) ? other : reading;
    if (newest) this.#show(newest);
  }

  async touch(path) { link.ask('touch', { parameter: path }).catch(() => {}); }

  /** Releases a parameter after its last value was set, so that one drag is one step to undo. */
  async release(path) {
    await this.#flights.get(path)?.landed;
    try { this.#note((await link.ask('release', { parameter: path })).value); } catch { /* gone */ }
  }

  /** Carries out a command and shows its result, or the error. */
  async do(command, members = {}, isQuiet = false) {
    try {
      const result = await link.ask(command, members);
      if (!isQuiet && result?.done) say(result.done);
      return result;
    } catch (error) {
      say(error.message, true);
      return null;
    }
  }
}

export const rack = new Rack();
