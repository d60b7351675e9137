import pg from 'pg';

const NEWEST = Date.parse('2026-11-01T00:00:00Z');
/** The rows of a completed job with one chunk. */
const INSERT = `
  INSERT INTO job (id, account_id, created_at, status, source, options, audio_key, content_type, stored_size, stored_etag,
    queued_at, deadline_at, event_seq, steps_done, steps_total, duration, result_key, finished_at, audio_deleted_at)
  SELECT id, $1::uuid, at, 'completed', 'upload', $4::jsonb, 'audio/' || id, 'application/octet-stream', 1000000, md5(id::text),
    at, at + interval '1 day', 3, 2, 2, 60, 'transcripts/' || id || '/1.json', at, at
  FROM generate_series($2::bigint - 1, 0, -1) AS place,
    LATERAL (SELECT to_timestamp($3::float8 / 1000) - place * interval '1 second' AS at,
      overlay($1::uuid::text PLACING lpad(to_hex(place), 12, '0') FROM 25)::uuid AS id) AS job`;
const OPTIONS = {
  ...{ model: 'zephyr', output_type: 'json', word_timestamps: true, speaker_labels: true },
  ...{ nltk: true, tier: 'standard', custom_vocabulary: null, callback_url: null },
};

/**
 * Inserts finished jobs at intervals of a second, oldest first.
 *
 * @param {string} databaseUrl @param {{ accountId: string, count: number }[]} accounts
 */
export async function insertEndedJobs(databaseUrl, accounts) {
  const client = new pg.Client(databaseUrl).on('error', () => undefined);
  await client.connect();
  try {
    for (const { accountId, count } of accounts)
      await client.query(INSERT, [accountId, count, NEWEST, JSON.stringify(OPTIONS)]);
    // As autovacuum does after that many inserts.
    await client.query('VACUUM ANALYZE job');
  } finally {
    await client.end();
  }
}

/** `created_at` of the job that has `age` newer ones. @param {number} age */
export function getCreationTime(age) {
  return new Date(NEWEST - age * 1_000).toISOString().replace('Z', '000Z');
}
