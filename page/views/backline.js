// The interface of a unit's view to its host: `backline.audioUnit` is a promise of the unit, with the names of
// Apple's frameworks. View and unit may be ready in either order.

(() => {
  let port = null;
  let unit = null;
  let accept;
  const audioUnit = new Promise((resolve) => { accept = resolve; });
  const observers = new Map();
  let lastToken = 0;
  const observe = (kind, follow, keyPath) => {
    lastToken += 1;
    observers.set(lastToken, { kind, follow, keyPath });
    return lastToken;
  };
  const tell = (kind, ...values) => {
    for (const one of [...observers.values()]) if (one.kind === kind) one.follow(...values);
  };
  /** The messages of the view before its host is ready. */
  const waiting = [];
  const send = (message) => (port ? port.postMessage(message) : waiting.push(message));

  class Parameter {
    constructor(facts) { Object.assign(this, facts); }

    /** Sets the value, in the parameter's unit. The observer with the token `originator` is not called. */
    setValue(value, { originator, eventType = 'value' } = {}) {
      if (!this.isWritable || !Number.isFinite(value)) return;
      const former = this.value, held = Math.min(Math.max(value, this.minimum), this.maximum);
      this.value = this.isWhole ? Math.round(held) : held;
      if (eventType === 'touch') send({ type: 'touch', keyPath: this.keyPath });
      // A touch or a release without a move sets nothing, as a pedal may move the parameter meanwhile.
      if (eventType === 'value' || this.value !== former) later(this);
      if (eventType === 'release') {
        flush();
        send({ type: 'release', keyPath: this.keyPath });
      }
      changed(this, originator);
    }
  }

  /** Parameters whose values wait to be sent, 50 times a second: screens draw up to 144 times, and the page
      takes 200 messages a second. */
  const moved = new Set();
  function later(parameter) {
    if (!moved.size) setTimeout(flush, 20);
    moved.add(parameter);
  }
  function flush() {
    for (const { keyPath, value } of moved) send({ type: 'set', keyPath, value });
    moved.clear();
  }

  function changed(parameter, originator) {
    for (const [token, one] of [...observers]) {
      if (one.kind !== 'parameter' || token === originator) continue;
      if (!one.keyPath || one.keyPath === parameter.keyPath) one.follow(parameter, parameter.value);
    }
  }

  const replies = new Map();

  /** Sends the followed signals to the host. */
  function watch() {
    const followed = [...observers.values()].filter((one) => one.kind === 'telemetry').map((one) => one.keyPath);
    send({ type: 'watch', signals: [...new Set(followed)] });
  }

  class AudioUnit {
    parameters = new Map();
    name = '';
    component = '';
    presets = [];
    currentPreset = null;
    configuration = { name: 'Expanded', width: 800, height: 420, hostHasController: false };
    /** A function, which the view may set, that returns the indices of the offered configurations it supports. */
    supportedViewConfigurations = (available) => available.map((_, index) => index);

    parameterTree = {
      allParameters: () => [...this.parameters.values()],
      parameter: (keyPath) => this.parameters.get(keyPath),
      /** Calls `follow(parameter, value)` after each change, of one parameter or of all; returns a token. */
      addParameterObserver: (follow, keyPath) => observe('parameter', follow, keyPath),
      removeParameterObserver: (token) => observers.delete(token),
    };

    telemetry = {
      /**
       * Calls `follow(reading)` up to 30 times a second; returns a token. `levels`: `{ peak, rms }` of the
       * output, linear. `input` or `output` with `.spectrum`: `{ bands }` in dB, from 20 Hz to 20 kHz;
       * `.scope`: `{ duration, left, right, isTriggered }`; `.tuner`: `{ frequency, note, cents, clarity }`.
       * For a telemetry array of the unit: `{ values }`.
       */
      subscribe: (signal, follow) => {
        const token = observe('telemetry', follow, signal);
        watch();
        return token;
      },
      unsubscribe: (token) => { observers.delete(token); watch(); },
    };

    /** Returns a channel to the unit's code: `await channel.callAudioUnit('text')` is its reply. */
    messageChannel(name) {
      return {
        callAudioUnit: (text) => new Promise((resolve, reject) => {
          lastToken += 1;
          replies.set(lastToken, { resolve, reject });
          send({ type: 'message', id: lastToken, channel: name, text });
        }),
      };
    }

    selectPreset(name) { send({ type: 'preset', name }); }

    /** Calls `follow(configuration)` when the host selects another size. */
    onSelectViewConfiguration(follow) { return observe('configuration', follow); }
    /** Calls `follow(isThere)` when the unit disappears or is back. */
    onPresence(follow) { return observe('presence', follow); }
  }

  function receive({ data }) {
    switch (data.type) {
      case 'unit': {
        const isBack = unit !== null;
        unit ??= new AudioUnit();
        Object.assign(unit, { name: data.name, component: data.component, presets: data.presets, currentPreset: data.preset });
        for (const facts of data.parameters) {
          const known = unit.parameters.get(facts.keyPath);
          if (known) Object.assign(known, facts);
          else unit.parameters.set(facts.keyPath, new Parameter(facts));
        }
        if (!isBack) accept(unit);
        tell('presence', true);
        if (isBack) for (const parameter of unit.parameters.values()) changed(parameter);
        break;
      }
      case 'gone': tell('presence', false); break;
      case 'value': {
        const parameter = unit?.parameters.get(data.keyPath);
        if (!parameter) break;
        Object.assign(parameter, { value: data.value, text: data.text });
        changed(parameter);
        break;
      }
      case 'telemetry': {
        const { scope, tuner } = data.reading;
        for (const one of [...observers.values()]) {
          if (one.kind === 'telemetry' && one.keyPath === data.signal) one.follow(scope ?? tuner ?? data.reading);
        }
        break;
      }
      case 'reply': {
        const waiter = replies.get(data.id);
        replies.delete(data.id);
        if (data.error === undefined) waiter?.resolve(data.reply); else waiter?.reject(new Error(data.error));
        break;
      }
      case 'configurations':
        audioUnit.then(() => send({ type: 'supported', indices: unit.supportedViewConfigurations(data.available) }));
        break;
      case 'configuration':
        if (unit) unit.configuration = data.configuration;
        tell('configuration', data.configuration);
        break;
      case 'ping': send({ type: 'pong' }); break;
    }
  }

  addEventListener('message', (event) => {
    if (event.source !== parent || port || !event.ports[0]) return;
    [port] = event.ports;
    port.onmessage = receive;
    for (const message of waiting.splice(0)) send(message);
  });
  const complain = (reason) => send({ type: 'error', reason: String(reason?.message ?? reason) });
  addEventListener('error', (event) => complain(event.error ?? event.message));
  addEventListener('unhandledrejection', (event) => complain(event.reason));

  /** Returns the value at a position of the parameter's knob, 0 to 1. */
  function valueAt({ minimum, maximum, curve }, at) {
    const value = curve === 'log' ? minimum * (maximum / minimum) ** at
      : minimum + (maximum - minimum) * (curve === 'square' ? at * at : at);
    // Limits the digits to the precision of a hand.
    const size = curve === 'log' || curve === 'square' ? Math.abs(value) : maximum - minimum;
    const scale = 10 ** (3 - Math.floor(Math.log10(size || 1)));
    return Math.min(Math.max(Math.round(value * scale) / scale, minimum), maximum);
  }

  /** Creates a canvas as large as the view, in the screen's pixels, which `draw` redraws. */
  function canvas(paint) {
    const element = document.createElement('canvas');
    element.setAttribute('aria-hidden', 'true');
    document.body.prepend(element);
    let isAsked = false;
    const draw = () => {
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        const { innerWidth: width, innerHeight: height, devicePixelRatio: scale } = window;
        if (element.width !== width * scale || element.height !== height * scale) {
          [element.width, element.height] = [width * scale, height * scale];
        }
        const context = element.getContext('2d');
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        context.font = '12px system-ui, sans-serif';
        paint(context, width, height);
      });
    };
    addEventListener('resize', draw);
    draw();
    return { element, draw };
  }

  window.backline = { audioUnit, valueAt, canvas };
})();
