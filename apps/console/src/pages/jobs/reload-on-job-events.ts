import { openEventStream } from '../../jobs/open-event-stream.ts';
import { throttle } from '../../lib/throttle.ts';

/** A stream begins with all events of its job, and the reads of an account are limited. */
const LOAD_INTERVAL_MS = 1_000;
const REOPEN_MS = 5_000;

/**
 * Calls `load` after the events of the job, at most once a second. A stream that was refused, such as by a proxy whose service
 * restarts, or because too many are open, is opened again. @returns a function that ends it
 */
export function reloadOnJobEvents(jobId: string, load: () => Promise<void>): () => void {
  const loading = throttle(load, LOAD_INTERVAL_MS);
  const listeners = { progress: loading.run, completed: loading.run, failed: loading.run };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let close: () => void;
  const open = () => {
    close = openEventStream(jobId, listeners, () => {
      loading.run();
      timer = setTimeout(open, REOPEN_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    loading.end();
    close();
  };
}
