import { expect } from 'vitest';
import type { Client } from './client.js';

export const PLACES = ['bodies', 'streams', 'json'] as const;

/** What the process says of its places, once it says this. */
export async function expectTaken(
  client: Client,
  places: (typeof PLACES)[number],
  count: number,
): Promise<void> {
  await expect.poll(() => taken(client, places), { timeout: 10_000 }).toBe(count);
}

async function taken(client: Client, places: string): Promise<number> {
  const { text } = await client.send('GET', '/metrics');
  return Number(new RegExp(`^zephyr_places_taken\\{places="${places}".*\\} (\\d+)$`, 'm').exec(text)?.[1]);
}
