import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from './support/running-service.js';

const SCRIPT = '<script>alert(1)</script>';
/** Nothing listens at port 9. */
const URL_OF_NOTHING = 'http://127.0.0.1:9/hook?token=secret';

interface EndpointRow {
  endpoint_id: string;
  url: string;
  events: string[];
  enabled: boolean;
}

/** The service must admit receivers on loopback. */
export function describeEndpointCommands(getService: () => RunningService): void {
  describe('operator commands: webhook endpoints', () => {
    let service: RunningService;
    let accountId: string;
    beforeAll(async () => {
      service = getService();
      accountId = (await service.openAccount(0)).account_id;
    });

    const run = <T>(...args: string[]) =>
      service.adminJson<T>('webhooks', 'endpoints', ...args, '--account', accountId, '--json');

    it('create, change, disable, enable, list and delete, each with an audit event', async () => {
      const created = await run<EndpointRow>('create', URL_OF_NOTHING, '--description', SCRIPT);
      const id = created.endpoint_id;
      const find = async () => (await run<EndpointRow[]>('list')).find((row) => row.endpoint_id === id);
      const read = async () =>
        (await service.query('SELECT events, enabled FROM webhook_endpoint WHERE id = $1', [id]))[0];
      expect(await find()).toMatchObject({
        ...{ url: URL_OF_NOTHING, description: SCRIPT, events: ['completed', 'failed'], enabled: true },
      });
      await run('change', id, '--events', 'completed');
      await run('disable', id);
      expect(await read()).toMatchObject({ events: ['completed'], enabled: false });
      await run('enable', id);
      expect(await read()).toMatchObject({ enabled: true });
      await run('delete', id);
      expect(await find()).toBeUndefined();
      const events = await service.adminJson<{ action: string; target: string }[]>(
        ...['audit', '--account', accountId, '--action', 'webhooks.', '--json'],
      );
      expect(events.map(({ action, target }) => [action, target])).toEqual(
        ['deleted', 'enabled', 'disabled', 'changed', 'created'].map((change) => [
          ...[`webhooks.endpoint_${change}`, id],
        ]),
      );
      expect(JSON.stringify(events)).not.toContain('token=secret');
    });

    it('reject private addresses and unknown endpoints', async () => {
      const runEndpointsCommand = (...args: string[]) =>
        service.admin('webhooks', 'endpoints', ...args, '--account', accountId);
      const addressed = await runEndpointsCommand('create', 'http://10.0.0.1/');
      expect([addressed.code, addressed.stderr]).toEqual([
        1,
        expect.stringContaining('10.0.0.1 does not lead to public addresses only'),
      ]);
      const unknown = await runEndpointsCommand('disable', '0193a5c0-0000-7000-8000-000000000000');
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        expect.stringContaining('no such webhook endpoint'),
      ]);
    });
  });
}
