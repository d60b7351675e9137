import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Percent by which the heap grows over what is alive before it is collected again. */
const HEAP_GROWING_PERCENT = 20;

/**
 * Lets less garbage pile up: by itself the heap may become several times as large as what is alive in it before it is
 * looked through, which a recording of ten hours, put together at once, would make use of. To be called first.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
}

/**
 * Lets go of everything that is no longer in use, at once; up to a tenth of a second. For between two steps that each
 * fill memory: by itself the heap is looked through when it has grown, and so the second would come on top of the first.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
