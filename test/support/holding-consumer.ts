import { createJobQueue } from '../../libs/jobs/src/queue/create-job-queue.js';
import type { JobQueueOptions } from '../../libs/jobs/src/queue/queue-options.js';

/** Takes one delivery of `chunk`, says `holding` and never lets go: the program of a consumer that is to be killed. */
const [settings] = process.argv.slice(2);
if (settings === undefined) throw new Error('usage: holding-consumer QUEUE_OPTIONS_AS_JSON');
const options = JSON.parse(settings) as JobQueueOptions;

const queue = createJobQueue({ ...options, logger: console });
await queue.consume('chunk', 1, async () => {
  console.log('holding');
  await new Promise(() => setInterval(() => {}, 1_000));
});
