import type { WebhookEndpoint, WebhookEndpointChanges, WebhookEndpointSettings } from '../../api/webhooks.ts';

/**
 * The settings that differ from those that the form was opened with. The others are not sent, so that a form that was
 * open for long does not take back what somebody else changed meanwhile.
 */
export function findEndpointChanges(
  opened: Pick<WebhookEndpoint, keyof WebhookEndpointSettings>,
  { url, description, events, enabled }: WebhookEndpointSettings,
): WebhookEndpointChanges {
  const sameEvents = events.toSorted().join() === opened.events.toSorted().join();
  return {
    ...(url !== opened.url && { url }),
    ...(description !== opened.description && { description }),
    ...(!sameEvents && { events }),
    ...(enabled !== opened.enabled && { enabled }),
  };
}
