import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Percent by which the heap may grow over the live objects before the next collection. */
const HEAP_GROWING_PERCENT = 20;

/**
 * Limits garbage on the heap. By default, V8 lets the heap grow to several times its live objects before it
 * collects, as a recording of ten hours would. Call it first.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
}

/**
 * Collects garbage now, which takes up to a tenth of a second. Call it between two steps that each fill memory, so
 * that the garbage of the first does not add to the second.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
