import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessingWorld } from '../support/processing-world.js';
import { type PrivateRedis, startRedis } from '../support/redis.js';
import { describeRoundTrips, type RoundTrip, RoundTripRecorder } from '../support/round-trip-recorder.js';

/** Odd, so that the median is one of them. The first job also prepares connections, and is not counted. */
const COUNTED_JOBS = 3;

/**
 * From the request that completes the upload until the job and its messages have ended, while nothing else runs. A few
 * more than were counted, because the polls of idle consumers vary. They may only be lowered.
 */
const BOUNDS = {
  postgres: { 1: 25, 3: 80 },
  redis: { 1: 25, 3: 80 },
} as const;

describe.each(['postgres', 'redis'] as const)('a job with the queue on %s', (kind) => {
  const recorder = new RoundTripRecorder();
  let redis: PrivateRedis | undefined;
  let processing: ProcessingWorld;

  beforeEach(async () => {
    recorder.start();
    if (kind === 'redis') redis = await startRedis();
    processing = await ProcessingWorld.start(redis?.url ?? null, recorder);
  });
  afterEach(async () => {
    await processing.close();
    await redis?.stop();
    recorder.stop();
  });

  async function countRoundTrips(chunks: number): Promise<RoundTrip[]> {
    const id = await processing.upload(chunks);
    recorder.take();
    await recorder.within('complete', () => processing.complete(id));
    const hasEnded = () => recorder.within('observer', () => processing.hasEnded(id));
    await expect.poll(hasEnded, { interval: 20 }).toBe(true);
    return recorder.take().filter(({ step }) => step !== 'observer');
  }

  it.each([1, 3] as const)('of %i chunks needs no more round trips than its bound', async (chunks) => {
    await countRoundTrips(chunks);
    const counts: RoundTrip[][] = [];
    for (let job = 0; job < COUNTED_JOBS; job += 1) counts.push(await countRoundTrips(chunks));
    const median = counts.toSorted((a, b) => a.length - b.length)[Math.floor(COUNTED_JOBS / 2)] ?? [];
    const report = `${median.length} round trips of a job of ${chunks} chunks over ${kind}`;
    process.stdout.write(`${report}\n${describeRoundTrips(median)}\n`);
    expect(median.length, report).toBeLessThanOrEqual(BOUNDS[kind][chunks]);
  });
});
