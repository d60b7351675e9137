import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, synthesizeSpeech } from '../e2e/support/audio.js';
import { type Client, type CreatedJob, expectStatus } from '../e2e/support/client.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { Service } from '../e2e/support/service.js';
import { startExternalDependencies, type Dependencies } from '../e2e/support/dependencies.js';
import { until } from '../e2e/support/until.js';

const PLANTED = {
  SERVICE_SECRET: 'planted-service-secret-0123456789abcdef',
  ENCRYPTION_KEYS: 'planted-encryption-key-0123456789abcdef',
  S3_SECRET_ACCESS_KEY: 'planted-store-secret-0123456789abcdef',
  OPENAI_API_KEY: 'planted-engine-key-0123456789abcdef',
};
const QUERY_TOKEN = 'planted-token-of-the-query';
const PASSWORD = 'planted-password-of-an-address';
const ENOUGH_MS = 90_000;

let parts: Dependencies;
let receiver: WebhookReceiver;
let service: Service;
/** What must be found nowhere: what it is -> the text. */
const secrets: Record<string, string> = { ...PLANTED, 'query of audio_url': QUERY_TOKEN, password: PASSWORD };
/** Where it was looked for: place -> everything that was in it. */
const places: Record<string, string> = { answers: '', queue: '' };
let jobIds: string[];

beforeAll(async () => {
  [parts, receiver] = await Promise.all([startExternalDependencies(), WebhookReceiver.start()]);
  service = await Service.start({
    ...parts.env,
    ...PLANTED,
    S3_ACCESS_KEY_ID: 'planted',
    LOG_LEVEL: 'trace',
    OUTBOUND_ALLOW: '127.0.0.1',
  });
  jobIds = await realSequence();
  places['database'] = await everyRow(parts.env['DATABASE_URL'] ?? '');
  places['log'] = await service.log();
}, 180_000);
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await parts?.remove();
});

describe('what is secret', () => {
  it('was looked for where it could be', () => {
    for (const job of jobIds)
      for (const place of ['log', 'database', 'queue']) expect(places[place], place).toContain(job);
    expect(places['database']).toContain('planted-name-of-a-request');
    expect(places['database before a second attempt']).toMatch(/^\(.*\/hook,completed,pending,.*\\\\x/m);
    expect(places['answers']).toContain('"errors"');
    expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(10);
    for (const [what, secret] of Object.entries(secrets)) expect(secret.length, what).toBeGreaterThan(15);
  });

  it.each(['log', 'database', 'database before a second attempt', 'queue', 'answers'])(
    'is not in: %s',
    (place) => {
      const text = places[place] ?? expect.unreachable(place);
      const found = Object.keys(secrets).filter((what) =>
        formsOf(secrets[what] ?? '').some((form) => text.includes(form)),
      );
      expect(found).toEqual([]);
    },
  );
});

/** Two jobs from their creation to their webhooks, of which the first is sent twice, and requests that are refused for their secrets. */
async function realSequence(): Promise<string[]> {
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
  // As it is seen from time to time alone, the queue keeps what it holds until it has been looked at.
  const { uploaded, fetched } = await service.whileStopped('processor', async () => {
    const audio_url = receiver.serve(`/a.wav?token=${QUERY_TOKEN}`, audio);
    const made = {
      uploaded: await remembered(client, audio, callback_url),
      fetched: await client.create({ audio_url, callback_url }),
    };
    await until('both are queued', async () => {
      places['queue'] += await everyKey(parts.env['REDIS_URL'] ?? '');
      return Object.values(made).every(({ job_id }) => places['queue']?.includes(job_id));
    });
    return made;
  });
  const ids = [uploaded.job_id, fetched.job_id];
  // Not before both have ended: until then the address of the audio is needed as it was given.
  const beforeSecondAttempt = until(
    'a webhook of each is to be sent again',
    () => ids.every((id) => receiver.at('/hook').some(({ body }) => body.includes(id))),
    ENOUGH_MS,
  ).then(() => everyRow(parts.env['DATABASE_URL'] ?? ''));
  beforeSecondAttempt.catch(() => undefined);
  await refused(client, uploaded.upload_url, account.api_key);
  for (const id of ids) {
    const job = await until(
      'the job has completed',
      async () => {
        places['queue'] += await everyKey(parts.env['REDIS_URL'] ?? '');
        const found = await client.job(id);
        return found.status === 'processing' ? undefined : found;
      },
      ENOUGH_MS,
    );
    expect(job.status).toBe('completed');
    rememberSignatures('download', job.download_url ?? '');
    expect((await client.download(job.download_url ?? '')).status).toBe(200);
  }
  rememberSignatures('upload', uploaded.upload_url);
  places['database before a second attempt'] = await beforeSecondAttempt;
  await until(
    'both webhooks are delivered',
    async () => {
      const deliveries = await service.adminJson<{ state: string }[]>(
        ...['webhooks', 'deliveries', '--account', account.account_id, '--json'],
      );
      return deliveries.filter(({ state }) => state === 'delivered').length === 2;
    },
    ENOUGH_MS,
  );
  for (const { body } of receiver.at('/hook'))
    rememberSignatures('webhook', (JSON.parse(body.toString()) as { download_url: string }).download_url);
  return ids;
}

/** A job whose creation may be repeated: its answer is kept, with its addresses. */
async function remembered(client: Client, audio: Bytes, callback_url: string): Promise<CreatedJob> {
  const create = () =>
    client.send('POST', '/api/v1/upload', {
      body: JSON.stringify({ file_size: audio.length, callback_url }),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'planted-name-of-a-request' },
    });
  const created = expectStatus<CreatedJob>(200, await create());
  expect(expectStatus<CreatedJob>(200, await create())).toEqual(created);
  rememberSignatures('result', created.download_url);
  expectStatus(200, await client.put(created.upload_url, audio, created.content_type));
  expectStatus(200, await client.complete(created.job_id));
  return created;
}

async function refused(client: Client, uploadUrl: string, apiKey: string): Promise<void> {
  const changed = uploadUrl.replace(/expires=\d+/, 'expires=9999999999');
  const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`;
  const answers = [
    await client.post('/upload', { audio_url: `http://user:${PASSWORD}@127.0.0.1/a` }),
    await client.post('/upload', { audio_url: `ftp://127.0.0.1/a?token=${QUERY_TOKEN}` }),
    await client.post('/upload', { file_size: 1, callback_url: `http://10.0.0.1/?token=${QUERY_TOKEN}` }),
    await client.post('/upload/complete', { job_id: apiKey }),
    await client.put(changed, new Uint8Array(3), 'application/octet-stream'),
    await (await service.client(wrong)).send('GET', '/api/v1/jobs'),
  ];
  for (const { status, text } of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    places['answers'] += text;
  }
}

function rememberSignatures(what: string, address: string): void {
  const signatures = [...new URL(address).searchParams].filter(([, value]) => value.length >= 32);
  expect(signatures.length, what).toBeGreaterThan(0);
  for (const [name, value] of signatures) secrets[`${name} of a ${what} (${value.slice(0, 4)})`] = value;
}

/** A secret as it is, in hex (bytea, that is), in base64 and as a part of an address. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    encodeURIComponent(secret),
  ];
}

async function everyRow(url: string): Promise<string> {
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

async function everyKey(url: string): Promise<string> {
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
