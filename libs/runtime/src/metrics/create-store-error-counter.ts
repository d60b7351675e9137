import { Counter, type Registry } from 'prom-client';

/** @returns a function that counts one failed call */
export function createStoreErrorCounter(registry: Registry): (operation: string) => void {
  const errors = new Counter({
    name: 'zephyr_store_errors_total',
    help: 'Failed calls to the object store: unreachable, access denied, or its disk full or failing.',
    labelNames: ['operation'],
    registers: [registry],
  });
  return (operation) => errors.inc({ operation });
}
