// The delay: its echoes on a ruler of time; their height is their level, their shade their treble. Drag
// sideways for the time, up and down for the feedback.

backline.audioUnit.then((unit) => {
  const tree = unit.parameterTree;
  const value = (name) => tree.parameter(name)?.value ?? 0;
  const span = () => Math.max(0.5, Math.min(20, value('time') * 6));

  const { element, draw } = backline.canvas((context, width, height) => {
    const base = height - 28, tall = height - 48, all = span();
    const x = (seconds) => 16 + seconds / all * (width - 32);
    context.strokeStyle = '#2a3038';
    context.fillStyle = '#a9b2bd';
    const step = [0.05, 0.1, 0.25, 0.5, 1, 2, 5].find((seconds) => all / seconds <= 10) ?? 5;
    for (let seconds = 0; seconds <= all; seconds += step) {
      context.beginPath(); context.moveTo(x(seconds), 0); context.lineTo(x(seconds), base); context.stroke();
      context.fillText(seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`, x(seconds) + 3, height - 8);
    }
    const [time, feedback, mix] = [value('time'), value('feedback') / 100, value('mix') / 100];
    const bright = Math.log(value('tone') / 200) / Math.log(100);
    const bar = (seconds, level, shade) => {
      if (level < 1e-3) return;
      const high = Math.max(2, (1 + Math.log10(level) / 3) * tall);
      context.fillStyle = `rgb(${86 * shade + 40} ${180 * shade + 20} ${233 * shade})`;
      context.fillRect(x(seconds) - 4, base - high, 8, high);
    };
    context.fillStyle = '#f2f4f7';
    bar(0, 1 - mix / 2, 1);
    let level = Math.max(mix, 0.05), shade = 1;
    for (let echo = 1; echo * time <= all && echo < 400; echo += 1) {
      bar(echo * time, level, shade);
      level *= Math.min(feedback, 1);
      shade *= 0.75 + 0.25 * bright;
    }
    context.fillStyle = '#f2f4f7';
    context.font = '600 18px system-ui, sans-serif';
    context.textAlign = 'right';
    context.fillText(`${tree.parameter('time').text} · ${tree.parameter('feedback').text}`, width - 16, 24);
    context.textAlign = 'left';
  });
  tree.addParameterObserver(draw);

  let held = null;
  const names = ['time', 'feedback'].map((name) => tree.parameter(name));
  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    held = { span: span(), time: names[0].value };
    for (const parameter of names) parameter.setValue(parameter.value, { eventType: 'touch' });
  });
  element.addEventListener('pointermove', (event) => {
    if (!held) return;
    names[0].setValue(names[0].value * 1.005 ** event.movementX);
    names[1].setValue(names[1].value - event.movementY / innerHeight * 110);
  });
  const release = () => {
    if (!held) return;
    held = null;
    for (const parameter of names) parameter.setValue(parameter.value, { eventType: 'release' });
  };
  element.addEventListener('pointerup', release);
  element.addEventListener('pointercancel', release);
});
