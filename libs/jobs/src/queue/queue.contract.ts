import { describe } from 'vitest';
import { describeClosing } from './closing.contract.js';
import type { QueueStore } from './contract-kit.contract.js';
import { describeDelivering } from './delivering.contract.js';
import { describeOutages } from './outage.contract.js';

/** Everything that an adapter of the queue port owes. */
export function describeJobQueue(name: string, getStore: () => QueueStore): void {
  describe(`the job queue over ${name}`, () => {
    describeDelivering(getStore);
    describeClosing(getStore);
    describeOutages(getStore);
  });
}
