import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Over the live objects before the next collection. */
const HEAP_GROWING_PERCENT = 20;

/** Call it first: by default V8 lets the heap grow to several times its live objects. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
}

/** Takes up to a tenth of a second. Call it between two steps that each fill memory. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
