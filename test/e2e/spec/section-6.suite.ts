import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { concatWavs, silentWav } from '../support/audio.js';
import type { JobEvent } from '../support/client.js';
import { expectContiguous } from '../support/events.js';
import type { ReceivedRequest } from '../support/webhook-receiver.js';
import { until } from '../support/until.js';
import { readAllEvents, waitForEnd } from './ends.js';
import { type Behaviour, hookPath } from './hooks.js';
import type { SpecContext } from './spec-context.js';

export function describeSection6(getContext: () => SpecContext): void {
  describe('§6.1 the steps of a job', () => {
    let short: JobEvent[];
    let long: JobEvent[];
    beforeAll(async () => {
      const { client, speech } = getContext();
      const pause = silentWav(16);
      const twoSegments = concatWavs(speech, pause, speech, pause);
      expect(twoSegments.length).toBeGreaterThan(2 ** 20);
      const jobs = [await client.submit(speech), await client.submit(twoSegments)];
      const [one, other] = await Promise.all(jobs.map(({ job_id }) => readAllEvents(client, job_id)));
      short = one ?? [];
      long = other ?? [];
    });
    const listSteps = (events: JobEvent[]) =>
      events.filter(({ name }) => name === 'progress').map(({ data }) => String(data['step']));

    it('a small file starts with its chunk and a larger one with preprocess', () => {
      expect(listSteps(short)).not.toContain('preprocess');
      const steps = listSteps(long);
      expect(steps[0]).toBe('preprocess');
      expect(steps.at(-1)).toBe('aggregation');
      const chunks = steps.slice(1, -1);
      expect(chunks.length).toBeGreaterThan(1);
      expect(chunks.toSorted()).toEqual(chunks.map((_, index) => `chunk:${index}`));
    });

    it('progress events carry raw counts whose total depends on the file', () => {
      const totals = [short, long].map((events) => {
        expectContiguous(events);
        const progress = events.filter(({ name }) => name === 'progress').map(({ data }) => data);
        const [{ total } = { total: 0 }] = progress;
        for (const data of progress)
          expect(data).toEqual({ completed: expect.any(Number), total, step: expect.any(String) });
        expect(progress.map(({ completed }) => completed)).toEqual(progress.map((_, index) => index + 1));
        expect(progress.at(-1)?.['completed']).toBe(total);
        return total as number;
      });
      expect(totals[1]).toBeGreaterThan(totals[0] ?? 0);
    });

    it('the last event is completed with the download URL and the format', () => {
      for (const events of [short, long])
        expect(events.at(-1)).toMatchObject({
          name: 'completed',
          data: {
            job_id: expect.any(String),
            download_url: expect.stringMatching(/^http/),
            output_type: 'json',
          },
        });
    });
  });

  describe('§6.2 webhooks', () => {
    const getRequests = (name: Behaviour): ReceivedRequest[] =>
      getContext().receiver.requestsTo(hookPath(name));
    const waitForRequests = (name: Behaviour, count: number) =>
      until(
        `${name} was called ${count} times`,
        () => getRequests(name).length >= count && getRequests(name),
      );

    it('a completed job sends one POST with the specified body and headers', async () => {
      const { client, early } = getContext();
      const { job_id } = early.jobsByReceiver.fine;
      const [delivery] = await waitForRequests('fine', 1);
      const body = JSON.parse(String(delivery?.body)) as Record<string, string>;
      expect(body).toEqual({
        job_id,
        status: 'completed',
        download_url: expect.stringMatching(/^http/),
      });
      expect(delivery?.method).toBe('POST');
      expect(delivery?.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Service-Webhook/1',
        'x-svc-event': 'completed',
        'x-svc-delivery': expect.stringMatching(/^[\w-]{8,}$/),
        'x-svc-signature': expect.stringMatching(/^sha256=[\da-f]{64}$/),
      });
      expect((await client.job(job_id)).status).toBe('completed');
    });

    it('a failed job sends one POST with stage and reason', async () => {
      const { client, early } = getContext();
      const { job_id } = early.jobsByReceiver.failing;
      const [delivery] = await waitForRequests('failing', 1);
      const { failed_stage: step, reason } = await client.job(job_id);
      expect(JSON.parse(String(delivery?.body))).toEqual({ job_id, status: 'failed', step, reason });
      expect(delivery?.headers['x-svc-event']).toBe('failed');
    });

    it('each delivery has a unique id', async () => {
      const names = ['fine', 'failing', 'gone'] as const;
      const attempts = await Promise.all(names.map((name) => waitForRequests(name, 1)));
      const ids = attempts.map(([first]) => first?.headers['x-svc-delivery']);
      expect(ids).not.toContain(undefined);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('a 5xx and a broken connection are retried with the same delivery id and body', async () => {
      const attempts = await waitForRequests('recovering', 3);
      for (const { headers, body } of attempts) {
        expect(headers['x-svc-delivery']).toBe(attempts[0]?.headers['x-svc-delivery']);
        expect(headers['x-svc-signature']).toBe(attempts[0]?.headers['x-svc-signature']);
        expect(body.equals(attempts[0]?.body ?? Buffer.alloc(0))).toBe(true);
      }
    });

    it('an attempt times out after ten seconds and is retried', async () => {
      const [first, second] = await waitForRequests('hanging', 2);
      if (first === undefined || second === undefined) return expect.unreachable('two attempts');
      const waitedSeconds = ((await first.endedAt) - first.receivedAt) / 1_000;
      expect(waitedSeconds).toBeGreaterThan(9);
      expect(waitedSeconds).toBeLessThan(15);
      expect(second.headers['x-svc-delivery']).toBe(first.headers['x-svc-delivery']);
    });

    /** Runs after the test above: by then every further attempt would have arrived. */
    it.each<[string, Behaviour, number]>([
      ['2xx acknowledges', 'fine', 1],
      ['a 2xx after failures acknowledges', 'recovering', 3],
      ['a 503 is retried up to four attempts', 'down', 4],
      ['410 is final', 'gone', 1],
      ['429 is final', 'throttling', 1],
      ['302 is final, and not followed', 'moved', 1],
      ['a failed job is reported once', 'failing', 1],
    ])('a final response is not retried: %s', async (_, name, count) => {
      const attempts = await waitForRequests(name, count);
      expect(attempts).toHaveLength(count);
      expect(getContext().receiver.requestsTo('/moved-to')).toEqual([]);
    });

    it('the signature is the HMAC of the raw body under the secret of the account', async () => {
      const { service, account, receiver } = getContext();
      const { signing_secret } = await service.adminJson<{ signing_secret: string }>(
        ...['webhooks', 'secret', 'reveal', '--account', account.account_id, '--json'],
      );
      const { api_key } = await service.createKey(account.account_id);
      const callback_url = receiver.reply('/hooks/another-key', 200);
      await (await service.client(api_key)).submit(silentWav(1), { callback_url });
      const other = await until('the receiver is called', () => receiver.requestsTo('/hooks/another-key')[0]);
      for (const { body, headers } of [...(await waitForRequests('fine', 1)), other])
        expect(headers['x-svc-signature']).toBe(
          `sha256=${createHmac('sha256', signing_secret).update(body).digest('hex')}`,
        );
    });

    it('a job without a callback_url sends no webhook', async () => {
      const { client, early, receiver } = getContext();
      await waitForEnd(client, early.finished.job_id);
      const webhookBodies = receiver.received.map(({ body }) => String(body));
      expect(webhookBodies.filter((body) => body.includes(early.finished.job_id))).toEqual([]);
    });
  });
}
