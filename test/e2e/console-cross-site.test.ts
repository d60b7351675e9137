import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { CONSOLE_ROUTES } from './support/console-routes.js';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

const CHANGES = CONSOLE_ROUTES.filter(({ method }) => method !== 'GET');
const READS = CONSOLE_ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes(':'));

let service: RunningService;
let browser: ConsoleClient;

beforeAll(async () => {
  service = await useSharedService();
  const users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
  browser = await users.createWithPassword('owner@cross-site.example.org');
});

function send(method: string, path: string, headers: Record<string, string>) {
  const address = path.replaceAll(/:\w+/g, randomUUID());
  return browser.request<{ code?: string }>(method, address, method === 'GET' ? undefined : {}, headers);
}

describe('a page of another site', () => {
  it.each(CHANGES)('does not reach $method $path with the cookie of a signed-in user', async (route) => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${service.baseUrl}.evil.example` },
      { 'x-console': '' },
    ] as Record<string, string>[])
      expect(await send(route.method, route.path, headers), JSON.stringify(headers)).toMatchObject({
        status: 403,
        body: { code: 'cross_site_request' },
      });
    expect((await browser.request('GET', 'session')).status).toBe(200);
  });

  it.each(READS)('is not permitted to read $path', async ({ path }) => {
    const { headers } = await send('GET', path, { origin: 'https://evil.example' });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each(CHANGES)('gets no permission to send $method $path', async ({ method, path }) => {
    const { headers } = await send('OPTIONS', path, {
      origin: 'https://evil.example',
      'access-control-request-method': method,
      'access-control-request-headers': 'x-console,content-type',
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('access-control-allow-headers')).toBeNull();
  });
});
