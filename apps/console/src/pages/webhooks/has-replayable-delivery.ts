import type { WebhookDelivery } from '../../api/webhooks.ts';

/** Whether a replay of all failed deliveries sends one of these again: it leaves tests out. */
export function hasReplayableDelivery(
  pages: readonly { deliveries: readonly Pick<WebhookDelivery, 'event' | 'replayable'>[] }[],
): boolean {
  return pages.some(({ deliveries }) =>
    deliveries.some(({ event, replayable }) => replayable && event !== 'test'),
  );
}
