import pg from 'pg';

/** Jobs of one insert. */
const BATCH = 50_000;
/** Of an ended job of `own`; the others belong to one account each in turn. */
const OWN_SHARE = 10;
const OPTIONS = JSON.stringify({
  ...{ model: 'zephyr', output_type: 'json', word_timestamps: true, speaker_labels: true },
  ...{ nltk: true, tier: 'standard', custom_vocabulary: null, callback_url: null },
});

/** Parameters: first and last place, the newest place. Ids rise with the time of creation, as those of the service do. */
const JOBS = `
  SELECT number AS place, (lpad(to_hex(number), 8, '0') || '-0000-7000-8000-' || substr(md5(number::text), 1, 12))::uuid AS id,
    owner.id AS account_id, now() - interval '1 day' - ($3 - number) * interval '3 seconds' AS at
  FROM generate_series($1::bigint, $2::bigint) AS number
    JOIN scale_owner owner ON owner.place =
      CASE WHEN number % ${OWN_SHARE} = 0 THEN 0 ELSE 1 + number % (SELECT max(place) FROM scale_owner) END`;

const INSERT_ENDED = [
  `INSERT INTO job (id, account_id, created_at, status, source, options, audio_key, content_type, stored_size, stored_etag,
     queued_at, deadline_at, event_seq, steps_done, steps_total, duration, result_key, finished_at, audio_deleted_at)
   SELECT id, account_id, at, 'completed', 'upload', '${OPTIONS}', 'audio/' || id, 'application/octet-stream', 1000000, md5(id::text),
     at, at + interval '1 day', 2, 1, 1, 60, 'transcripts/' || id || '/f1/transcript.json', at, at FROM (${JOBS}) ended`,
  `INSERT INTO job_event (job_id, seq, type, data, created_at)
   SELECT id, seq, CASE seq WHEN 1 THEN 'progress' ELSE 'completed' END, '{"step": "chunk:0", "completed": 1, "total": 1}', at
   FROM (${JOBS}) ended, generate_series(1, 2) AS seq`,
  `INSERT INTO job_stage (job_id, account_id, name, queue, place, state, fence, attempts, due_at, waiting_since)
   SELECT ended.id, account_id, stage.name, stage.name, 1, 'done', 1, 1, at, at FROM (${JOBS}) ended, unnest(ARRAY['preprocess', 'aggregation']) AS stage (name)`,
  `INSERT INTO credit_entry (account_id, kind, amount, job_id, created_at)
   SELECT account_id, kind, amount, ended.id, at
   FROM (${JOBS}) ended, (VALUES ('hold', -60), ('release', 60), ('capture', -60)) AS entry (kind, amount)`,
  `INSERT INTO webhook_delivery (id, account_id, job_id, url, event, state, finished_at)
   SELECT ended.id, account_id, ended.id, 'http://127.0.0.1:9/', 'completed', 'delivered', at FROM (${JOBS}) ended WHERE place % 5 = 1`,
];
const INSERT_WAITING = [
  `INSERT INTO job (id, account_id, created_at, source, options, audio_key, content_type, stored_size, stored_etag, queued_at, deadline_at)
   SELECT id, account_id, at, 'upload', '${OPTIONS}', 'audio/' || id, 'application/octet-stream', 1000000, md5(id::text), now(),
     now() + interval '1 day' FROM (${JOBS}) waiting`,
  `INSERT INTO job_stage (job_id, account_id, name, queue, place, due_at, waiting_since)
   SELECT id, account_id, 'preprocess', 'preprocess', place, now() - interval '1 minute', now() FROM (${JOBS}) waiting`,
  `INSERT INTO webhook_delivery (id, account_id, job_id, url, event, next_attempt_at)
   SELECT id, account_id, id, 'http://127.0.0.1:9/', 'completed',
     now() - CASE place % ${OWN_SHARE} WHEN 0 THEN interval '2 hours' ELSE interval '1 hour' END FROM (${JOBS}) waiting`,
];

/**
 * Fills a migrated database. Triggers and foreign keys are off meanwhile, so the marks of waiting accounts are written here.
 *
 * @param {string} databaseUrl
 * @param {{ own: string, accounts: number, ended: number, waiting: number }} size own: id of the account with a tenth of the
 *   jobs; accounts: further ones; waiting: jobs with a due stage, each with a webhook that is due
 * @param {(done: number) => void} onProgress
 */
export async function fillDatabase(databaseUrl, { own, accounts, ended, waiting }, onProgress) {
  const client = new pg.Client(databaseUrl).on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query('SET synchronous_commit = off');
    await client.query('CREATE TEMP TABLE scale_owner (place bigint PRIMARY KEY, id uuid NOT NULL)');
    await client.query('INSERT INTO scale_owner VALUES (0, $1)', [own]);
    await client.query(
      `WITH added AS (INSERT INTO account (id, name, balance) SELECT gen_random_uuid(), 'scale', 1000000 FROM generate_series(1, $1) RETURNING id)
       INSERT INTO scale_owner SELECT row_number() OVER (), id FROM added`,
      [accounts],
    );
    for (let first = 1; first <= ended; first += BATCH) {
      const last = Math.min(ended, first + BATCH - 1);
      for (const statement of INSERT_ENDED) await client.query(statement, [first, last, ended]);
      onProgress(last);
    }
    const places = [ended + 1, ended + waiting, ended + waiting];
    if (waiting > 0) for (const statement of INSERT_WAITING) await client.query(statement, places);
    await client.query(
      `INSERT INTO turn (queue, account_id) SELECT DISTINCT queue, account_id FROM job_stage WHERE state = 'pending'
       UNION SELECT 'webhook', account_id FROM webhook_delivery WHERE state = 'pending'`,
    );
    await client.query('DROP TABLE scale_owner');
    // As autovacuum does after that many inserts.
    await client.query('VACUUM ANALYZE');
    // Otherwise the first operations would wait for the pages of the inserts.
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
