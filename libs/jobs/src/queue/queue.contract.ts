import { describe } from 'vitest';
import { describeClosing } from './closing.contract.js';
import type { TestQueueServer } from './contract-support.contract.js';
import { describeMessageHandling } from './message-handling.contract.js';
import { describeOutages } from './outage.contract.js';

/** Everything that an adapter of the queue port owes. */
export function describeStageQueueContract(name: string, getStore: () => TestQueueServer): void {
  describe(`the job queue on ${name}`, () => {
    describeMessageHandling(getStore);
    describeClosing(getStore);
    describeOutages(getStore);
  });
}
