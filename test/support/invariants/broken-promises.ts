import type { Pool } from 'pg';
import { ROW_RULES } from './row-rules.js';
import type { StoredObjects } from './stored-objects.js';
import type { Witness } from './witness.js';

/** Everything that the promises are judged by. */
export interface Evidence {
  /** The service's database, seen past the service. */
  database: Pool;
  stored: StoredObjects;
  /** What callers and receivers were told, where somebody wrote it down. */
  witness?: Witness;
}

const SHOWN = 5;

/**
 * The one judge of all tests that break something: every promise about jobs, events, credits, notifications and
 * objects that does not hold, each a sentence with examples. To be asked when all jobs have ended and the sweeps have
 * been by. Credits are judged at the usual price.
 */
export async function brokenPromises(evidence: Evidence): Promise<string[]> {
  const found = [
    ...(await brokenByRows(evidence.database)),
    ...(await brokenByObjects(evidence)),
    ...(await brokenByWords(evidence)),
  ];
  return found.map(({ promise, examples }) => {
    const more = examples.length > SHOWN ? ` and ${examples.length - SHOWN} more` : '';
    return `${promise}, but: ${examples.slice(0, SHOWN).join('; ')}${more}`;
  });
}

interface Broken {
  promise: string;
  examples: string[];
}

async function brokenByRows(database: Pool): Promise<Broken[]> {
  const judged: Broken[] = [];
  for (const { promise, broken } of ROW_RULES) {
    const { rows } = await database.query<{ what: string }>(broken);
    judged.push({ promise, examples: rows.map(({ what }) => what) });
  }
  return judged.filter(isBroken);
}

async function brokenByObjects({ database, stored }: Evidence): Promise<Broken[]> {
  const { rows } = await database.query<{ key: string }>(
    'SELECT result_key AS key FROM job WHERE result_key IS NOT NULL',
  );
  // A transcript lies beside the document that it was made from, in a folder of their own.
  const folders = new Set(rows.map(({ key }) => key.slice(0, key.lastIndexOf('/') + 1)));
  const owned = new Set(
    rows.flatMap(({ key }) => [key, `${key.slice(0, key.lastIndexOf('/'))}/document.json`]),
  );
  const troubles: string[] = [];
  for (const key of owned) {
    const trouble = await stored.trouble(key);
    if (trouble !== null) troubles.push(trouble);
  }
  const orphans = (await stored.keys()).filter((key) => !folders.has(key.slice(0, key.lastIndexOf('/') + 1)));
  return [
    { promise: 'a completed job has its transcript and its document, byte for byte', examples: troubles },
    { promise: 'nothing else is stored', examples: [...orphans, ...(await stored.leftovers())] },
  ].filter(isBroken);
}

interface Ended {
  id: string;
  status: string;
  finishedAt: Date;
  deliveryId: string | null;
  delivery: string | null;
}

async function brokenByWords({ database, witness }: Evidence): Promise<Broken[]> {
  if (witness === undefined) return [];
  const { rows } = await database.query<Ended>(
    `SELECT job.id, status, job.finished_at AS "finishedAt", delivery.id AS "deliveryId", state AS delivery
     FROM job LEFT JOIN webhook_delivery delivery ON job_id = job.id`,
  );
  return witness.contradictions(rows).filter(isBroken);
}

function isBroken({ examples }: Broken): boolean {
  return examples.length > 0;
}
