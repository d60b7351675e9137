import { expect } from 'vitest';

/** Ids of rows of an account that the caller does not belong to. */
export interface ForeignIds {
  account: string;
  user: string;
  /** Waits for its upload. */
  pendingJob: string;
  /** Waits for its parts. */
  multipartJob: string;
  /** Created with the key. Its delivery to the endpoint has failed. */
  endedJob: string;
  key: string;
  endpoint: string;
  failedDelivery: string;
  /** The newest of the account. */
  testDelivery: string;
  /** The newest of two. */
  payment: string;
  /** The newest of the account, of the ledger and of the user. */
  auditEvent: string;
  ledgerEntry: string;
  userEvent: string;
}

export interface Answer {
  status: number;
  body?: Record<string, unknown>;
}

export interface ForeignIdRequest {
  body?: Record<string, unknown>;
  query?: Partial<Record<string, string>>;
  headers?: Record<string, string>;
  /** To a caller with the permission, in another account. */
  answer: Answer;
  /** To the owner of the ids: shows that they are those of real rows. */
  ownAnswer: Answer;
}

/** With which the account has created the jobs that wait for an upload. */
export const FOREIGN_IDEMPOTENCY_KEY = 'used-by-another-account';
export const FOREIGN_VOCABULARY = 'Words of another account';
export const UPLOAD_REQUEST_BODY = { file_size: 100, metadata: { file_name: 'a.wav' } };

const JOB_NOT_FOUND: Answer = { status: 404, body: { code: 'job_not_found' } };
const NO_SUCH_RESOURCE: Answer = { status: 404, body: { code: 'no_such_resource' } };
/** With rows of the caller only: no answer contains an id of the table that was not sent. */
const OF_CALLER: Answer = { status: 200 };

const list = (name: string, ...rows: Record<string, unknown>[]): Answer => ({
  status: 200,
  body: { [name]: rows.map((row) => expect.objectContaining(row) as unknown) },
});
const listWith = (name: string, row: Record<string, unknown>): Answer => ({
  status: 200,
  body: { [name]: expect.arrayContaining([expect.objectContaining(row)]) as unknown },
});

const OF_FOREIGN_VOCABULARY: ForeignIdRequest = {
  body: { ...UPLOAD_REQUEST_BODY, vocabulary: FOREIGN_VOCABULARY },
  answer: { status: 422, body: { errors: [{ field: 'vocabulary' }] } },
  ownAnswer: { status: 200 },
};

/** The owner gets the job that the first request has created. */
const requestToRepeat = (job: string): ForeignIdRequest => ({
  headers: { 'Idempotency-Key': FOREIGN_IDEMPOTENCY_KEY },
  body: UPLOAD_REQUEST_BODY,
  answer: OF_CALLER,
  ownAnswer: { status: 200, body: { job_id: job } },
});

/**
 * Every id of a body, a query or a header, with the row of another account. `console-routes.test.ts` compares the table with the
 * fields, parameters and headers that the routes take. What ends the owner's upload comes last.
 */
