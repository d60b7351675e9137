import type { ServerResponse } from 'node:http';
import { listWebhookAttempts } from '@app/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stopProcess, waitForOutput } from '../support/child-process.js';
import { hang, type Receiver, startReceiver, status, until } from './outbound.receiver.js';
import { compileDispatcherProcess } from './webhooks.dispatcher-process.js';
import { COMPLETED, WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;
let receiver: Receiver;
let program: Awaited<ReturnType<typeof compileDispatcherProcess>>;

beforeAll(async () => {
  [fixture, program] = await Promise.all([WebhookFixture.open(), compileDispatcherProcess()]);
});
afterAll(async () => {
  await fixture.close();
  await program.remove();
});
beforeEach(async () => {
  receiver = await startReceiver(hang);
});
afterEach(async () => {
  await receiver.close();
  await fixture.clear();
});

function startProgram(leaseSeconds: number) {
  const encryptionKey = fixture.key.toString('base64');
  return program.start({ databaseUrl: fixture.url, encryptionKey, leaseSeconds });
}

describe('a webhook dispatcher process', () => {
  it('the delivery of a killed dispatcher is sent again with the same id and bytes', async () => {
    const jobId = await fixture.endedJob(receiver.url);
    const child = startProgram(1);
    await until(() => receiver.received.length === 1);
    await stopProcess(child, 'SIGKILL');
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'pending', attempts: 0 });

    receiver.answer = status(200);
    const dispatcher = fixture.dispatcher();
    await until(async () => {
      await dispatcher.dispatchOnce();
      return (await fixture.deliveryOf(jobId)).state === 'delivered';
    });
    const [first, second, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(second?.headers['x-svc-delivery']).toBe(first?.headers['x-svc-delivery']);
    expect(second?.body).toEqual(first?.body);
  });

  it('no other dispatcher sends a delivery before its lease expires', async () => {
    const jobId = await fixture.endedJob(receiver.url);
    const child = startProgram(30);
    await until(() => receiver.received.length === 1);
    expect(await fixture.dispatcher().dispatchOnce()).toBe(0);
    await stopProcess(child, 'SIGKILL');
    expect(await fixture.dispatcher().dispatchOnce()).toBe(0);
    await fixture.endLeases();
    receiver.answer = status(200);
    expect(await fixture.dispatcher().dispatchOnce()).toBe(1);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it.each(['has sent', 'still sends'])(
    'a dispatcher that is paused past its lease and resumes while another %s records nothing',
    async (otherState) => {
      const pendingResponses: ServerResponse[] = [];
      receiver.answer = (_, response) => void pendingResponses.push(response);
      const jobId = await fixture.endedJob(receiver.url);
      const child = startProgram(30);
      await until(() => pendingResponses.length === 1);
      child.kill('SIGSTOP');
      await fixture.endLeases();
      // The request stays open while the other dispatcher ends.
      const sent = fixture.dispatcher({ timeoutMs: 60_000 }).dispatchOnce();
      await until(() => pendingResponses.length === 2);
      const [first, other] = pendingResponses;
      const otherSends = async () => {
        other?.writeHead(200).end();
        expect(await sent).toBe(1);
      };
      if (otherState === 'has sent') await otherSends();

      const ended = waitForOutput(child, /ended/, 30_000);
      let output = '';
      child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
      first?.writeHead(500).end();
      child.kill('SIGCONT');
      await ended;
      expect(output).not.toContain('recorded');
      if (otherState === 'still sends') await otherSends();
      const delivery = await fixture.deliveryOf(jobId);
      expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 });
      const attempts = await listWebhookAttempts(fixture.dataSource, null, delivery.id);
      expect(attempts.map(({ statusCode }) => statusCode)).toEqual([200]);
    },
  );
});

