import { type ChildProcess } from 'node:child_process';
import type {
  TestQueueOptions,
  TestQueueServer,
} from '../../libs/jobs/src/queue/contract-support.contract.js';
import type { PostgresQueueOptions, RedisQueueOptions } from '../../libs/jobs/src/queue/queue-options.js';
import { stopProcess, waitForOutput, spawnBoundToParent } from './child-process.js';
import { compileSources } from './compile-sources.js';
import { NestQueue } from './nest-queue.js';

const HOLDING_MS = 60_000;
const PROGRAM = 'test/support/holding-consumer.ts';

type QueueServer = (PostgresQueueOptions & { connection: string }) | RedisQueueOptions;

export interface QueueBackendControl {
  clear(): Promise<void>;
  makeUnavailable(): Promise<void>;
  makeAvailable(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** A store for the contract suite of the queues, which records the warnings of the queues that it opens. */
export async function createQueueStore(
  queueServer: QueueServer,
  control: QueueBackendControl,
): Promise<{ store: TestQueueServer; remove(): Promise<void> }> {
  const compiled = await compileSources(['libs/jobs/src/queue', 'test/support/nest-queue.ts', PROGRAM]);
  let warnings: string[] = [];
  const logger = { warn: (message: string) => void warnings.push(message) };
  const store: TestQueueServer = {
    open: (options: TestQueueOptions = {}) => new NestQueue({ ...queueServer, ...options, logger }),
    warnings: () => warnings,
    clear: async () => {
      warnings = [];
      await control.clear();
    },
    makeUnavailable: () => control.makeUnavailable(),
    makeAvailable: () => control.makeAvailable(),
    freeze: () => control.freeze(),
    thaw: () => control.thaw(),
    killConsumerWhileHandling: async (timings) => {
      const child: ChildProcess = spawnBoundToParent(
        process.execPath,
        [compiled.path(PROGRAM), JSON.stringify({ ...queueServer, timings })],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      try {
        await waitForOutput(child, /holding/, HOLDING_MS);
      } finally {
        await stopProcess(child, 'SIGKILL');
      }
    },
  };
  return { store, remove: () => compiled.remove() };
}
