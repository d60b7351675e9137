import { afterAll, beforeAll, expect, it } from 'vitest';
import { Witness } from '../support/invariants/witness.js';
import { expectContiguous, followThroughCuts } from '../e2e/support/events.js';
import { Receiver } from '../e2e/support/receiver.js';
import { hearReceiver, Poller } from './support/hear-out.js';
import { anyOrders, placeOrder, placeOrders } from '../e2e/support/orders.js';
import { Saboteur } from './support/saboteur.js';
import { chanceFor } from './support/seed.js';
import { System, type SystemRequest } from './support/system.js';
import { victimsOf } from './support/victims.js';

const JOBS = 500;
const AT_ONCE = 16;
const ENDED_MS = 120_000;
const TEST_MS = 400_000;
/** One order in so many is followed event by event, through every cut. */
const FOLLOWED = 50;

/** Creates at many at a time while every part is killed in turn; then all is left alone, and judged. */
export function describeKilling(
  name: string,
  makeRequest: () => Promise<SystemRequest> | SystemRequest,
): void {
  let system: System;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.start();
    // What is killed at its third start is given up, as it should be; here it is the killing that is no fault of the file.
    const request = await makeRequest();
    system = await System.start({
      ...request,
      env: { ...request.env, MAX_ATTEMPTS: '20', PREPROCESS_CONCURRENCY: '2' },
    });
  });
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
  });

  it(
    `${JOBS} creates, ${AT_ONCE} at a time, while everything is killed in turn: nothing is lost, nothing is done twice`,
    async () => {
      const chance = chanceFor(name);
      const witness = new Witness();
      const client = await system.client();
      const orders = await anyOrders(JOBS, chance, `${receiver.url}/told`);
      const followed: Promise<void>[] = [];

      const began = performance.now();
      const poller = new Poller(client, witness);
      const saboteur = new Saboteur(chance, victimsOf(system, chance));
      await placeOrders(orders, AT_ONCE, async (order) => {
        const { job_id } = await placeOrder(client, order, witness);
        if (witness.jobs.length % FOLLOWED === 0)
          followed.push(
            followThroughCuts(client, job_id, undefined, TEST_MS).then((events) => expectContiguous(events)),
          );
      });
      await saboteur.stop();
      const placed = (performance.now() - began) / 1_000;
      const healed = await system.untilAllEnded(ENDED_MS);
      await Promise.all(followed);
      await poller.stop();
      for (const jobId of witness.jobs) witness.toldStatus(jobId, (await client.job(jobId)).status);
      const ends = await system.rows<{ status: string; count: number }>(
        'SELECT status, count(*)::int FROM job GROUP BY status',
      );
      console.log(
        `${name}: ${placed.toFixed(0)} s under ${saboteur.strikes.length} kills, all ended ${healed.toFixed(0)} s after`,
      );
      expect(await system.brokenPromises()).toEqual([]);
      hearReceiver(witness, receiver);
      expect(await system.brokenPromises(witness)).toEqual([]);
      expect(witness.jobs).toHaveLength(JOBS);
      expect(ends).toEqual([{ status: 'completed', count: JOBS }]);
    },
    TEST_MS,
  );
}
