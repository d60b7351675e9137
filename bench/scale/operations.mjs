import { AudioAndIntermediateObjectDeletion } from '../../dist/apps/processor/src/maintenance/audio-and-intermediate-object-deletion.js';
import { ExpiredJobStageAndEventDeletion } from '../../dist/apps/processor/src/maintenance/expired-job-stage-and-event-deletion.js';
import { CreditJobHooks } from '../../dist/libs/billing/src/index.js';
import {
  claimNextStage,
  countOverdueOutboxMessages,
  countAllUploadingAndQueuedJobs,
  createJobReturningMessages,
  DEFAULT_JOB_OPTIONS,
  JobSweeper,
  markJobQueuedAndInsertFirstStage,
  readLongestWaitPerQueue,
} from '../../dist/libs/jobs/src/index.js';
import {
  claimNextDueDelivery,
  readWebhookBacklog,
  recordAttemptAndUpdateDelivery,
} from '../../dist/libs/webhooks/src/deliveries/webhook-delivery.repository.js';
import { sendRequest } from '../lib/http-load.mjs';

const LEASE_SECONDS = 60;
const ATTEMPT = { statusCode: 200, error: null, durationMs: 1 };
const EXCHANGE = { keyId: 'bench', sealed: Buffer.alloc(64) };
const neverAborted = new AbortController().signal;

/**
 * One of the two sides.
 *
 * @typedef {object} Side
 * @property {import('typeorm').DataSource} dataSource
 * @property {import('../../dist/libs/storage/src/index.js').FileObjectStore} store
 * @property {import('undici').Client} client of its API
 * @property {{ accountId: string, apiKey: string }} account
 * @property {string[]} jobIds of the account
 * @property {number} waiting messages in its queue
 *
 * @typedef {object} Operation
 * @property {string} what
 * @property {number} count in a round; a batch counts as one
 * @property {(side: Side, count: number) => Promise<any>} [prepare] not measured
 * @property {(side: Side, index: number, prepared: any) => Promise<unknown>} run
 * @property {(side: Side) => Promise<unknown>} [finish] not measured
 */

/** @param {Side} side @param {string} method @param {string} path @param {object} [body] */
const request = ({ client, account }, method, path, body) =>
  sendRequest(client, {
    method,
    path,
    headers: { 'x-api-key': account.apiKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

/** @param {Side} side @param {number} count @returns {Promise<string[]>} ids of jobs that wait for their upload */
async function createUploads({ dataSource, account }, count) {
  for (let at = 0; at < count; at += 1)
    await createJobReturningMessages(dataSource, {
      ...{ accountId: account.accountId, source: 'upload', options: DEFAULT_JOB_OPTIONS, audioUrl: null },
      ...{ contentType: 'audio/wav', uploadSeconds: 3600, deadlineSeconds: 3600 },
    });
  const rows = await dataSource.query(
    'SELECT id FROM job WHERE queued_at IS NULL AND account_id = $1 ORDER BY created_at DESC LIMIT $2',
    [account.accountId, count],
  );
  return rows.map(({ id }) => id);
}

const enqueue = ({ dataSource }, id) =>
  markJobQueuedAndInsertFirstStage(dataSource.manager, id, {
    deadlineSeconds: 3600,
    storedObject: { size: 10, etag: 'e' },
  });

/** @param {Side} side @param {number} count */
async function addDueStages(side, count) {
  for (const id of await createUploads(side, count)) await enqueue(side, id);
}

/** @type {Operation[]} */
export const OPERATIONS = [
  {
    what: 'create',
    count: 100,
    run: (side) => request(side, 'POST', '/api/v1/upload', { file_size: 1000 }),
  },
  {
    what: 'read',
    count: 200,
    run: (side, index) => request(side, 'GET', `/api/v1/jobs/${side.jobIds[index % side.jobIds.length]}`),
  },
  { what: 'list', count: 100, run: (side) => request(side, 'GET', '/api/v1/jobs') },
  {
    what: 'complete',
    count: 50,
    prepare: createUploads,
    run: (side, index, ids) => enqueue(side, ids[index]),
  },
  {
    what: 'claim',
    count: 50,
    prepare: addDueStages,
    run: ({ dataSource }) => claimNextStage(dataSource, 'preprocess', LEASE_SECONDS),
    finish: ({ dataSource }) =>
      dataSource.query(`UPDATE job_stage SET state = 'done', lease_until = NULL WHERE state = 'running'`),
  },
  {
    what: 'sweep',
    count: 20,
    prepare: async ({ dataSource, waiting }) => {
      const queue = { counts: async () => ({ waiting, active: 0 }) };
      const options = { redeliverSeconds: 30, leaseSeconds: 15 };
      return new JobSweeper(dataSource, new CreditJobHooks(1), queue, options);
    },
    run: (_, __, sweeper) => sweeper.sweep(),
  },
  {
    what: 'clean: a batch of 20 jobs',
    count: 3,
    prepare: ({ dataSource }, count) =>
      dataSource.query(
        `UPDATE job SET audio_deleted_at = NULL, audio_delete_from = NULL WHERE id IN (
           SELECT id FROM job WHERE status = 'completed' ORDER BY finished_at DESC LIMIT $1)`,
        [count * 20],
      ),
    run: ({ dataSource, store }) =>
      new AudioAndIntermediateObjectDeletion(dataSource, store, { graceSeconds: 0, batchJobs: 20 }).runBatch(
        neverAborted,
      ),
  },
  {
    what: 'delete details: a batch of 20 jobs',
    count: 3,
    prepare: ({ dataSource }) =>
      dataSource.query(
        `UPDATE job SET finished_at = now() - interval '9 days' WHERE id IN (
           SELECT id FROM job WHERE details_deleted_at IS NULL AND finished_at IS NOT NULL ORDER BY finished_at LIMIT 60)`,
      ),
    run: ({ dataSource, store }) =>
      new ExpiredJobStageAndEventDeletion(dataSource, store, {
        jobDays: 0,
        jobDetailDays: 7,
        batchJobs: 20,
      }).deleteStagesAndEvents(),
  },
  {
    what: 'deliver: claim and record',
    count: 50,
    run: async ({ dataSource }) => {
      const delivery = await claimNextDueDelivery(dataSource, LEASE_SECONDS, []);
      const decision = { state: 'delivered', delaySeconds: 0 };
      if (
        !delivery ||
        !(await recordAttemptAndUpdateDelivery(dataSource, delivery, ATTEMPT, decision, EXCHANGE))
      )
        throw new Error('No delivery was due.');
    },
  },
  {
    what: 'deliver: claim while an account is at its limit',
    count: 20,
    run: ({ dataSource, account }) => claimNextDueDelivery(dataSource, LEASE_SECONDS, [account.accountId]),
    finish: ({ dataSource }) =>
      dataSource.query(`UPDATE webhook_delivery SET lease_until = NULL WHERE lease_until IS NOT NULL`),
  },
  {
    what: 'queries of /metrics',
    count: 10,
    run: async ({ dataSource }) => {
      await countAllUploadingAndQueuedJobs(dataSource);
      await countOverdueOutboxMessages(dataSource);
      await readLongestWaitPerQueue(dataSource);
      await readWebhookBacklog(dataSource);
    },
  },
];
