// The connection to the rack: requests with answers, events, and the detection of a lost rack.

/** The timeout after which a silent rack counts as lost, in ms; meters are sent 25 times a second. */
const PATIENCE = 1300; // ms
const MOST_BYTES = 16384; // of a request
const TOKEN = 'backline';

class Link extends EventTarget {
  isOpen = false;
  role = 'edit';
  /** The secret part of the path of units' views. */
  views = '';
  #socket = null;
  #waiting = new Map();
  #number = 0;
  #pause = 250;
  #heard = 0;
  #watched = 0;
  #isAsked = false;
  #since;
  /** The commands that are answered at once; all others have a lane of their own. */
  #immediate = new Set();

  start() {
    const key = /^#k=(\w+)$/.exec(location.hash)?.[1];
    // The key can be used only once, and must not stay in the history.
    if (key) history.replaceState(null, '', '#/rack');
    this.#connect(key);
    setInterval(() => this.#ping(), 1000);
    setInterval(() => this.#watch(), 100);
  }

  /** Sends a request; resolves with its result, or rejects with the reason. */
  ask(command, members = {}) {
    if (!this.isOpen) return Promise.reject(new Error('not connected'));
    const id = ++this.#number;
    const time = (performance.now() / 1000).toFixed(3);
    const lane = this.#immediate.has(command) ? '' : '!';
    const text = `${time}${lane} ${JSON.stringify({ id, command, ...members })}`;
    // The server ends a connection that sends more.
    if (new TextEncoder().encode(text).length > MOST_BYTES) return Promise.reject(new Error(`${command}: the request is too long`));
    this.#socket.send(text);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #connect(key) {
    const socket = new WebSocket(`ws${location.protocol === 'https:' ? 's' : ''}://${location.host}/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      const token = localStorage.getItem(TOKEN);
      socket.send(JSON.stringify(key ? { key } : { token: token ?? '' }));
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = ({ code, reason }) => {
      if (this.#socket !== socket) return;
      this.#lose(reason || 'not connected');
      // A used link with a known device: try as that device.
      if (code === 4001 && (!key || !localStorage.getItem(TOKEN))) return;
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(2000, this.#pause * 2);
    };
  }

  #receive(message) {
    this.#heard = performance.now();
    if (message.token) {
      localStorage.setItem(TOKEN, message.token);
      this.role = message.role;
      this.views = message.views;
    } else if (message.version) {
      this.#immediate = new Set(message.immediate);
      this.isOpen = true;
      this.#pause = 250;
      this.#isAsked = false;
      this.#since = undefined;
      this.#tell('open', message);
      this.#ping();
    } else if (message.event) {
      this.#tell('event', message);
    } else if (this.#waiting.has(message.id)) {
      const { resolve, reject } = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error !== undefined) reject(new Error(message.error));
      else resolve(message.result);
    }
  }

  /** Requests the status of the rack, once a second. */
  async #ping() {
    if (!this.isOpen || this.#isAsked) return;
    this.#isAsked = true;
    try {
      const status = await this.ask('status', this.#since ? { since: this.#since } : {});
      this.#since = status.sampleTime;
      this.#isAsked = false;
      this.#tell('status', status);
    } catch { /* The connection has gone, which is told. */ }
  }

  #watch() {
    const now = performance.now();
    // A page that was suspended has not yet handled the messages received meanwhile.
    if (now - this.#watched > 2 * PATIENCE) this.#heard = now;
    this.#watched = now;
    if (this.isOpen && now - this.#heard > PATIENCE) {
      const socket = this.#socket;
      this.#lose('the rack does not answer');
      socket.close();
      this.#connect();
    }
  }

  #lose(reason) {
    this.isOpen = false;
    for (const { reject } of this.#waiting.values()) reject(new Error('not connected'));
    this.#waiting.clear();
    this.#tell('lost', reason);
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}

export const link = new Link();
