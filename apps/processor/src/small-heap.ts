import { setFlagsFromString } from 'node:v8';

/** Percent by which the heap grows over what is alive before it is collected again. */
const GROWTH = 20;

/**
 * Lets less garbage pile up: by itself the heap may become several times as large as what is alive in it before it is
 * looked through, which a recording of ten hours, put together at once, would make use of. To be called first.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
