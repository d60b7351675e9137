import type { AdminServices } from '../command-context.js';

/** Everything that is encrypted in the database. */
export function encryptedTables({
  secrets,
  storedResponses: answers,
  webhookBodies: bodies,
  hashingKey,
}: AdminServices) {
  return [secrets, answers, bodies, hashingKey];
}

/** How many rows are encrypted under another key than the current one. */
export async function countOutdatedRows(tools: AdminServices): Promise<number> {
  let rows = 0;
  for (const table of encryptedTables(tools)) rows += await table.countOutdated();
  return rows;
}
