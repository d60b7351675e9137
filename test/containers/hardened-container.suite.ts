import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Variant } from './support/container.js';
import { SERVICE_START_MS, ServiceContainer } from './support/service-container.js';

/** Runs the service in a container while the tests of a `describe` run. */
export function useServiceContainer(
  variant: Variant,
  getSettings: () => Record<string, string> = () => ({}),
): () => ServiceContainer {
  let service: ServiceContainer;
  beforeAll(async () => {
    service = await ServiceContainer.start(variant, getSettings());
  }, SERVICE_START_MS);
  afterAll(() => service?.remove(), SERVICE_START_MS);
  return () => service;
}

/** With a read-only root, without capabilities, not as root. */
export function describeHardenedContainer(getService: () => ServiceContainer): void {
  it('runs as a user without privileges who can write to the volume only', async () => {
    const { container } = getService();
    expect((await container.exec('id', '-u')).stdout.trim()).toBe('10001');
    expect((await container.exec('grep', 'CapPrm', '/proc/self/status')).stdout).toMatch(/\t0+\n$/);
    expect((await container.exec('touch', '/opt/zephyr/x')).code).not.toBe(0);
    expect((await container.exec('touch', '/data/x')).code).toBe(0);
  });

  it('finds no problem, and the whole sandbox of media programs under the seccomp profile that is shipped', async () => {
    const findings = await getService().doctor();
    expect(findings.filter(({ status }) => status === 'problem')).toEqual([]);
    expect(findings.find(({ name }) => name === 'sandbox')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('own files only'),
    });
    expect(await getService().container.log()).not.toContain('with less protection');
  });

  it('is healthy for the engine', async () => {
    expect(await getService().container.isHealthy()).toBe(true);
  });
}
