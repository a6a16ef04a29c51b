// The tuner: the note in large letters, a needle, and strobe bands that drift with the error and stand
// still when the string is in tune.

const NAMES = ['C', 'C♯', 'D', 'D♯', 'E', 'F', 'F♯', 'G', 'G♯', 'A', 'A♯', 'B'];

backline.audioUnit.then((unit) => {
  const value = (name) => unit.parameterTree.parameter(name)?.value ?? 0;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
  let phase = 0, last = performance.now(), isThere = true;

  const { draw } = backline.canvas((context, width, height) => {
    const now = performance.now();
    const [note, cents, confidence] = [Math.round(value('note')), value('cents'), value('confidence')];
    const isSure = isThere && confidence >= 50;
    if (isSure && !isCalm.matches) phase += cents * (now - last) / 1000 * 0.06;
    last = now;
    const isIn = isSure && Math.abs(cents) <= 2;
    context.fillStyle = isIn ? '#56b4e9' : isSure ? '#f2f4f7' : '#7a8694';
    context.textAlign = 'center';
    context.font = `700 ${Math.round(height * 0.45)}px system-ui, sans-serif`;
    context.fillText(isSure ? `${NAMES[note % 12]}${Math.floor(note / 12) - 1}` : '–', width / 2, height * 0.46);
    context.font = '600 20px system-ui, sans-serif';
    context.fillText(isSure ? `${cents > 0 ? '+' : ''}${cents.toFixed(1)} cents · ${value('frequency').toFixed(1)} Hz` : 'play a note', width / 2, height * 0.58);
    context.textAlign = 'left';
    // The needle, ±50 cents, and a mark that is not colour alone.
    const middle = width / 2, top = height * 0.64, tall = height * 0.12;
    context.fillStyle = '#7a8694';
    for (let tick = -50; tick <= 50; tick += 10) {
      const small = tick ? 0.5 : 0;
      context.fillRect(middle + tick / 50 * width * 0.45 - 1, top + tall * small, 2, tall * (1 - small));
    }
    if (!isSure) return;
    context.fillStyle = isIn ? '#56b4e9' : '#e69f00';
    context.fillRect(middle + Math.max(-50, Math.min(50, cents)) / 50 * width * 0.45 - 3, top - 4, 6, tall + 8);
    if (isIn) context.fillText('in tune', middle + 12, top - 6);
    for (let band = 0; band < 3; band += 1) {
      const stripe = width / (8 * 2 ** band), at = height * (0.81 + band * 0.06);
      const shift = ((phase * 2 ** band % 1) + 1) % 1 * stripe * 2;
      context.fillStyle = '#7cc7f2';
      for (let place = -stripe * 2 + shift; place < width; place += stripe * 2) context.fillRect(place, at, stripe, height * 0.045);
    }
    if (!isIn || Math.abs(cents) > 0.2) draw();
  });
  unit.parameterTree.addParameterObserver(draw);
  unit.onPresence((is) => { isThere = is; draw(); });
});
