import { createJobWorld, type World } from './job-world.js';

/** A database that a program has been started on: it has an installation id, and no object store yet. */
export async function createInstalledWorld(): Promise<World> {
  const world = await createJobWorld();
  await world.rows(`INSERT INTO installation (secret_fingerprint) VALUES ('test')`);
  return world;
}

/** Like `pg_dump` and a restore into the same database: later writes are lost. */
export async function simulateRestoreOfOlderRows(world: World, generation: number): Promise<void> {
  await world.rows('UPDATE installation SET generation = $1', generation);
}
