import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, synthesizeSpeech } from '../e2e/support/audio.js';
import { type Client, type CreatedJob, expectStatus } from '../e2e/support/client.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { Service } from '../e2e/support/service.js';
import { startExternalDependencies, type Dependencies } from '../e2e/support/dependencies.js';
import { until } from '../e2e/support/until.js';

const PLANTED_SETTINGS = {
  SERVICE_SECRET: 'planted-service-secret-0123456789abcdef',
  ENCRYPTION_KEYS: 'planted-encryption-key-0123456789abcdef',
  S3_SECRET_ACCESS_KEY: 'planted-store-secret-0123456789abcdef',
  OPENAI_API_KEY: 'planted-engine-key-0123456789abcdef',
};
const QUERY_TOKEN = 'planted-token-of-the-query';
const PASSWORD = 'planted-password-of-a-url';
const TIMEOUT_MS = 90_000;

let dependencies: Dependencies;
let receiver: WebhookReceiver;
let service: Service;
/** Secrets that must not be found: description -> text. */
const secrets: Record<string, string> = {
  ...PLANTED_SETTINGS,
  'query of audio_url': QUERY_TOKEN,
  password: PASSWORD,
};
/** The searched output: source -> its whole content. */
const searchedOutput: Record<string, string> = { responses: '', queue: '' };
let jobIds: string[];

beforeAll(async () => {
  [dependencies, receiver] = await Promise.all([startExternalDependencies(), WebhookReceiver.start()]);
  service = await Service.start({
    ...dependencies.env,
    ...PLANTED_SETTINGS,
    S3_ACCESS_KEY_ID: 'planted',
    LOG_LEVEL: 'trace',
    OUTBOUND_ALLOW: '127.0.0.1',
  });
  jobIds = await runJobs();
  searchedOutput['database'] = await readAllRows(dependencies.env['DATABASE_URL'] ?? '');
  searchedOutput['log'] = await service.log();
}, 180_000);
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await dependencies?.remove();
});

describe('secrets', () => {
  it('the test reads the log, the database and the queue that jobs wrote to', () => {
    for (const job of jobIds)
      for (const source of ['log', 'database', 'queue'])
        expect(searchedOutput[source], source).toContain(job);
    expect(searchedOutput['database']).toContain('planted-name-of-a-request');
    expect(searchedOutput['database before a second attempt']).toMatch(
      /^\(.*\/hook,completed,pending,.*\\\\x/m,
    );
    expect(searchedOutput['responses']).toContain('"errors"');
    expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(10);
    for (const [what, secret] of Object.entries(secrets)) expect(secret.length, what).toBeGreaterThan(15);
  });

  it.each(['log', 'database', 'database before a second attempt', 'queue', 'responses'])(
    'no secret is in the %s',
    (source) => {
      const text = searchedOutput[source] ?? expect.unreachable(source);
      const found = Object.keys(secrets).filter((what) =>
        listEncodings(secrets[what] ?? '').some((form) => text.includes(form)),
      );
      expect(found).toEqual([]);
    },
  );
});

/** Runs two jobs until their webhooks are delivered, and sends requests that are rejected for their credentials. */
async function runJobs(): Promise<string[]> {
  const account = await service.openAccount(1_000);
  const client = await service.client(account.api_key);
  secrets['API key'] = account.api_key;
  secrets['secret half of the API key'] = account.api_key.split('_')[2] ?? '';
  const { signing_secret } = await service.adminJson<{ signing_secret: string }>(
    ...['webhooks', 'secret', 'reveal', '--account', account.account_id, '--json'],
  );
  secrets['signing secret'] = signing_secret;
  const audio = await synthesizeSpeech('Good morning.');
  const callback_url = receiver.reply('/hook', 500, 500, 200);
  // While the processor is stopped, the queue retains its messages until the test has read them.
  const { uploaded, fetched } = await service.whileStopped('processor', async () => {
    const audio_url = receiver.serve(`/a.wav?token=${QUERY_TOKEN}`, audio);
    const jobs = {
      uploaded: await createIdempotentJob(client, audio, callback_url),
      fetched: await client.create({ audio_url, callback_url }),
    };
    await until('both jobs are queued', async () => {
      searchedOutput['queue'] += await readAllKeys(dependencies.env['REDIS_URL'] ?? '');
      return Object.values(jobs).every(({ job_id }) => searchedOutput['queue']?.includes(job_id));
    });
    return jobs;
  });
  const ids = [uploaded.job_id, fetched.job_id];
  // Reads the rows after both jobs have ended, because until then the service needs the full URL of the audio.
  const beforeSecondAttempt = until(
    'a webhook of each job has been attempted',
    () => ids.every((id) => receiver.requestsTo('/hook').some(({ body }) => body.includes(id))),
    TIMEOUT_MS,
  ).then(() => readAllRows(dependencies.env['DATABASE_URL'] ?? ''));
  beforeSecondAttempt.catch(() => undefined);
  await sendRejectedRequests(client, uploaded.upload_url, account.api_key);
  for (const id of ids) {
    const job = await until(
      'the job has completed',
      async () => {
        searchedOutput['queue'] += await readAllKeys(dependencies.env['REDIS_URL'] ?? '');
        const found = await client.job(id);
        return found.status === 'processing' ? undefined : found;
      },
      TIMEOUT_MS,
    );
    expect(job.status).toBe('completed');
    addSignatures('download', job.download_url ?? '');
    expect((await client.download(job.download_url ?? '')).status).toBe(200);
  }
  addSignatures('upload', uploaded.upload_url);
  searchedOutput['database before a second attempt'] = await beforeSecondAttempt;
  await until(
    'both webhooks are delivered',
    async () => {
      const deliveries = await service.adminJson<{ state: string }[]>(
        ...['webhooks', 'deliveries', '--account', account.account_id, '--json'],
      );
      return deliveries.filter(({ state }) => state === 'delivered').length === 2;
    },
    TIMEOUT_MS,
  );
  for (const { body } of receiver.requestsTo('/hook'))
    addSignatures('webhook', (JSON.parse(body.toString()) as { download_url: string }).download_url);
  return ids;
}

/** Creates a job with an idempotency key, so that its response with the URLs is stored. */
async function createIdempotentJob(client: Client, audio: Bytes, callback_url: string): Promise<CreatedJob> {
  const create = () =>
    client.send('POST', '/api/v1/upload', {
      body: JSON.stringify({ file_size: audio.length, callback_url }),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'planted-name-of-a-request' },
    });
  const created = expectStatus<CreatedJob>(200, await create());
  expect(expectStatus<CreatedJob>(200, await create())).toEqual(created);
  addSignatures('result', created.download_url);
  expectStatus(200, await client.put(created.upload_url, audio, created.content_type));
  expectStatus(200, await client.complete(created.job_id));
  return created;
}

