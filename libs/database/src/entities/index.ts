import { Account } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';
import { AutoRecharge } from './auto-recharge.entity.js';
import { CreditEntry } from './credit-entry.entity.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { Installation } from './installation.entity.js';
import { JobEvent } from './job-event.entity.js';
import { JobStage } from './job-stage.entity.js';
import { Job } from './job.entity.js';
import { OutboxEntry } from './outbox-entry.entity.js';
import { Payment } from './payment.entity.js';
import { RateLimitHit } from './rate-limit-hit.entity.js';
import { Turn } from './turn.entity.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookSecret } from './webhook-secret.entity.js';

export const ENTITIES = [
  Account,
  ApiKey,
  AutoRecharge,
  CreditEntry,
  IdempotencyKey,
  Installation,
  Job,
  JobEvent,
  JobStage,
  OutboxEntry,
  Payment,
  RateLimitHit,
  Turn,
  WebhookAttempt,
  WebhookDelivery,
  WebhookSecret,
];
