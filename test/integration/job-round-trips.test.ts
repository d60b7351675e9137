import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ProcessingServers,
  ProcessingWorld,
  startProcessingServers,
} from '../support/processing-world.js';
import { describeRoundTrips, type RoundTrip, RoundTripRecorder } from '../support/round-trip-recorder.js';

/** Odd, so that the median is one of them. The first job also prepares connections, and is not counted. */
const COUNTED_JOBS = 3;
/** Completed at once, so that consumers find the next message when they end one, and sends and deletes are shared. */
const JOBS_UNDER_LOAD = 32;

/**
 * Round trips from the request that completes the upload until the job and its messages have ended. They may only be
 * lowered. A job that runs alone needs more of the queue, whose consumers look for messages until they find none; a few more
 * than were counted are allowed then, because the polls of idle consumers vary.
 */
const CASES = [
  { kind: 'of one chunk', chunks: 1, maxAttempts: 3, alone: 14, underLoad: 7.5 },
  { kind: 'of one chunk, in stages of their own', chunks: 1, maxAttempts: 1, alone: 27, underLoad: 21 },
  { kind: 'of three chunks', chunks: 3, maxAttempts: 3, alone: 46, underLoad: 16 },
] as const;
const SERVERS = ['postgres', 'redis'] as const;

describe.each(SERVERS)('with the queue on %s', (server) => {
  const recorder = new RoundTripRecorder();
  let servers: ProcessingServers;
  let processing: ProcessingWorld;

  beforeAll(async () => {
    recorder.start();
    servers = await startProcessingServers(server);
  });
  afterAll(async () => {
    await servers.close();
    recorder.stop();
  });

  describe.each(CASES)('a job $kind', ({ chunks, maxAttempts, alone, underLoad }) => {
    async function start(decodes: boolean): Promise<void> {
      processing = await ProcessingWorld.start(servers, recorder, { maxAttempts, decodes });
    }
    afterEach(() => processing.close());

    async function countRoundTrips(jobs: number): Promise<RoundTrip[]> {
      const ids = await Promise.all(Array.from({ length: jobs }, () => processing.upload(chunks)));
      recorder.take();
      await recorder.within('complete', () => Promise.all(ids.map((id) => processing.complete(id))));
      const pollOptions = { interval: 20, timeout: 50_000 };
      const areCompleted = () => recorder.within('observer', () => processing.areCompleted(ids));
      await expect.poll(areCompleted, pollOptions).toBe(true);
      await recorder.within('observer', () => processing.wakeRelayIfMessageLeft());
      const isMessageLeft = () => recorder.within('observer', () => processing.isMessageLeft());
      await expect.poll(isMessageLeft, pollOptions).toBe(false);
      return recorder.take().filter(({ step }) => step !== 'observer');
    }

    it('needs no more round trips than its bound while nothing else runs', async () => {
      await start(true);
      await countRoundTrips(1);
      const counts: RoundTrip[][] = [];
      for (let job = 0; job < COUNTED_JOBS; job += 1) counts.push(await countRoundTrips(1));
      const median = counts.toSorted((a, b) => a.length - b.length)[Math.floor(COUNTED_JOBS / 2)] ?? [];
      process.stdout.write(`${median.length} round trips alone\n${describeRoundTrips(median)}\n`);
      expect(median.length).toBeLessThanOrEqual(alone);
    });

    it('needs no more round trips than its bound under load', async () => {
      await start(false);
      await countRoundTrips(2);
      const roundTrips = await countRoundTrips(JOBS_UNDER_LOAD);
      const perJob = roundTrips.length / JOBS_UNDER_LOAD;
      const shares = countByStep(roundTrips).map(([step, count]) => `${step} ${count / JOBS_UNDER_LOAD}`);
      process.stdout.write(`${perJob} round trips under load: ${shares.join(', ')}\n`);
      expect(perJob).toBeLessThanOrEqual(underLoad);
    });
  });
});

function countByStep(roundTrips: readonly RoundTrip[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { step } of roundTrips) counts.set(step, (counts.get(step) ?? 0) + 1);
  return [...counts];
}
