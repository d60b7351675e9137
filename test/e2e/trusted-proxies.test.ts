import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers } from './support/console-users.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

const ATTEMPTS = 3;

interface Session {
  current: boolean;
  address: string;
}

for (const { name, env, expected } of [
  { name: 'from a proxy that is not trusted', env: {}, expected: '127.0.0.1' },
  { name: 'from a trusted proxy', env: { TRUSTED_PROXIES: '127.0.0.1' }, expected: '203.0.113.7' },
]) {
  describe(`a request ${name}`, () => {
    const isTrusted = expected !== '127.0.0.1';
    let service: Service;
    let users: ConsoleUsers;

    beforeAll(async () => {
      service = await Service.start({ SIGN_IN_ATTEMPTS_PER_ADDRESS: String(ATTEMPTS), ...env });
      users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
    });
    afterAll(() => service?.stop());

    /** The first address is set by the client and must be ignored. */
    const sentFrom = (address: string) => ({ 'x-forwarded-for': `198.51.100.1, ${address}` });

    it(`has the address ${expected} in the session, the audit log and the log`, async () => {
      const token = (await users.createByRows('olivia@example.org')).split('#')[1];
      const browser = new ConsoleClient(service);
      const headers = sentFrom('203.0.113.7');
      expect((await browser.request('POST', 'sign-in/link', { token }, headers)).status).toBe(200);
      const { body } = await browser.request<{ sessions: Session[] }>('GET', 'profile/sessions');
      expect(body.sessions).toMatchObject([{ current: true, address: expected }]);
      expect((await browser.request('POST', 'keys', { name: 'a' }, headers)).status).toBe(200);
      const audit = await browser.request('GET', 'audit?action=key.created');
      expect(audit.body).toMatchObject({
        events: expect.arrayContaining([
          expect.objectContaining({ details: expect.objectContaining({ name: 'a' }), address: expected }),
        ]),
      });
      await until('the log has the request', async () =>
        (await service.log())
          .split('\n')
          .find((line) => line.includes('"/console/api/keys"') && line.includes(`"address":"${expected}"`)),
      );
    });

    it(`shares a limit on attempts ${isTrusted ? 'with its own address only' : 'with all addresses'}`, async () => {
      const statuses: number[] = [];
      for (const address of [
        '203.0.113.20',
        '203.0.113.20',
        '203.0.113.20',
        '203.0.113.20',
        '203.0.113.21',
      ]) {
        const person = { email: `user${statuses.length}@example.org`, password: 'not the password' };
        const response = await new ConsoleClient(service).request(
          'POST',
          'sign-in',
          person,
          sentFrom(address),
        );
        statuses.push(response.status);
      }
      expect(statuses).toEqual([401, 401, 401, 429, isTrusted ? 401 : 429]);
    });
  });
}
