import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { findFreePort } from './child-process.js';
import { copyThrowawayDatabase, createThrowawayDatabase, type ThrowawayDatabase } from './postgres.js';

/** What the commands of an operator find: a database, and a data directory with the secrets of its service. */
export interface ThrowawayService {
  database: ThrowawayDatabase;
  folder: string;
}

/** @param original which is copied; without one, both are empty */
export async function createThrowawayService(original?: ThrowawayService): Promise<ThrowawayService> {
  const database = await (original ? copyThrowawayDatabase(original.database) : createThrowawayDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  if (original) await cp(original.folder, folder, { recursive: true });
  return { database, folder };
}

/** The commands that follow use this service. */
export async function stubServiceSettings({ database, folder }: ThrowawayService): Promise<void> {
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('PORT', String(await findFreePort()));
}

export async function removeThrowawayService({ database, folder }: ThrowawayService): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
}
