import type { Pool } from 'pg';
import { ROW_INVARIANTS } from './row-invariants.js';
import type { StoredObjects } from './stored-objects.js';
import type { ObservationRecorder } from './observation-recorder.js';

/** The input of all invariants. */
export interface InvariantInputs {
  /** A connection to the service's database that uses no code of the service. */
  database: Pool;
  stored: StoredObjects;
  /** What callers and webhook receivers observed, if a test recorded it. */
  observations?: ObservationRecorder;
}

const MAX_EXAMPLES = 5;

/**
 * Evaluates every invariant about jobs, events, credits, webhooks and objects; each violation is a sentence with examples.
 * They hold only after all jobs have ended and the sweeps have run. Credits are evaluated at the default price.
 */
export async function findInvariantViolations(evidence: InvariantInputs): Promise<string[]> {
  const found = [
    ...(await findRowViolations(evidence.database)),
    ...(await findObjectViolations(evidence)),
    ...(await findObservationViolations(evidence)),
  ];
  return found.map(({ invariant, examples }) => {
    const more = examples.length > MAX_EXAMPLES ? ` and ${examples.length - MAX_EXAMPLES} more` : '';
    return `${invariant}, but: ${examples.slice(0, MAX_EXAMPLES).join('; ')}${more}`;
  });
}

interface Violation {
  invariant: string;
  examples: string[];
}

async function findRowViolations(database: Pool): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { invariant, violationsQuery } of ROW_INVARIANTS) {
    const { rows } = await database.query<{ what: string }>(violationsQuery);
    violations.push({ invariant, examples: rows.map(({ what }) => what) });
  }
  return violations.filter(isViolated);
}

async function findObjectViolations({ database, stored }: InvariantInputs): Promise<Violation[]> {
  const { rows } = await database.query<{ key: string }>(
    'SELECT result_key AS key FROM job WHERE result_key IS NOT NULL',
  );
  // A rendered transcript lies beside its transcript document, in a separate folder.
  const folders = new Set(rows.map(({ key }) => key.slice(0, key.lastIndexOf('/') + 1)));
  const owned = new Set(
    rows.flatMap(({ key }) => [key, `${key.slice(0, key.lastIndexOf('/'))}/document.json`]),
  );
  const problems: string[] = [];
  for (const key of owned) {
    const problem = await stored.findProblem(key);
    if (problem !== null) problems.push(problem);
  }
  const orphans = (await stored.keys()).filter((key) => !folders.has(key.slice(0, key.lastIndexOf('/') + 1)));
  return [
    { invariant: 'a completed job has its transcript and its document, byte for byte', examples: problems },
    { invariant: 'nothing else is stored', examples: [...orphans, ...(await stored.leftovers())] },
  ].filter(isViolated);
}

interface Ended {
  id: string;
  status: string;
  finishedAt: Date;
  deliveryId: string | null;
  delivery: string | null;
}

async function findObservationViolations({ database, observations }: InvariantInputs): Promise<Violation[]> {
  if (observations === undefined) return [];
  const { rows } = await database.query<Ended>(
    `SELECT job.id, status, job.finished_at AS "finishedAt", delivery.id AS "deliveryId", state AS delivery
     FROM job LEFT JOIN webhook_delivery delivery ON job_id = job.id`,
  );
  return observations.findContradictions(rows).filter(isViolated);
}

function isViolated({ examples }: Violation): boolean {
  return examples.length > 0;
}