async function sendRejectedRequests(client: Client, uploadUrl: string, apiKey: string): Promise<void> {
  const changed = uploadUrl.replace(/expires=\d+/, 'expires=9999999999');
  const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`;
  const responses = [
    await client.post('/upload', { audio_url: `http://user:${PASSWORD}@127.0.0.1/a` }),
    await client.post('/upload', { audio_url: `ftp://127.0.0.1/a?token=${QUERY_TOKEN}` }),
    await client.post('/upload', { file_size: 1, callback_url: `http://10.0.0.1/?token=${QUERY_TOKEN}` }),
    await client.post('/upload/complete', { job_id: apiKey }),
    await client.put(changed, new Uint8Array(3), 'application/octet-stream'),
    await (await service.client(wrong)).send('GET', '/api/v1/jobs'),
  ];
  for (const { status, text } of responses) {
    expect(status).toBeGreaterThanOrEqual(400);
    searchedOutput['responses'] += text;
  }
}

function addSignatures(what: string, url: string): void {
  const signatures = [...new URL(url).searchParams].filter(([, value]) => value.length >= 32);
  expect(signatures.length, what).toBeGreaterThan(0);
  for (const [name, value] of signatures) secrets[`${name} of a ${what} (${value.slice(0, 4)})`] = value;
}

/** A secret as text, in hex like `bytea`, in base64, and URL-encoded. */
function listEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    encodeURIComponent(secret),
  ];
}

async function readAllRows(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    let text = '';
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      text += `${name}\n${rows.map(({ row }) => row).join('\n')}\n`;
    }
    return text;
  } finally {
    await client.end();
  }
}

const READ_KEY: Record<string, (redis: Redis, key: string) => Promise<unknown>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  list: (redis, key) => redis.lrange(key, 0, -1),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, 0, -1),
  stream: (redis, key) => redis.xrange(key, '-', '+'),
};

async function readAllKeys(url: string): Promise<string> {
  const redis = new Redis(url);
  try {
    let text = '';
    for (const key of await redis.keys('*')) {
      const read = READ_KEY[await redis.type(key)];
      text += `${key} ${JSON.stringify(await read?.(redis, key).catch(() => null))}\n`;
    }
    return text;
  } finally {
    redis.disconnect();
  }
}
