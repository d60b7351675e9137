import type { Pool } from 'pg';
import { ROW_INVARIANTS } from './row-invariants.js';
import type { StoredObjects } from './stored-objects.js';
import type { FinalJobState, ObservationRecorder } from './observation-recorder.js';

export interface InvariantInputs {
  /** A connection to the service's database that uses no code of the service. */
  database: Pool;
  stored: StoredObjects;
  /** What callers and webhook receivers observed, if a test recorded it. */
  observations?: ObservationRecorder;
}

const MAX_EXAMPLES = 5;

/**
 * Checks every invariant of jobs, events, credits, webhooks and objects; a violation is a sentence with examples. The
 * invariants hold only after all jobs have ended and the sweeps have run. Credits are checked at the default price.
 */
export async function findInvariantViolations(inputs: InvariantInputs): Promise<string[]> {
  const violations = [
    ...(await findRowViolations(inputs.database)),
    ...(await findObjectViolations(inputs)),
    ...(await findObservationViolations(inputs)),
  ];
  return violations.map(({ invariant, examples }) => {
    const more = examples.length > MAX_EXAMPLES ? ` and ${examples.length - MAX_EXAMPLES} more` : '';
    return `violated: ${invariant}: ${examples.slice(0, MAX_EXAMPLES).join('; ')}${more}`;
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
  // A rendered transcript and its transcript document share a folder that contains nothing of other jobs.
  const folders = new Set(rows.map(({ key }) => key.slice(0, key.lastIndexOf('/') + 1)));
  const expectedKeys = new Set(
    rows.flatMap(({ key }) => [key, `${key.slice(0, key.lastIndexOf('/'))}/document.json`]),
  );
  const problems: string[] = [];
  for (const key of expectedKeys) {
    const problem = await stored.findProblem(key);
    if (problem !== null) problems.push(problem);
  }
  const orphans = (await stored.listKeys()).filter(
    (key) => !folders.has(key.slice(0, key.lastIndexOf('/') + 1)),
  );
  return [
    {
      invariant:
        'the transcript and the document of a completed job are stored with the recorded size and checksum',
      examples: problems,
    },
    {
      invariant: 'only transcripts and documents of completed jobs are stored',
      examples: [...orphans, ...(await stored.listLeftovers())],
    },
  ].filter(isViolated);
}

async function findObservationViolations({ database, observations }: InvariantInputs): Promise<Violation[]> {
  if (observations === undefined) return [];
  const { rows } = await database.query<FinalJobState>(
    `SELECT job.id, status, job.finished_at AS "finishedAt", delivery.id AS "deliveryId", state AS delivery
     FROM job LEFT JOIN webhook_delivery delivery ON delivery.job_id = job.id`,
  );
  return observations.findContradictions(rows).filter(isViolated);
}

function isViolated({ examples }: Violation): boolean {
  return examples.length > 0;
}
