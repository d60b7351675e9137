import { expect } from 'vitest';
import type { Client } from './client.js';

export const CONCURRENCY_LIMITS = ['bodies', 'streams', 'json', 'unauthenticated_json'] as const;

/** Waits until the process reports this use of the limit. */
export async function expectConcurrencyInUse(
  client: Client,
  resource: (typeof CONCURRENCY_LIMITS)[number],
  count: number,
): Promise<void> {
  await expect.poll(() => readConcurrencyInUse(client, resource), { timeout: 10_000 }).toBe(count);
}

async function readConcurrencyInUse(client: Client, resource: string): Promise<number> {
  const { text } = await client.send('GET', '/metrics');
  return Number(
    new RegExp(`^zephyr_concurrency_in_use\\{resource="${resource}".*\\} (\\d+)$`, 'm').exec(text)?.[1],
  );
}
