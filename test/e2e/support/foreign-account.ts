import { randomUUID } from 'node:crypto';
import { ConsoleClient } from './console-client.js';
import { ConsoleUsers, PASSWORD } from './console-users.js';
import {
  FOREIGN_IDEMPOTENCY_KEY,
  UPLOAD_REQUEST_BODY,
  FOREIGN_VOCABULARY,
  type ForeignIds,
} from './foreign-id-requests.js';
import { grantCredits } from './open-account.js';
import type { RunningService } from './running-service.js';

const EMAIL = 'victim@permissions.example.org';
/** Nothing listens at port 9. */
export const FOREIGN_ENDPOINT = {
  url: 'http://127.0.0.1:9/',
  description: '',
  events: ['failed'],
  enabled: true,
};

/** An account with a row of every kind that has an id, and its owner. */
export interface ForeignAccount {
  owner: ConsoleClient;
  ids: ForeignIds;
  /** By the path in which they stand; jobs are in `ids`. */
  pathIds: Readonly<Record<string, string>>;
}

export async function createForeignAccount(service: RunningService): Promise<ForeignAccount> {
  const { account_id: account } = await service.openAccount(1000);
  const owner = await new ConsoleUsers(service, account).createWithPassword(EMAIL);
  const create = async (path: string, body: unknown, idField = 'id'): Promise<string> => {
    const headers = { 'idempotency-key': FOREIGN_IDEMPOTENCY_KEY };
    const response = await owner.request('POST', path, body, headers);
    if (response.status !== 200) throw new Error(`${path} answered ${JSON.stringify(response.body)}.`);
    return String(response.body[idField]);
  };
  const list = async <T>(path: string, field: string) =>
    (await owner.request<Record<string, T[]>>('GET', path)).body[field] ?? [];

  const user = (await owner.request<{ user: { id: string } }>('GET', 'session')).body.user.id;
  const invitation = await create('invitations', { email: 'x@permissions.example.org', role: 'viewer' });
  const endpoint = await create('webhook-endpoints', FOREIGN_ENDPOINT);
  const vocabulary = await create('vocabularies', { name: FOREIGN_VOCABULARY, terms: ['Ada'] });
  const { body: key } = await owner.request<{ id: string; api_key: string }>('POST', 'keys', {
    name: 'foreign',
  });
  const pendingJob = await create('upload', UPLOAD_REQUEST_BODY, 'job_id');
  const multipartJob = await create('upload/multipart/create', UPLOAD_REQUEST_BODY, 'job_id');
  const endedJob = await createCancelledJob(service, key.api_key);
  const testDelivery = await create(`webhook-endpoints/${endpoint}/test`, undefined, 'delivery_id');
  await failDeliveries(service, account);
  const deliveries = await list<{ id: string; job_id: string | null }>('deliveries', 'deliveries');
  const failedDelivery = deliveries.find(({ job_id }) => job_id === endedJob)?.id ?? '';
  const passkey = await insertPasskey(service, user);
  const payment = await insertPayments(service, account);
  await insertCorrection(service, pendingJob, user);
  // The second entry, after the opening balance.
  await grantCredits(service, account, 5);

  await new ConsoleClient(service).request('POST', 'sign-in', { email: EMAIL, password: PASSWORD });
  const sessions = await list<{ id: string; current: boolean }>('profile/sessions', 'sessions');
  const newestId = async (path: string, field: string) =>
    String((await list<{ id: number }>(path, field))[0]?.id);
  const ids: ForeignIds = {
    ...{ account, user, pendingJob, multipartJob, endedJob, key: key.id, endpoint },
    ...{ failedDelivery, testDelivery, payment },
    auditEvent: await newestId('audit', 'events'),
    ledgerEntry: await newestId('ledger', 'entries'),
    userEvent: await newestId('profile/events', 'events'),
  };
  const pathIds = {
    'members/:userId': user,
    'members/:userId/role': user,
    'invitations/:id': invitation,
    'keys/:id': key.id,
    'vocabularies/:id': vocabulary,
    'webhook-endpoints/:id': endpoint,
    'webhook-endpoints/:id/test': endpoint,
    'deliveries/:id': failedDelivery,
    'deliveries/:id/replay': failedDelivery,
    'billing/payments/:id/refresh': payment,
    'profile/passkeys/:id': passkey,
    'profile/sessions/:id': sessions.find(({ current }) => !current)?.id ?? '',
  };
  return { owner, ids, pathIds };
}

async function createCancelledJob(service: RunningService, apiKey: string): Promise<string> {
  const client = await service.client(apiKey);
  const { job_id } = await client.create({ file_size: 100 });
  const { status } = await client.post('/jobs/cancel', { job_id });
  if (status !== 200) throw new Error(`The cancellation answered ${status}.`);
  return job_id;
}

/** As after their last attempt, which would be days later. */
async function failDeliveries(service: RunningService, accountId: string): Promise<void> {
  await service.query(
    `UPDATE webhook_delivery SET state = 'failed', finished_at = now(), lease_until = NULL, fence = fence + 1
     WHERE account_id = $1`,
    [accountId],
  );
}

/** No browser makes a passkey at the address of the shared service. */
async function insertPasskey(service: RunningService, userId: string): Promise<string> {
  const id = randomUUID();
  await service.query(`INSERT INTO passkey (id, user_id, name, public_key) VALUES ($1, $2, 'Foreign', '')`, [
    id,
    userId,
  ]);
  return id;
}

/** The shared service has no payment provider. @returns the id of the newer one */
async function insertPayments(service: RunningService, accountId: string): Promise<string> {
  const [older, newer] = [randomUUID(), randomUUID()].toSorted();
  await service.query(
    `INSERT INTO payment (id, account_id, credits, state) VALUES ($1, $3, 1, 'declined'), ($2, $3, 2, 'declined')`,
    [older, newer, accountId],
  );
  return newer ?? '';
}

/** Only a job with a transcript gets one through the console. */
async function insertCorrection(service: RunningService, jobId: string, userId: string): Promise<void> {
  await service.query(
    `INSERT INTO transcript_correction (job_id, segment, text, updated_by) VALUES ($1, 0, 'Foreign', $2)`,
    [jobId, userId],
  );
}
