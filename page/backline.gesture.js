// Distinguishes a drag or a press from a finger that scrolls.

/**
 * Follows pointers on `element`. `press(event)` returns nothing, or callbacks: `take` when a drag starts, `move`
 * and `end` after that, `tap` when the pointer is lifted before. A drag starts at once with a mouse or a pen, or
 * after `slop` pixels; with a finger after a sideways move (if `isSideways`), or after `held` milliseconds within
 * `still` pixels. A finger that first moves up or down scrolls, unless `isAnyWay`.
 */
export function onGesture(element, press, { slop = 0, still = 8, held = 250, isSideways = true, isAnyWay = false } = {}) {
  const hands = new Map();
  const take = (hand, event) => {
    clearTimeout(hand.timer);
    hand.isTaken = true;
    hand.take?.(event);
  };
  const leave = ({ pointerId }) => {
    const hand = hands.get(pointerId);
    hands.delete(pointerId);
    clearTimeout(hand?.timer);
    return hand;
  };
  element.addEventListener('pointerdown', (event) => {
    const meant = event.button === 0 && press(event);
    if (!meant) return;
    leave(event);
    const hand = { ...meant, start: event, isFinger: event.pointerType === 'touch', isTaken: false };
    hands.set(event.pointerId, hand);
    if (hand.isFinger && held < Infinity) hand.timer = setTimeout(() => take(hand, event), held);
    else if (!hand.isFinger && !slop) take(hand, event);
  });
  element.addEventListener('pointermove', (event) => {
    const hand = hands.get(event.pointerId);
    if (!hand) return;
    if (!hand.isTaken) {
      const across = Math.abs(event.clientX - hand.start.clientX), up = Math.abs(event.clientY - hand.start.clientY);
      if (Math.max(across, up) < (hand.isFinger ? still : slop)) return;
      if (hand.isFinger && !isAnyWay && !(isSideways && across > up)) { leave(event); return; }
      // The first moves of a finger only decide between drag and scroll.
      take(hand, hand.isFinger ? event : hand.start);
    }
    hand.move?.(event);
  });
  element.addEventListener('pointerup', (event) => {
    const hand = leave(event);
    if (hand) hand[hand.isTaken ? 'end' : 'tap']?.(event);
  });
  element.addEventListener('pointercancel', (event) => {
    const hand = leave(event);
    if (hand?.isTaken) hand.end?.(event);
  });
  // A finger that drags does not scroll.
  element.addEventListener('touchmove', (event) => {
    if (event.cancelable && [...hands.values()].some(({ isFinger, isTaken }) => isFinger && isTaken)) event.preventDefault();
  }, { passive: false });
}
