import { throttle } from '../../lib/throttle.ts';

const EVENTS = ['progress', 'completed', 'failed'] as const;
/** A stream begins with all events of its job, and the reads of an account are limited. */
const LOAD_INTERVAL_MS = 1_000;
const REOPEN_MS = 5_000;

/**
 * Calls `load` after the events of the stream, at most once a second. A stream that was refused, such as by a proxy whose
 * service restarts, is opened again. @returns a function that ends it
 */
export function reloadOnJobEvents(url: URL, load: () => Promise<void>): () => void {
  const loading = throttle(load, LOAD_INTERVAL_MS);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stream: EventSource;
  const open = () => {
    stream = new EventSource(url);
    for (const event of EVENTS) stream.addEventListener(event, loading.run);
    // The browser connects again by itself, unless the response is an error.
    stream.addEventListener('error', ({ target }) => {
      if ((target as EventSource).readyState !== EventSource.CLOSED) return;
      loading.run();
      timer = setTimeout(open, REOPEN_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    loading.end();
    stream.close();
  };
}
