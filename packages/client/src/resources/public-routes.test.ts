import { describe, expect, it } from 'vitest';
import { NotTheServiceError } from '../errors.js';
import { FakeService } from '../testing/fake-service.js';

const describeService = (info: unknown) =>
  new FakeService({
    'GET /api/v1/openapi.json': () =>
      Response.json({ openapi: '3.1.0', info }, { headers: { date: 'Thu, 26 Nov 2026 13:00:00 GMT' } }),
  })
    .publicRoutes()
    .describeService();

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
      await expect(describeService(info)).rejects.toBeInstanceOf(NotTheServiceError);
    },
  );
});
