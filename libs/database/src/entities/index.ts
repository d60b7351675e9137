import { Account } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';
import { AudioIntake } from './audio-intake.entity.js';
import { AuditEvent } from './audit-event.entity.js';
import { AutoRecharge } from './auto-recharge.entity.js';
import { CommandLineSignIn } from './command-line-sign-in.entity.js';
import { CreditAlert } from './credit-alert.entity.js';
import { CreditEntry } from './credit-entry.entity.js';
import { DeletedJob } from './deleted-job.entity.js';
import { ExternalIdentity } from './external-identity.entity.js';
import { AccountQueueTurn } from './account-queue-turn.entity.js';
import { HashingKey } from './hashing-key.entity.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { Installation } from './installation.entity.js';
import { Invitation } from './invitation.entity.js';
import { JobEvent } from './job-event.entity.js';
import { JobMetadataEntry } from './job-metadata.entity.js';
import { JobStage } from './job-stage.entity.js';
import { Job } from './job.entity.js';
import { RateLimitIncreaseRequest } from './rate-limit-increase-request.entity.js';
import { MaintenanceLease } from './maintenance-lease.entity.js';
import { Membership } from './membership.entity.js';
import { OrphanObservation } from './orphan-observation.entity.js';
import { OutboxEntry } from './outbox-entry.entity.js';
import { PaymentDispute } from './payment-dispute.entity.js';
import { PaymentEventScan } from './payment-event-scan.entity.js';
import { PaymentProviderEvent } from './payment-provider-event.entity.js';
import { Payment } from './payment.entity.js';
import { CountedRequest } from './counted-request.entity.js';
import { StripeCustomer } from './stripe-customer.entity.js';
import { Passkey } from './passkey.entity.js';
import { RecoveryCode } from './recovery-code.entity.js';
import { SignInChallenge } from './sign-in-challenge.entity.js';
import { OneTimeLink } from './one-time-link.entity.js';
import { TotpEnrollment } from './totp-enrollment.entity.js';
import { TotpSecret } from './totp-secret.entity.js';
import { TranscriptCorrection } from './transcript-correction.entity.js';
import { UserSession } from './user-session.entity.js';
import { User } from './user.entity.js';
import { Vocabulary } from './vocabulary.entity.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookPreviousSecret } from './webhook-previous-secret.entity.js';
import { WebhookSecret } from './webhook-secret.entity.js';

export const ENTITIES = [
  Account,
  ApiKey,
  AudioIntake,
  AuditEvent,
  AutoRecharge,
  CommandLineSignIn,
  CreditAlert,
  CreditEntry,
  DeletedJob,
  ExternalIdentity,
  AccountQueueTurn,
  HashingKey,
  IdempotencyKey,
  Installation,
  Invitation,
  Job,
  JobEvent,
  JobMetadataEntry,
  JobStage,
  RateLimitIncreaseRequest,
  MaintenanceLease,
  Membership,
  OrphanObservation,
  OutboxEntry,
  Passkey,
  Payment,
  PaymentDispute,
  PaymentProviderEvent,
  PaymentEventScan,
  CountedRequest,
  StripeCustomer,
  RecoveryCode,
  SignInChallenge,
  OneTimeLink,
  TotpEnrollment,
  TotpSecret,
  TranscriptCorrection,
  User,
  UserSession,
  Vocabulary,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookPreviousSecret,
  WebhookSecret,
];
