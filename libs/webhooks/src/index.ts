export {
  WebhookDeliveries,
  type DeliveryPage,
  type DeliveryView,
  type DeliveryScope,
} from './deliveries/webhook-deliveries.js';
export { Dispatcher, type DispatcherOptions } from './deliveries/dispatcher.js';
export { DUE_CHANNEL } from './deliveries/due-channel.js';
export {
  type AttemptView,
  readPendingWebhooks,
  countPendingDeliveries,
  deliveriesHeldSince,
  holdDeliveries,
  releaseDeliveries,
  resetRestoredDeliveries,
} from './deliveries/webhook-delivery.repository.js';
export type { CreateDownloadUrl } from './deliveries/webhook-body.js';
export { SealedWebhookBodies } from './deliveries/sealed-webhook-bodies.js';
export type { AttemptResult } from './deliveries/send-webhook.js';
export type { RetryDecision } from './deliveries/retry-decision.js';
export { WebhookJobHooks } from './deliveries/webhook-job-hooks.js';
export { SsrfBlockedError } from './outbound/ssrf-blocked-error.js';
export type { FetchAudioOptions, FetchedAudio, FetchTimeouts } from './outbound/fetch-audio.js';
export { AudioFetchError, type AudioFetchErrorKind } from './outbound/audio-fetch-error.js';
export { createGuardedAgent } from './outbound/guarded-agent.js';
export { type OutboundResponse, OutboundClient, type OutboundRequest } from './outbound/outbound-client.js';
export { OutboundRequestError, type OutboundErrorKind } from './outbound/outbound-request-error.js';
export { OutboundGuard, type OutboundGuardOptions } from './outbound/outbound-guard.js';
export type { Resolver } from './outbound/resolver.js';
export { verifyWebhookSignature, signWebhook } from './signing/signature.js';
export { purgeExpiredPreviousSecrets } from './signing/signing-secret.repository.js';
export { SigningSecrets } from './signing/signing-secrets.js';
export { WebhooksModule, type WebhooksOptions } from './webhooks.module.js';
