import 'reflect-metadata';
import type { QueueServerOptions } from '../../libs/jobs/src/queue/queue-options.js';
import { NestQueue } from './nest-queue.js';

/** Receives one message of `chunk`, prints `holding` and never finishes: a consumer that a test kills. */
const [settings] = process.argv.slice(2);
if (settings === undefined) throw new Error('usage: holding-consumer QUEUE_OPTIONS_AS_JSON');
const options = JSON.parse(settings) as QueueServerOptions;

const queue = new NestQueue({ ...options, logger: console });
await queue.consume('chunk', 1, async () => {
  console.log('holding');
  await new Promise(() => setInterval(() => {}, 1_000));
});
