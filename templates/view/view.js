// A slider for each parameter. `backline.audioUnit` is a promise of the unit; backline.js and
// backline.css come from the host.

backline.audioUnit.then((unit) => {
  for (const parameter of unit.parameterTree.allParameters()) {
    if (!parameter.isWritable || parameter.keyPath === 'bypass') continue;
    const slider = document.createElement('input');
    Object.assign(slider, { type: 'range', min: parameter.minimum, max: parameter.maximum, step: 'any' });
    const reading = document.createElement('output');
    const label = document.createElement('label');
    label.append(parameter.name, slider, reading);
    document.body.append(label);

    const show = () => {
      slider.value = parameter.value;
      reading.textContent = parameter.text;
    };
    show();
    unit.parameterTree.addParameterObserver(show, parameter.keyPath);
    // From the touch to the release all moves are one step to undo.
    slider.addEventListener('pointerdown', () => parameter.setValue(parameter.value, { eventType: 'touch' }));
    slider.addEventListener('input', () => parameter.setValue(Number(slider.value)));
    slider.addEventListener('change', () => parameter.setValue(Number(slider.value), { eventType: 'release' }));
  }
});
