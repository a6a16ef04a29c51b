/** Keeps the screen on if the browser permits that: over HTTPS and on this machine. Returns the function that ends it. */
export function keepAwake() {
  let lock = null, isOver = false;
  const ask = async () => {
    try { lock = await navigator.wakeLock?.request('screen'); } catch { /* not allowed */ }
    if (isOver) lock?.release();
  };
  const again = () => { if (!document.hidden) ask(); };
  ask();
  document.addEventListener('visibilitychange', again);
  return () => { isOver = true; lock?.release(); document.removeEventListener('visibilitychange', again); };
}