export const FOREIGN_ID_REQUESTS: Readonly<Record<string, (ids: ForeignIds) => ForeignIdRequest[]>> = {
  'GET jobs': ({ key, endedJob }) => [
    { query: { key_id: key }, answer: list('jobs'), ownAnswer: list('jobs', { job_id: endedJob }) },
    { query: { text: endedJob }, answer: list('jobs'), ownAnswer: list('jobs', { job_id: endedJob }) },
  ],
  'GET deliveries': ({ endpoint, endedJob, testDelivery, failedDelivery }) => [
    {
      query: { endpoint },
      answer: list('deliveries'),
      ownAnswer: list('deliveries', { id: testDelivery }, { id: failedDelivery }),
    },
    {
      query: { job_id: endedJob },
      answer: list('deliveries'),
      ownAnswer: list('deliveries', { id: failedDelivery }),
    },
    {
      query: { cursor: testDelivery },
      answer: OF_CALLER,
      ownAnswer: list('deliveries', { id: failedDelivery }),
    },
  ],
  'GET audit': ({ user, endpoint, auditEvent }) => [
    {
      query: { actor: user },
      answer: list('events'),
      ownAnswer: listWith('events', { action: 'webhooks.endpoint_created' }),
    },
    {
      query: { target: endpoint },
      answer: list('events'),
      ownAnswer: listWith('events', { action: 'webhooks.endpoint_created', target: endpoint }),
    },
    {
      query: { before: auditEvent },
      answer: OF_CALLER,
      ownAnswer: listWith('events', { action: 'webhooks.endpoint_created' }),
    },
  ],
  'GET ledger': ({ ledgerEntry }) => [
    {
      query: { before: ledgerEntry },
      answer: OF_CALLER,
      ownAnswer: list('entries', { note: 'opening balance' }),
    },
  ],
  'GET billing/payments': ({ payment }) => [
    { query: { before: payment }, answer: OF_CALLER, ownAnswer: list('payments', { credits: 1 }) },
  ],
  'GET profile/events': ({ userEvent }) => [
    {
      query: { before: userEvent },
      answer: OF_CALLER,
      ownAnswer: listWith('events', { action: 'user.signed_in' }),
    },
  ],
  'PUT session/account': ({ account }) => [
    { body: { account_id: account }, answer: NO_SUCH_RESOURCE, ownAnswer: { status: 204 } },
  ],
  'POST limit-requests': ({ key }) => [
    {
      body: { key_id: key, limit: 'upload', requests_per_minute: 100, reason: 'More.' },
      answer: NO_SUCH_RESOURCE,
      ownAnswer: { status: 200 },
    },
  ],
  'POST deliveries/replay-failed': ({ endpoint }) => [
    {
      body: { endpoint_id: endpoint },
      answer: { status: 200, body: { replayed: 0, has_more: false } },
      ownAnswer: { status: 200, body: { replayed: 1, has_more: false } },
    },
  ],
  'POST upload': ({ pendingJob }) => [requestToRepeat(pendingJob), OF_FOREIGN_VOCABULARY],
  'POST upload/multipart/create': ({ multipartJob }) => [
    requestToRepeat(multipartJob),
    OF_FOREIGN_VOCABULARY,
  ],
  'POST upload/progress': ({ pendingJob }) => [
    {
      body: { job_id: pendingJob },
      answer: JOB_NOT_FOUND,
      ownAnswer: { status: 200, body: { status: 'active' } },
    },
  ],
  'POST upload/complete': ({ pendingJob }) => [
    {
      body: { job_id: pendingJob },
      answer: JOB_NOT_FOUND,
      ownAnswer: { status: 400, body: { code: 'upload_incomplete' } },
    },
  ],
  'POST upload/multipart/complete': ({ multipartJob }) => [
    {
      body: { job_id: multipartJob, parts: [{ part_number: 1, etag: 'x' }] },
      answer: JOB_NOT_FOUND,
      ownAnswer: { status: 400, body: { code: 'invalid_parts' } },
    },
  ],
  'POST upload/multipart/abort': ({ multipartJob }) => [
    {
      body: { job_id: multipartJob },
      answer: JOB_NOT_FOUND,
      ownAnswer: { status: 200, body: { status: 'aborted' } },
    },
  ],
};

/** `POST upload/complete job_id` for each field and parameter of the table. */
export function listForeignIdParameters(): string[] {
  return Object.entries(FOREIGN_ID_REQUESTS).flatMap(([route, toRequests]) =>
    toRequests(NO_IDS).flatMap(({ body, query, headers }) =>
      Object.keys({ ...body, ...query, ...headers }).map((name) => `${route} ${name}`),
    ),
  );
}

/** To name the requests before there are rows. */
export const NO_IDS = new Proxy({} as ForeignIds, { get: () => '' });
