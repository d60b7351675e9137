import type { WebhookDelivery } from '../../api/webhooks.ts';
import { texts } from '../../texts/index.ts';

const STYLES: Record<string, string> = {
  delivered: 'border-success bg-success-soft text-success',
  failed: 'border-danger bg-danger-soft text-danger',
};

export function DeliveryStateBadge({ state }: { state: string }) {
  return (
    <span
      className={`inline-block rounded border px-1.5 py-0.5 text-xs ${STYLES[state] ?? 'border-line bg-raised text-muted'}`}
    >
      {texts.webhooks.deliveries.states[state] ?? state}
    </span>
  );
}

/** The status of a response, or why there was none. */
export function describeAttemptResult({
  status_code,
  error,
}: Pick<WebhookDelivery, 'status_code' | 'error'>): string {
  if (status_code !== null) return texts.webhooks.deliveries.status(status_code);
  return error ?? '';
}
