import {
  type AccountScopedQuery,
  buildAccountScopedQuery,
  type DeliveryState,
  type EncryptedValue,
  queryAccountRows,
  queryRows,
  type WebhookEventType,
} from '@app/database';
import type { DataSource } from 'typeorm';

export interface WebhookAttemptView {
  number: number;
  /** When its result was recorded. */
  at: Date;
  statusCode: number | null;
  error: string | null;
  ms: number;
}

/** @param accountId null for every account */
export async function listWebhookAttempts(
  db: DataSource,
  accountId: string | null,
  deliveryId: string,
): Promise<WebhookAttemptView[]> {
  return queryRows<WebhookAttemptView>(
    db,
    `SELECT a.number, a.at, a.status_code AS "statusCode", a.error, a.ms
     FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id
     WHERE d.id = $2 AND ($1::uuid IS NULL OR d.account_id = $1) ORDER BY a.number`,
    [accountId, deliveryId],
  );
}

export interface DeliveryWithLastAttempt {
  id: string;
  jobId: string | null;
  endpointId: string | null;
  /** Whether it can be sent again: its endpoint, if it has one, is neither disabled nor deleted. */
  isReachable: boolean;
  url: string;
  event: WebhookEventType;
  state: DeliveryState;
  attempts: number;
  /** Null if the delivery has ended. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
  /** Status of the last attempt. */
  lastStatusCode: number | null;
  lastError: string | null;
}

const SELECT_LOGGED_DELIVERIES = `
  SELECT d.id, d.job_id AS "jobId", d.endpoint_id AS "endpointId", d.url, d.event, d.state, d.attempts,
    e.id IS NULL OR (e.enabled AND e.deleted_at IS NULL) AS "isReachable",
    CASE WHEN d.state = 'pending' THEN d.next_attempt_at END AS "nextAttemptAt",
    d.created_at AS "createdAt", d.finished_at AS "finishedAt",
    last.status_code AS "lastStatusCode", last.error AS "lastError"
  FROM webhook_delivery d
  LEFT JOIN webhook_endpoint e ON e.id = d.endpoint_id
  LEFT JOIN webhook_attempt last ON last.delivery_id = d.id AND last.number = d.attempts
  WHERE d.account_id = $1`;

export interface AccountDeliveryFilter {
  state?: DeliveryState;
  endpointId?: string;
  jobId?: string;
}

/** Conditions on `$4`, `$5`, …; a statement for each combination, so that each has a plan with its index. */
const FILTER_COLUMNS = { state: 'd.state', endpointId: 'd.endpoint_id', jobId: 'd.job_id' } as const;

const listStatements = new Map<string, AccountScopedQuery>();

/** Newest first. @param before last delivery of the page before */
export async function listAccountDeliveries(
  dataSource: DataSource,
  accountId: string,
  filter: AccountDeliveryFilter,
  { limit, before }: { limit: number; before: string | null },
): Promise<DeliveryWithLastAttempt[]> {
  const names = (['state', 'endpointId', 'jobId'] as const).filter((name) => filter[name] !== undefined);
  const values = names.map((name) => filter[name]);
  return queryAccountRows<DeliveryWithLastAttempt & object>(dataSource, accountId, getListStatement(names), [
    limit,
    before,
    ...values,
  ]);
}

function getListStatement(names: (keyof typeof FILTER_COLUMNS)[]): AccountScopedQuery {
  const name = ['webhook-deliveries', ...names].join('-');
  const known = listStatements.get(name);
  if (known) return known;
  const conditions = names.map((filter, at) => ` AND ${FILTER_COLUMNS[filter]} = $${at + 4}`).join('');
  const text = `${SELECT_LOGGED_DELIVERIES} AND ($3::uuid IS NULL OR d.id < $3)${conditions} ORDER BY d.id DESC LIMIT $2`;
  const statement = buildAccountScopedQuery(name, text);
  listStatements.set(name, statement);
  return statement;
}

const FIND_DELIVERY = buildAccountScopedQuery(
  'webhook-delivery',
  `${SELECT_LOGGED_DELIVERIES} AND d.id = $2`,
);

export async function findAccountDelivery(
  dataSource: DataSource,
  accountId: string,
  id: string,
): Promise<DeliveryWithLastAttempt | undefined> {
  const [delivery] = await queryAccountRows<DeliveryWithLastAttempt & object>(
    dataSource,
    accountId,
    FIND_DELIVERY,
    [id],
  );
  return delivery;
}

/** `keyId` and `sealed` are null once the request and response have expired. */
export type EncryptedWebhookAttempt = WebhookAttemptView & (EncryptedValue | { keyId: null; sealed: null });

const LIST_ATTEMPTS = buildAccountScopedQuery(
  'webhook-attempts',
  `SELECT a.number, a.at, a.status_code AS "statusCode", a.error, a.ms, a.key_id AS "keyId", a.sealed
   FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id
   WHERE d.account_id = $1 AND d.id = $2 ORDER BY a.number DESC LIMIT $3`,
);

/** Newest first. */
export async function listEncryptedWebhookAttempts(
  dataSource: DataSource,
  accountId: string,
  deliveryId: string,
  limit: number,
): Promise<EncryptedWebhookAttempt[]> {
  return queryAccountRows<EncryptedWebhookAttempt>(dataSource, accountId, LIST_ATTEMPTS, [deliveryId, limit]);
}
