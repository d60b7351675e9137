import { createJobWorld, type World } from './job-world.js';

/** A database that has an installation id but no object store yet, as after the first start of a program. */
export async function createInstalledWorld(): Promise<World> {
  const world = await createJobWorld();
  await world.rows(`INSERT INTO installation (secret_fingerprint) VALUES ('test')`);
  return world;
}

/** Sets the generation back, like the restore of an older dump into the same database. */
export async function simulateRestoreOfOlderRows(world: World, generation: number): Promise<void> {
  await world.rows('UPDATE installation SET generation = $1', generation);
}
