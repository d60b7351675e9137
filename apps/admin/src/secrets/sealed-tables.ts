import type { Tools } from '../workplace.js';

/** Everything that is encrypted in the database. */
export function sealedTables({ secrets, answers, bodies, hashingKey }: Tools) {
  return [secrets, answers, bodies, hashingKey];
}

/** How many rows are encrypted under another key than the current one. */
export async function outdatedRows(tools: Tools): Promise<number> {
  let rows = 0;
  for (const table of sealedTables(tools)) rows += await table.countOutdated();
  return rows;
}
