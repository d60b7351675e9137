export {
  type AttemptView,
  Deliveries,
  type DeliveryPage,
  type DeliveryView,
  type Scope,
} from './deliveries/deliveries.js';
export { Dispatcher, type DispatcherOptions } from './deliveries/dispatcher.js';
export { DUE_CHANNEL } from './deliveries/due-channel.js';
export {
  deliveriesHeldSince,
  holdDeliveries,
  pendingDeliveries,
  releaseDeliveries,
} from './deliveries/held-deliveries.js';
export type { DownloadAddress } from './deliveries/notification-body.js';
export { resumeDeliveries } from './deliveries/resume-deliveries.js';
export { SealedBodies } from './deliveries/sealed-bodies.js';
export type { Outcome } from './deliveries/send-notification.js';
export type { Verdict } from './deliveries/verdict.js';
export { WebhookEffects } from './deliveries/webhook-effects.js';
export { AddressRefused } from './outbound/address-refused.js';
export type { FetchAudioOptions, FetchedAudio, FetchTimeouts } from './outbound/fetch-audio.js';
export { FetchFailed, type FetchFailedKind } from './outbound/fetch-failed.js';
export { guardedDispatcher } from './outbound/guarded-dispatcher.js';
export { type OutboundAnswer, OutboundClient, type OutboundRequest } from './outbound/outbound-client.js';
export { OutboundFailure, type OutboundFailureKind } from './outbound/outbound-failure.js';
export { OutboundGuard, type OutboundGuardOptions } from './outbound/outbound-guard.js';
export type { Resolver } from './outbound/resolver.js';
export { isSignedBy, sign } from './signing/signature.js';
export { forgetPreviousSecrets } from './signing/previous-secrets.js';
export { SigningSecrets } from './signing/signing-secrets.js';
export { WebhooksModule, type WebhooksOptions } from './webhooks.module.js';
