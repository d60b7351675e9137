import { Readable } from 'node:stream';
import { ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE, Encryptor, inTransaction, RowEncryptor } from '@app/database';
import { DEFAULT_JOB_OPTIONS, type OutboxRelay } from '@app/jobs';
import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FreeDiskSpaceCheck } from '../../apps/api/src/admission/free-disk-space-check.js';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import { IdempotencyService } from '../../apps/api/src/idempotency/idempotency.service.js';
import { ResponseCipher } from '../../apps/api/src/idempotency/response-cipher.js';
import { StreamedAudioJobService } from '../../apps/api/src/transcribe/streamed-audio-job.service.js';
import { TranscribeJobCreationService } from '../../apps/api/src/transcribe/transcribe-job-creation.service.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const OPTIONS = {
  audioBodyBytes: 1_000,
  deadlineSeconds: 60,
  minTransferRate: { idleTimeoutMs: 10_000, bytesPerSecond: 1 },
  idempotency: { retentionSeconds: 3_600, leaseSeconds: 15 },
} as ApiOptions;

/** A sequence keeps its value when the transaction rolls back. */
const DEADLOCK_OF_FIRST_INSERT = [
  'CREATE SEQUENCE inserted_job',
  `CREATE FUNCTION fail_first_insert() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF nextval('inserted_job') = 1 THEN RAISE EXCEPTION USING ERRCODE = 'deadlock_detected'; END IF;
     RETURN NEW;
   END $$`,
  'CREATE TRIGGER first_insert BEFORE INSERT ON job FOR EACH ROW EXECUTE FUNCTION fail_first_insert()',
];

let world: World;
let files: ThrowawayStore;
beforeAll(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
});
afterAll(async () => {
  await files.close();
  await world.close();
});

function createService(): TranscribeJobCreationService {
  const { dataSource, accountId } = world;
  const relay = {
    inTransaction: (work: (tx: EntityManager) => Promise<void>) => inTransaction(dataSource, work),
  };
  const jobs = new StreamedAudioJobService(
    dataSource,
    files.store,
    relay as OutboxRelay,
    { assertCreditOrRecharge: async () => undefined } as never,
    { admit: (_: string, __: object, create: () => unknown) => create() } as never,
    new FreeDiskSpaceCheck({ folder: null, bytes: 0 }),
    OPTIONS,
  );
  const encryptor = new RowEncryptor(
    dataSource,
    new Encryptor(Buffer.alloc(32)),
    ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE,
  );
  return new TranscribeJobCreationService(
    jobs,
    {
      toValidatedRequest: async () => ({ accountId, options: DEFAULT_JOB_OPTIONS, metadata: null }),
    } as never,
    new IdempotencyService(dataSource, new ResponseCipher(encryptor), OPTIONS),
    { bodies: { run: (_: string, read: () => unknown) => read() } } as never,
    OPTIONS,
  );
}

it('a job with an Idempotency-Key is created after a deadlock of its transaction', async () => {
  for (const statement of DEADLOCK_OF_FIRST_INSERT) await world.rows(statement);
  const { accountId } = world;
  const request = {
    headers: { 'content-length': '5' },
    query: {},
    body: Readable.from([Buffer.from('audio')]),
  };
  const key = { accountId, route: '/api/v1/transcribe', key: 'key', markReplayed: () => undefined };
  const id = await createService().createJobFromBody({ accountId, keyId: 'k' }, request as never, key);
  expect(await world.rows('SELECT id FROM job')).toEqual([{ id }]);
  expect(await world.rows('SELECT FROM idempotency_key WHERE fingerprint IS NOT NULL')).toHaveLength(1);
});
