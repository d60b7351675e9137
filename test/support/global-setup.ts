import { holdTestServer } from './postgres.js';

/** Keeps one Postgres server for the whole run, so that it does not stop and start between test files. */
export default async function setup(): Promise<() => Promise<void>> {
  const { release } = await holdTestServer();
  return release;
}
