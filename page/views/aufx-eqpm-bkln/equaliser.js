// The equaliser: its response, and a handle for each band. Drag a handle: frequency and gain; with Shift,
// or by the wheel, Q. By keys: arrows, with Shift Q.

const LOW = 20, HIGH = 20000, RANGE = 24;
const SLOPES = [1, 2, 4, 6, 8]; // orders
const WITHOUT_GAIN = ['Low Cut', 'High Cut', 'Notch', 'Band Pass', 'All Pass'];

/** |H|² of one band at a frequency: the analogue prototypes that the unit follows. */
function power(band, frequency) {
  const w = frequency / band.frequency, w2 = w * w, a = 10 ** (band.gain / 40), q = band.q;
  const ratio = (n0, n1, d0, d1) => (n0 * n0 + n1 * n1) / (d0 * d0 + d1 * d1);
  switch (band.type) {
    case 'Bell': return ratio(1 - w2, w * a / q, 1 - w2, w / (a * q));
    case 'Low Shelf': {
      const side = Math.sqrt(a) / q * w;
      return a * a * ratio(a - w2, side, 1 - a * w2, side);
    }
    case 'High Shelf': {
      const side = Math.sqrt(a) / q * w;
      return a * a * ratio(1 - a * w2, side, a - w2, side);
    }
    case 'Tilt': {
      // The gain above the frequency and its opposite below.
      const side = a * w * Math.SQRT2;
      return ratio(1 - a * a * w2, side, a * a - w2, side);
    }
    case 'Notch': return ratio(1 - w2, 0, 1 - w2, w / q);
    case 'Band Pass': return ratio(0, w / q, 1 - w2, w / q);
    case 'Low Cut': return cut(1 / w, band);
    case 'High Cut': return cut(w, band);
    default: return 1;
  }
}

/** A Butterworth filter of the band's order whose sharpest pair has the band's Q beside its own. */
function cut(w, { order, q }) {
  const w2 = w * w;
  if (order === 1) return 1 / (1 + w2);
  let result = 1;
  for (let pair = 0; pair < order / 2; pair += 1) {
    const own = 1 / (2 * Math.cos(Math.PI * (2 * pair + 1) / (2 * order)));
    const sharp = pair === order / 2 - 1 ? own * q * Math.SQRT2 : own;
    result /= (1 - w2) ** 2 + w2 / (sharp * sharp);
  }
  return result;
}