describe('a webhook receiver that hangs', () => {
  it('the deliveries of other accounts are not delayed', async () => {
    receiver.answer = status(200);
    const slow = await startReceiver(hang);
    // The hanging deliveries keep their slots until the test ends.
    const dispatcher = fixture.dispatcher({ concurrency: 4, timeoutMs: 60_000 });
    for (let job = 0; job < 6; job += 1) await fixture.endedJob(slow.url);
    const other = await fixture.anotherAccount();
    for (let job = 0; job < 6; job += 1) await fixture.endedJob(receiver.url, COMPLETED, other);
    await dispatcher.fillSlots();
    await until(async () => {
      await dispatcher.fillSlots();
      return receiver.received.length === 6;
    });
    expect(await fixture.underWay(fixture.accountId)).toBe(2);
    await slow.close();
    await dispatcher.drain();
  });

  it.each([
    { hangingAccounts: 2, concurrency: 6, each: 2 },
    { hangingAccounts: 3, concurrency: 8, each: 2 },
    { hangingAccounts: 10, concurrency: 22, each: 2 },
  ])(
    'a share of the slots stays free for other accounts beside $hangingAccounts that hang',
    async ({ hangingAccounts, concurrency, each }) => {
      receiver.answer = status(200);
      const slow = await startReceiver(hang);
      const dispatcher = fixture.dispatcher({ concurrency, timeoutMs: 60_000 });
      const hanging: string[] = [];
      for (let account = 0; account < hangingAccounts; account += 1) {
        hanging.push(await fixture.anotherAccount());
        for (let job = 0; job < concurrency / 2; job += 1)
          await fixture.endedJob(slow.url, COMPLETED, hanging[account]);
      }
      const other = await fixture.anotherAccount();
      for (let job = 0; job < 8; job += 1) await fixture.endedJob(receiver.url, COMPLETED, other);
      await until(async () => {
        await dispatcher.fillSlots();
        return receiver.received.length === 8;
      });
      await dispatcher.fillSlots();
      expect(await Promise.all(hanging.map((account) => fixture.underWay(account)))).toEqual(
        hanging.map(() => each),
      );
      await slow.close();
      await dispatcher.drain();
    },
  );
});

describe('a dispatcher that is stopped', () => {
  it('no further delivery starts, and the running ones complete', async () => {
    receiver.answer = status(200);
    const jobIds = [await fixture.endedJob(receiver.url), await fixture.endedJob(receiver.url)];
    const dispatcher = fixture.dispatcher({
      createDownloadUrl: async () => {
        dispatcher.stop();
        return 'https://store.example/a';
      },
    });
    expect(await dispatcher.dispatchOnce()).toBe(1);
    expect(await dispatcher.dispatchOnce()).toBe(0);
    const states = await Promise.all(jobIds.map(async (id) => (await fixture.deliveryOf(id)).state));
    expect(states).toEqual(['delivered', 'pending']);
  });
});

describe('several dispatchers', () => {
  it('each delivery is sent once', async () => {
    receiver.answer = status(200);
    const accounts = [fixture.accountId, await fixture.anotherAccount(), await fixture.anotherAccount()];
    const jobs: string[] = [];
    for (let job = 0; job < 60; job += 1)
      jobs.push(await fixture.endedJob(receiver.url, COMPLETED, accounts[job % accounts.length]));
    const dispatchers = Array.from({ length: 3 }, () => fixture.dispatcher({ concurrency: 8 }));
    await until(async () => {
      const sent = await Promise.all(dispatchers.map((dispatcher) => dispatcher.dispatchOnce()));
      return sent.every((count) => count === 0);
    });
    const jobIds = receiver.received.map(
      ({ body }) => (JSON.parse(String(body)) as { job_id: string }).job_id,
    );
    expect(jobIds.toSorted()).toEqual(jobs.toSorted());
    expect(fixture.warnings).toEqual([]);
  });
});

describe('a dispatcher that cannot sign the download URL', () => {
  it('nothing is sent, no attempt is counted, and the delivery stays pending', async () => {
    receiver.answer = status(200);
    const jobId = await fixture.endedJob(receiver.url);
    const failing = fixture.dispatcher({
      createDownloadUrl: () => Promise.reject(new Error('the store is away')),
    });
    expect(await failing.dispatchOnce()).toBe(1);
    expect(receiver.received).toEqual([]);
    expect(fixture.warnings.splice(0)).toMatchObject([{ error: { message: 'the store is away' } }]);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'pending', attempts: 0 });
    await fixture.makeDue();
    expect(await fixture.dispatcher().dispatchOnce()).toBe(1);
    expect(await fixture.deliveryOf(jobId)).toMatchObject({ state: 'delivered', attempts: 1 });
  });
});
