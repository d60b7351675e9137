import type { AttemptView, DeliveryView } from '@app/webhooks';
import { formatTable } from '../output.js';

/** A delivery as `--json` prints it. */
export function toDeliveryRow(delivery: DeliveryView) {
  return {
    delivery_id: delivery.id,
    account_id: delivery.accountId,
    job_id: delivery.jobId,
    url: delivery.url,
    event: delivery.event,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  };
}

export function toAttemptRow({ number, at, statusCode, error, ms }: AttemptView) {
  return { number, at: at.toISOString(), status_code: statusCode, error, ms };
}

/** The address without its query, which may hold secrets of the receiver. */
export function formatDeliveries(rows: ReturnType<typeof toDeliveryRow>[]): string {
  return formatTable(
    ['DELIVERY', 'JOB', 'EVENT', 'STATE', 'ATTEMPTS', 'NEXT', 'TO'],
    rows.map((row) => [
      row.delivery_id,
      row.job_id,
      row.event,
      row.state,
      String(row.attempts),
      row.next_attempt_at ?? '-',
      row.url.split('?')[0] ?? '',
    ]),
  );
}

export function formatAttempts(rows: ReturnType<typeof toAttemptRow>[]): string {
  return formatTable(
    ['ATTEMPT', 'ENDED', 'ANSWER', 'MS', 'ERROR'],
    rows.map(({ number, at, status_code, error, ms }) => [
      String(number),
      at,
      String(status_code ?? '-'),
      String(ms),
      error ?? '-',
    ]),
  );
}
