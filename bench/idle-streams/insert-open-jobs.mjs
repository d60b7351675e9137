import pg from 'pg';

/** A queued job that has not started. */
const INSERT = `
  INSERT INTO job (id, account_id, created_at, source, options, audio_key, content_type, queued_at, deadline_at, steps_total)
  SELECT gen_random_uuid(), $1, now() + place * interval '1 microsecond', 'upload', '{"output_type": "json"}', 'audio/bench',
    'application/octet-stream', now(), now() + interval '1 day', 1000000
  FROM generate_series(1, $2) AS place RETURNING id`;

/**
 * Inserts queued jobs, which stay unchanged as no processor runs.
 *
 * @param {string} databaseUrl @param {{ accountId: string, apiKey: string }[]} accounts @param {number} count of each
 * @returns {Promise<{ id: string, apiKey: string }[]>}
 */
export async function insertOpenJobs(databaseUrl, accounts, count) {
  const client = new pg.Client(databaseUrl).on('error', () => undefined);
  await client.connect();
  try {
    const jobs = [];
    for (const { accountId, apiKey } of accounts) {
      const { rows } = await client.query(INSERT, [accountId, count]);
      jobs.push(...rows.map(({ id }) => ({ id, apiKey })));
    }
    await client.query('VACUUM ANALYZE job');
    return jobs;
  } finally {
    await client.end();
  }
}
