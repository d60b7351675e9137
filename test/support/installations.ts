import { createJobWorld, type World } from './job-world.js';

/** A database that has an installation id but no object store yet, as after the first start of a program. */
export async function createInstalledWorld(): Promise<World> {
  const world = await createJobWorld();
  await replaceInstallation(world);
  return world;
}

/** Gives the database a new installation id; its jobs stay. */
export async function replaceInstallation(world: World): Promise<void> {
  await world.rows('DELETE FROM installation');
  await world.rows(`INSERT INTO installation (secret_fingerprint) VALUES ('test')`);
}

/** Sets the generation back, like the restore of an older dump into the same database. */
export async function simulateRestoreOfOlderRows(world: World, generation: number): Promise<void> {
  await world.rows('UPDATE installation SET generation = $1', generation);
}
