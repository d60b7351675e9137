import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.js';
import { WebhookReceiver } from './support/webhook-receiver.js';
import type { RunningService } from './support/running-service.js';
import { until } from './support/until.js';

interface DeliveryRow {
  delivery_id: string;
  job_id: string;
  state: string;
  attempts: number;
}

/** The service must admit receivers on loopback. */
export function describeWebhookCommands(getService: () => RunningService): void {
  describe('operator commands: webhooks', () => {
    let service: RunningService;
    let receiver: WebhookReceiver;
    let account: { id: string; caller: Client };
    /** Once a test has revealed it. */
    let secret: string | undefined;
    beforeAll(async () => {
      service = getService();
      receiver = await WebhookReceiver.start();
      receiver.reply('/hook', 400, 400, 204);
      const { account_id: id, api_key } = await service.openAccount(1);
      account = { id, caller: await service.client(api_key) };
    });
    afterAll(() => receiver?.close());

    /** Creates and ends a job whose webhook arrives at the receiver. */
    const createDeliveredJob = async () => {
      const before = receiver.received.length;
      const { job_id } = await account.caller.create({ file_size: 1, callback_url: `${receiver.url}/hook` });
      await account.caller.post('/jobs/cancel', { job_id });
      await until('the receiver gets the webhook', async () => receiver.received.length > before);
      return job_id;
    };
    const deliveries = (...filter: string[]) =>
      service.adminJson<DeliveryRow[]>(
        ...['webhooks', 'deliveries', '--account', account.id, '--json', ...filter],
      );
    const waitForDeliveries = (count: number, state: string) =>
      until(`${count} are ${state}`, async () => {
        const rows = await deliveries('--state', state);
        return rows.length === count ? rows : undefined;
      });
    const runSecretCommand = async (action: string, ...options: string[]) =>
      (
        await service.adminJson<{ signing_secret: string }>(
          ...['webhooks', 'secret', action, '--account', account.id, '--json', ...options],
        )
      ).signing_secret;
    /** The newest delivery carries the signatures under these secrets. */
    const expectSigned = (key: string, previous?: string) => {
      const { body, headers } = receiver.received.at(-1) ?? expect.unreachable('a notification');
      const signature = (secretKey: string) =>
        `sha256=${createHmac('sha256', secretKey).update(body).digest('hex')}`;
      expect(headers['x-svc-signature']).toBe(signature(key));
      expect(headers['x-svc-signature-previous']).toBe(previous && signature(previous));
    };

    it('deliveries and attempts list what was sent, and replay sends one or all failed deliveries again', async () => {
      const jobs = [await createDeliveredJob(), await createDeliveredJob()];
      const [newest, older] = await waitForDeliveries(2, 'failed');
      expect([older?.job_id, newest?.job_id]).toEqual(jobs);
      expect(await deliveries('--limit', '1', '--before', newest?.delivery_id ?? '')).toEqual([older]);
      const id = newest?.delivery_id ?? '';
      expect(await service.adminJson('webhooks', 'attempts', id, '--json')).toEqual([
        { number: 1, at: expect.any(String), status_code: 400, error: null, ms: expect.any(Number) },
      ]);

      expect(await service.adminJson('webhooks', 'replay', id, '--json')).toEqual({
        delivery_id: id,
        replayed: true,
      });
      expect(await waitForDeliveries(1, 'delivered')).toMatchObject([{ delivery_id: id, attempts: 2 }]);
      const all = ['webhooks', 'replay', '--account', account.id, '--failed', '--json'];
      expect(await service.adminJson(...all, '--since', '2999-01-01')).toMatchObject({ replayed: 0 });
      expect(await service.adminJson(...all, '--since', '2020-01-01T00:00')).toMatchObject({ replayed: 1 });
      await until('both are delivered', async () => {
        const query = `SELECT id FROM webhook_delivery WHERE account_id = $1 AND state = 'delivered'`;
        return (await service.query(query, [account.id])).length === 2;
      });
      expect(receiver.received.map(({ headers }) => headers['x-svc-delivery']).slice(-2)).toEqual([
        id,
        older?.delivery_id,
      ]);
    });

    it('§5 secret reveal and rotate sign later webhooks with the new secret', async () => {
      const first = await runSecretCommand('reveal');
      await createDeliveredJob();
      expectSigned(first);
      const second = await runSecretCommand('rotate');
      expect(second).not.toBe(first);
      expect(await runSecretCommand('reveal')).toBe(second);
      await createDeliveredJob();
      expectSigned(second);
      secret = second;
    });

    it('secret rotate --overlap adds the signature under the previous secret until the overlap ends', async () => {
      const first = secret ?? (await runSecretCommand('reveal'));
      const second = await runSecretCommand('rotate', '--overlap', '1h');
      await createDeliveredJob();
      expectSigned(second, first);
      const third = await runSecretCommand('rotate');
      await createDeliveredJob();
      expectSigned(third);
    });
  });
}