backline.audioUnit.then((unit) => {
  const tree = unit.parameterTree;
  const of = (band, name) => tree.parameter(`band${band}.${name}`);
  const bands = [1, 2, 3, 4, 5, 6, 7, 8];
  const present = (band) => {
    const type = of(band, 'type');
    return {
      isOn: of(band, 'on').value >= 0.5, type: type.values[type.value - type.minimum],
      frequency: of(band, 'frequency').value, gain: of(band, 'gain').value, q: of(band, 'q').value,
      order: SLOPES[of(band, 'slope').value],
    };
  };
  const x = (frequency, width) => Math.log(frequency / LOW) / Math.log(HIGH / LOW) * width;
  const y = (db, height) => height / 2 - db / RANGE * (height / 2 - 12);
  const reading = document.createElement('div');
  reading.id = 'reading';
  document.body.append(reading);

  const { draw } = backline.canvas((context, width, height) => {
    context.lineWidth = 1;
    context.strokeStyle = '#2a3038';
    context.fillStyle = '#a9b2bd';
    for (const frequency of [30, 50, 100, 200, 500, 1000, 2000, 5000, 10000]) {
      const at = x(frequency, width);
      context.beginPath(); context.moveTo(at, 0); context.lineTo(at, height); context.stroke();
      context.fillText(frequency < 1000 ? frequency : `${frequency / 1000}k`, at + 3, height - 4);
    }
    for (const db of [-18, -12, -6, 0, 6, 12, 18]) {
      context.strokeStyle = db ? '#2a3038' : '#7a8694';
      context.beginPath(); context.moveTo(0, y(db, height)); context.lineTo(width, y(db, height)); context.stroke();
      context.fillText(`${db} dB`, 4, y(db, height) - 3);
    }
    const all = bands.map(present).filter((band) => band.isOn);
    const output = tree.parameter('output')?.value ?? 0;
    context.strokeStyle = '#56b4e9';
    context.lineWidth = 3;
    context.beginPath();
    for (let place = 0; place <= width; place += 2) {
      const frequency = LOW * (HIGH / LOW) ** (place / width);
      const product = all.reduce((result, band) => result * power(band, frequency), 1);
      const at = y(Math.max(-60, 10 * Math.log10(product + 1e-12)) + output, height);
      if (place) context.lineTo(place, at); else context.moveTo(place, at);
    }
    context.stroke();
    context.lineTo(width, height / 2);
    context.lineTo(0, height / 2);
    context.fillStyle = '#56b4e922';
    context.fill();
    placeHandles(width, height);
  });

  const handles = bands.map((band) => {
    const handle = document.createElement('button');
    handle.className = 'band';
    handle.textContent = band;
    document.body.append(handle);
    let isHeld = false;
    const show = () => {
      const { type, frequency } = present(band);
      const texts = [type, of(band, 'frequency').text, WITHOUT_GAIN.includes(type) ? '' : of(band, 'gain').text, `Q ${of(band, 'q').text}`];
      handle.setAttribute('aria-label', `Band ${band}: ${texts.filter(Boolean).join(', ')}`);
      if (isHeld || document.activeElement === handle) reading.textContent = handle.getAttribute('aria-label');
      return frequency;
    };
    handle.addEventListener('focus', show);
    handle.addEventListener('pointerdown', (event) => {
      handle.setPointerCapture(event.pointerId);
      isHeld = true;
      for (const name of ['frequency', 'gain', 'q']) of(band, name).setValue(of(band, name).value, { eventType: 'touch' });
    });
    handle.addEventListener('pointermove', (event) => {
      if (!isHeld) return;
      if (event.shiftKey) {
        of(band, 'q').setValue(of(band, 'q').value * 1.01 ** -event.movementY);
      } else {
        of(band, 'frequency').setValue(LOW * (HIGH / LOW) ** (event.clientX / innerWidth));
        if (!WITHOUT_GAIN.includes(present(band).type)) {
          of(band, 'gain').setValue((innerHeight / 2 - event.clientY) / (innerHeight / 2 - 12) * RANGE);
        }
      }
    });
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      for (const name of ['frequency', 'gain', 'q']) of(band, name).setValue(of(band, name).value, { eventType: 'release' });
    };
    handle.addEventListener('pointerup', release);
    handle.addEventListener('pointercancel', release);
    handle.addEventListener('wheel', (event) => {
      event.preventDefault();
      of(band, 'q').setValue(of(band, 'q').value * 1.002 ** -event.deltaY);
    }, { passive: false });
    handle.addEventListener('dblclick', () => of(band, 'gain').setValue(0));
    handle.addEventListener('keydown', (event) => {
      const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0] }[event.key];
      if (!step) return;
      event.preventDefault();
      if (event.shiftKey) of(band, 'q').setValue(of(band, 'q').value * 1.05 ** (step[0] + step[1]));
      else if (step[0]) of(band, 'frequency').setValue(of(band, 'frequency').value * 2 ** (step[0] / 12));
      else of(band, 'gain').setValue(of(band, 'gain').value + step[1] * 0.5);
    });
    return { handle, show };
  });
  function placeHandles(width, height) {
    handles.forEach(({ handle, show }, index) => {
      const band = present(bands[index]);
      const db = WITHOUT_GAIN.includes(band.type) ? 0 : band.gain;
      handle.style.left = `${Math.min(Math.max(x(band.frequency, width), 16), width - 16)}px`;
      handle.style.top = `${y(db, height)}px`;
      handle.classList.toggle('off', !band.isOn);
      show();
    });
  }
  tree.addParameterObserver(draw);
});
