import { expect } from 'vitest';
import type { Client } from './client.js';

export const CONCURRENCY_LIMITS = ['bodies', 'streams', 'json'] as const;

/** What the process says of its places, once it says this. */
export async function expectConcurrencyInUse(
  client: Client,
  places: (typeof CONCURRENCY_LIMITS)[number],
  count: number,
): Promise<void> {
  await expect.poll(() => readConcurrencyInUse(client, places), { timeout: 10_000 }).toBe(count);
}

async function readConcurrencyInUse(client: Client, places: string): Promise<number> {
  const { text } = await client.send('GET', '/metrics');
  return Number(
    new RegExp(`^zephyr_concurrency_in_use\\{places="${places}".*\\} (\\d+)$`, 'm').exec(text)?.[1],
  );
}
