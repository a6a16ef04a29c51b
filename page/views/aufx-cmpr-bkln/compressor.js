// The compressor: its curve, which is dragged (sideways the threshold, up and down the ratio), and the
// gain reduction of the last ten seconds.

const LOW = -60, SECONDS = 10, RATE = 25;

backline.audioUnit.then((unit) => {
  const tree = unit.parameterTree;
  const value = (name) => tree.parameter(name)?.value ?? 0;
  const reduction = tree.parameter('gain_reduction');
  const history = [];

  /** Output in dB for an input in dB: D. Giannoulis, M. Massberg and J. Reiss, "Digital dynamic range
      compressor design", 2012, equation 4. */
  const output = (input) => {
    const [threshold, ratio, knee] = [value('threshold'), value('ratio'), value('knee')];
    const over = input - threshold;
    let gain = 0;
    if (2 * over > knee) gain = (1 / ratio - 1) * over;
    else if (knee > 0 && 2 * Math.abs(over) <= knee) gain = (1 / ratio - 1) * (over + knee / 2) ** 2 / (2 * knee);
    return input + Math.max(gain, -value('range')) + value('make_up');
  };

  const { element, draw } = backline.canvas((context, width, height) => {
    const size = Math.min(height, width * 0.5);
    const x = (db) => (db - LOW) / -LOW * size, y = (db) => size - (db - LOW) / -LOW * size;
    context.fillStyle = '#a9b2bd';
    context.lineWidth = 1;
    for (let db = LOW; db <= 0; db += 12) {
      context.strokeStyle = '#2a3038';
      context.beginPath(); context.moveTo(x(db), 0); context.lineTo(x(db), size);
      context.moveTo(0, y(db)); context.lineTo(size, y(db)); context.stroke();
      context.fillText(db, x(db) + 3, size - 4);
    }
    context.strokeStyle = '#7a8694';
    context.beginPath(); context.moveTo(0, size); context.lineTo(size, 0); context.stroke();
    context.strokeStyle = '#56b4e9';
    context.lineWidth = 3;
    context.beginPath();
    for (let db = LOW; db <= 0; db += 0.5) {
      if (db > LOW) context.lineTo(x(db), y(output(db))); else context.moveTo(x(db), y(output(db)));
    }
    context.stroke();
    // The dot is where the sound is: its output is measured, its input is that without the gain.
    const now = history.at(-1);
    if (now && now.level > LOW) {
      context.fillStyle = '#f0e442';
      context.beginPath();
      context.arc(x(Math.min(0, now.level + now.reduction - value('make_up'))), y(now.level), 6, 0, 7);
      context.fill();
    }
    const left = size + 24, wide = width - left - 8;
    if (wide < 60) return;
    context.fillStyle = '#a9b2bd';
    for (const db of [0, 6, 12, 18, 24]) {
      const at = 14 + db / 24 * (height - 24);
      context.fillText(db ? `−${db}` : '0', left, at - 2);
      context.strokeStyle = '#2a3038';
      context.lineWidth = 1;
      context.beginPath(); context.moveTo(left, at); context.lineTo(left + wide, at); context.stroke();
    }
    context.strokeStyle = '#e69f00';
    context.lineWidth = 2;
    context.beginPath();
    history.forEach(({ reduction: db }, index) => {
      const at = [left + wide * (1 - (history.length - 1 - index) / (SECONDS * RATE)), 14 + Math.min(24, db) / 24 * (height - 24)];
      if (index) context.lineTo(...at); else context.moveTo(...at);
    });
    context.stroke();
    context.fillStyle = '#f2f4f7';
    context.font = '600 24px system-ui, sans-serif';
    context.textAlign = 'right';
    context.fillText(`${(now?.reduction ?? 0).toFixed(1)} dB`, left + wide, 36);
    context.textAlign = 'left';
  });

  unit.telemetry.subscribe('levels', ({ peak }) => {
    history.push({ level: peak > 1e-9 ? 20 * Math.log10(peak) : -180, reduction: Math.abs(reduction?.value ?? 0) });
    if (history.length > SECONDS * RATE) history.shift();
    draw();
  });
  tree.addParameterObserver(draw);

  let isHeld = false;
  const held = ['threshold', 'ratio'].map((name) => tree.parameter(name));
  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    isHeld = true;
    for (const parameter of held) parameter.setValue(parameter.value, { eventType: 'touch' });
  });
  element.addEventListener('pointermove', (event) => {
    if (!isHeld) return;
    const size = Math.min(innerHeight, innerWidth * 0.5);
    held[0].setValue(held[0].value + event.movementX / size * -LOW);
    held[1].setValue(held[1].value * 1.01 ** event.movementY);
  });
  const release = () => {
    if (!isHeld) return;
    isHeld = false;
    for (const parameter of held) parameter.setValue(parameter.value, { eventType: 'release' });
  };
  element.addEventListener('pointerup', release);
  element.addEventListener('pointercancel', release);
});
