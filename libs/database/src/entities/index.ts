import { Account } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';
import { AudioIntake } from './audio-intake.entity.js';
import { AutoRecharge } from './auto-recharge.entity.js';
import { CreditEntry } from './credit-entry.entity.js';
import { HashingKey } from './hashing-key.entity.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { Installation } from './installation.entity.js';
import { JobEvent } from './job-event.entity.js';
import { JobMetadataEntry } from './job-metadata.entity.js';
import { JobStage } from './job-stage.entity.js';
import { Job } from './job.entity.js';
import { OrphanObservation } from './orphan-observation.entity.js';
import { OutboxEntry } from './outbox-entry.entity.js';
import { PaymentDispute } from './payment-dispute.entity.js';
import { PaymentEventScan } from './payment-event-scan.entity.js';
import { PaymentEvent } from './payment-event.entity.js';
import { Payment } from './payment.entity.js';
import { RateLimitHit } from './rate-limit-hit.entity.js';
import { StripeCustomer } from './stripe-customer.entity.js';
import { FairShare } from './fair-share.entity.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookPreviousSecret } from './webhook-previous-secret.entity.js';
import { WebhookSecret } from './webhook-secret.entity.js';

export const ENTITIES = [
  Account,
  ApiKey,
  AudioIntake,
  AutoRecharge,
  CreditEntry,
  HashingKey,
  IdempotencyKey,
  Installation,
  Job,
  JobEvent,
  JobMetadataEntry,
  JobStage,
  OrphanObservation,
  OutboxEntry,
  Payment,
  PaymentDispute,
  PaymentEvent,
  PaymentEventScan,
  RateLimitHit,
  FairShare,
  StripeCustomer,
  WebhookAttempt,
  WebhookDelivery,
  WebhookPreviousSecret,
  WebhookSecret,
];
