/**
 * Calls `start` now, unless the tab is hidden, and each time that it is shown again; what it returned, when the tab is hidden.
 * @returns a function that ends it
 */
export function runWhileVisible(start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  const end = () => {
    stop?.();
    stop = undefined;
  };
  const follow = () => {
    if (document.hidden) end();
    else stop ??= start();
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    end();
  };
}
