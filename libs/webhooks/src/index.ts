export {
  findWebhookDeliveryForOperator,
  listWebhookDeliveriesForOperator,
  type WebhookDeliveryView,
} from './deliveries/operator-delivery.repository.js';
export {
  replayDelivery,
  replayFailedDeliveries,
  SELECT_FAILED_DELIVERIES_SQL,
} from './deliveries/replay-delivery.repository.js';
export {
  AccountWebhookDeliveryService,
  type DecryptedWebhookAttempt,
} from './deliveries/account-webhook-delivery.service.js';
export {
  type DeliveryWithLastAttempt,
  listWebhookAttempts,
} from './deliveries/account-delivery.repository.js';
export {
  WebhookEndpointService,
  type WebhookEndpointSettings,
} from './endpoints/webhook-endpoint.service.js';
export {
  deleteEndpointsOfEndingAccount,
  type WebhookEndpointView,
} from './endpoints/webhook-endpoint.repository.js';
export { WebhookDispatcher, type WebhookDispatcherOptions } from './deliveries/webhook-dispatcher.js';
export {
  WEBHOOK_DUE_CHANNEL,
  purgeOldWebhookExchangesAndTests,
  readWebhookBacklog,
  findWebhookHoldStart,
  holdAllWebhookDeliveries,
  releaseAllWebhookDeliveries,
  holdAndResetRestoredWebhooks,
} from './deliveries/webhook-delivery.repository.js';
export type { DownloadUrlFactory } from './deliveries/webhook-body.js';
export { WebhookBodyEncryptor } from './deliveries/webhook-body-encryptor.js';
export { WebhookJobHooks } from './deliveries/webhook-job-hooks.js';
export { computeWebhookBodySignature } from './signing/signature.js';
export { purgeExpiredPreviousSigningSecrets } from './signing/signing-secret.repository.js';
export { WebhookSigningSecretService } from './signing/webhook-signing-secret.service.js';
export { WebhooksModule } from './webhooks.module.js';
