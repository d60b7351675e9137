export { WebhookDeliveryService, type WebhookDeliveryView } from './deliveries/webhook-delivery.service.js';
export { DeliveryLog, type DecryptedWebhookAttempt } from './deliveries/delivery-log.js';
export type { LoggedDelivery, WebhookAttemptView } from './deliveries/delivery-log.repository.js';
export { MAX_ENDPOINTS_PER_ACCOUNT } from './deliveries/insert-delivery.repository.js';
export { WebhookEndpoints, type WebhookEndpointSettings } from './endpoints/webhook-endpoints.js';
export type { WebhookEndpointView } from './endpoints/webhook-endpoint.repository.js';
export { WebhookDispatcher, type WebhookDispatcherOptions } from './deliveries/webhook-dispatcher.js';
export {
  WEBHOOK_DUE_CHANNEL,
  purgeOldWebhookExchanges,
  readWebhookBacklog,
  findWebhookHoldStart,
  holdAllWebhookDeliveries,
  releaseAllWebhookDeliveries,
  holdAndResetRestoredWebhooks,
} from './deliveries/webhook-delivery.repository.js';
export type { DownloadUrlFactory } from './deliveries/webhook-body.js';
export { EncryptedWebhookBodies } from './deliveries/encrypted-webhook-bodies.js';
export { WebhookJobHooks } from './deliveries/webhook-job-hooks.js';
export { verifyWebhookSignature, signWebhook } from './signing/signature.js';
export { purgeExpiredPreviousSigningSecrets } from './signing/signing-secret.repository.js';
export { SigningSecrets } from './signing/signing-secrets.js';
export { WebhooksModule } from './webhooks.module.js';
