import { createDataSource } from '@app/database';
import { DEFAULT_JOB_OPTIONS } from '@app/jobs';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { MIGRATIONS } from '../../libs/database/src/migrations/index.js';

/** The last migration of version 0.1.0. */
export const RELEASE_0_1_0 = 'NoPolicies1763760000000';

/** Names of the migrations up to this one. */
export function listMigrationNamesUpTo(last: string): string[] {
  const names = MIGRATIONS.map(({ name }) => name);
  return names.slice(0, names.indexOf(last) + 1);
}

/** Migrates an empty or older database to the version whose last migration is `last`, and opens it. */
export async function openDatabaseAtMigration(url: string, last: string): Promise<DataSource> {
  const names = listMigrationNamesUpTo(last);
  const migrations = MIGRATIONS.filter(({ name }) => names.includes(name));
  const dataSource = createDataSource({ url, poolSize: 2, applicationName: 'test', migrations });
  await dataSource.initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  return dataSource;
}

export interface OlderSchemaRows {
  account: string;
  completed: string;
  /** A queued job whose first stage is running. */
  open: string;
  /** A pending delivery of the completed job. */
  delivery: string;
}

/** Inserts rows of a service in the columns that every version since 0.1.0 has. */
export async function insertOlderSchemaRows(
  db: DataSource,
  secretFingerprint: string,
): Promise<OlderSchemaRows> {
  const [account, completed, open, delivery] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const options = { ...DEFAULT_JOB_OPTIONS, callback_url: 'http://127.0.0.1:9/hook' };
  const statements: [string, unknown[]][] = [
    ['INSERT INTO installation (secret_fingerprint) VALUES ($1)', [secretFingerprint]],
    [`INSERT INTO account (id, name, balance) VALUES ($1, 'an organisation', 90)`, [account]],
    [
      `INSERT INTO api_key (id, account_id, name, hash) VALUES ('key', $1, 'first', sha256('key'))`,
      [account],
    ],
    [
      `INSERT INTO job (id, account_id, created_at, status, source, options, audio_key, content_type, stored_size,
         stored_etag, queued_at, deadline_at, event_seq, steps_done, steps_total, duration, result_key, finished_at,
         audio_deleted_at)
       SELECT $1, $2, now() - interval '1 hour', 'completed', 'upload', $3, 'audio/' || $1::uuid, 'audio/wav', 5, 'etag',
         now(), now() + interval '1 day', 1, 3, 3, 1.5, 'transcripts/' || $1::uuid || '/f1/transcript.json', now(), now()`,
      [completed, account, options],
    ],
    [
      `INSERT INTO job (id, account_id, created_at, source, options, audio_key, content_type, stored_size, stored_etag,
         queued_at, deadline_at)
       SELECT $1, $2, now(), 'upload', $3, 'audio/' || $1::uuid, 'audio/wav', 5, 'etag', now(), now() + interval '1 day'`,
      [open, account, options],
    ],
    [`INSERT INTO job_event (job_id, seq, type, data) VALUES ($1, 1, 'completed', '{}')`, [completed]],
    [
      `INSERT INTO job_stage (job_id, name, queue, account_id, state, attempts, fence, lease_until)
       VALUES ($1, 'preprocess', 'preprocess', $2, 'running', 1, 1, now() + interval '15 s')`,
      [open, account],
    ],
    [
      `INSERT INTO credit_entry (account_id, kind, amount, job_id, note)
       VALUES ($1, 'grant', 92, NULL, 'first'), ($1, 'hold', -2, $2, NULL), ($1, 'capture', 0, $2, NULL)`,
      [account, completed],
    ],
    [
      `INSERT INTO webhook_delivery (id, account_id, job_id, url, event, attempts)
       VALUES ($1, $2, $3, 'http://127.0.0.1:9/hook', 'completed', 1)`,
      [delivery, account, completed],
    ],
    [`INSERT INTO webhook_attempt (delivery_id, number, error, ms) VALUES ($1, 1, 'refused', 3)`, [delivery]],
  ];
  for (const [sql, values] of statements) await db.query(sql, values);
  return { account, completed, open, delivery };
}
