import { describe, expect, it } from 'vitest';
import { WrongServerError } from '../errors.js';
import { FakeService } from '../testing/fake-service.js';

const describeService = (info: unknown) =>
  new FakeService({
    'GET /api/v1/openapi.json': () =>
      Response.json({ openapi: '3.1.0', info }, { headers: { date: 'Thu, 26 Nov 2026 13:00:00 GMT' } }),
  })
    .unauthenticatedClient()
    .describeService();

describe('a sign-in through the console', () => {
  it('is started and polled with the codes in bodies, and without a key', async () => {
    const service = new FakeService({
      'POST /console/api/command-line/start': () => Response.json({ device_code: 'd', user_code: 'B' }),
      'POST /console/api/command-line/poll': () => Response.json({ state: 'pending', api_key: null }),
    });
    const routes = service.unauthenticatedClient();
    expect(await routes.startSignIn('laptop')).toEqual({ device_code: 'd', user_code: 'B' });
    expect(await routes.pollSignIn('d')).toEqual({ state: 'pending', api_key: null });
    expect(service.requests.map(({ json }) => json)).toEqual([{ machine: 'laptop' }, { device_code: 'd' }]);
    for (const { headers } of service.requests) {
      expect(headers.get('x-console')).toBe('1');
      expect(headers.has('x-api-key')).toBe(false);
    }
  });
});

describe('the description of the service', () => {
  it('has the versions and the clock', async () => {
    const info = { title: 'zephyr', version: '1.0.0', 'x-package-version': '0.2.0' };
    expect(await describeService(info)).toEqual({
      packageVersion: '0.2.0',
      interfaceVersion: '1.0.0',
      date: new Date('2026-11-26T13:00:00Z'),
    });
  });

  it.each([[{ title: 'Petstore', version: '1.0.0' }], [undefined], [null]])(
    'is refused if it is that of another one: %j',
    async (info) => {
      await expect(describeService(info)).rejects.toBeInstanceOf(WrongServerError);
    },
  );
});
