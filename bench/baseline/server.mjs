/**
 * The minimal server of two routes: Fastify, pg, the same queries and inserts on the same tables and indexes. No further key
 * checks, validation, logs, metrics or signatures. Started by `bench/http.mjs` with DATABASE_URL.
 */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';

/** The default pool size of the service. */
const POOL_SIZE = 12;

const KEY = {
  name: 'key',
  text: 'SELECT account_id, hash FROM api_key WHERE id = $1 AND revoked_at IS NULL',
};
const JOB = {
  name: 'job',
  text: 'SELECT id, status, options, result_key, failed_stage, reason FROM job WHERE id = $1 AND account_id = $2',
};
/** All writes of a create and the credit check, in one round trip and one commit. */
const CREATE = {
  name: 'create',
  text: `WITH moment AS (
           UPDATE account
           SET last_job_at = GREATEST(clock_timestamp(), last_job_at + interval '1 microsecond')
           WHERE id = $2 AND balance > 0 RETURNING last_job_at
         )
         INSERT INTO job (id, account_id, created_at, source, options, audio_key, content_type, upload_expires_at)
         SELECT $1, $2, last_job_at, 'upload', $3, $4, 'application/octet-stream', now() + interval '1 hour'
         FROM moment`,
};
const OPTIONS = {
  model: 'zephyr',
  output_type: 'json',
  word_timestamps: true,
  speaker_labels: true,
  nltk: true,
  tier: 'standard',
  custom_vocabulary: null,
  callback_url: null,
};

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: POOL_SIZE });
const app = Fastify({ genReqId: () => randomUUID() });

app.get('/api/v1/jobs/:job_id', async (request, reply) => {
  const account = await authenticate(request);
  const { rows } = await pool.query({ ...JOB, values: [request.params.job_id, account] });
  if (rows.length === 0) return reply.status(404).send({ title: 'Not found' });
  const [{ id, status, result_key, failed_stage, reason }] = rows;
  return { job_id: id, status, download_url: result_key, failed_stage, reason };
});

app.post('/api/v1/upload', async (request, reply) => {
  const account = await authenticate(request);
  const id = uuidv7();
  const key = `audio/${id}`;
  const values = [id, account, JSON.stringify({ ...OPTIONS, ...request.body.options }), key];
  const { rowCount } = await pool.query({ ...CREATE, values });
  if (rowCount === 0) return reply.status(402).send({ title: 'Out of credit' });
  return {
    job_id: id,
    upload_url: `http://127.0.0.1/objects/${key}`,
    download_url: `http://127.0.0.1/transcripts/${id}`,
    content_type: 'application/octet-stream',
    expires_in: 3600,
  };
});

async function authenticate({ headers }) {
  const [, id] = headers['x-api-key'].split('_');
  const { rows } = await pool.query({ ...KEY, values: [id] });
  return rows[0].account_id;
}

await app.listen({ port: 0, host: '127.0.0.1' });
process.send({ port: app.server.address().port });
process.once('disconnect', () => process.exit());
