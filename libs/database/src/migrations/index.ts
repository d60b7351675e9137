import type { MigrationInterface } from 'typeorm';
import { AccountRetention1763960000000 } from './1763960000000-account-retention.js';
import { AudioDeletionClaims1795580700000 } from './1795580700000-audio-deletion-claims.js';
import { BillingNotices1763930000000 } from './1763930000000-billing-notices.js';
import { CardPayments1763900000000 } from './1763900000000-card-payments.js';
import { CommandLineSignIns1795660000000 } from './1795660000000-command-line-sign-ins.js';
import { NextDeletionOfDeletedJobs1795836000000 } from './1795836000000-next-deletion-of-deleted-jobs.js';
import { RepeatedDeletionOfAudio1795837000000 } from './1795837000000-repeated-deletion-of-audio.js';
import { TotpEnrollmentTimes1795902000000 } from './1795902000000-totp-enrollment-times.js';
import { OneIdentityPerIssuer1795902100000 } from './1795902100000-one-identity-per-issuer.js';
import { ConsoleKeys1763910000000 } from './1763910000000-console-keys.js';
import { ConsoleJobs1763940000000 } from './1763940000000-console-jobs.js';
import { DeclaredSize1763810000000 } from './1763810000000-declared-size.js';
import { EndedAccounts1763950000000 } from './1763950000000-ended-accounts.js';
import { HashingKey1763830000000 } from './1763830000000-hashing-key.js';
import { HeldWebhooks1763872000000 } from './1763872000000-held-webhooks.js';
import { Idempotency1763660000000 } from './1763660000000-idempotency.js';
import { Initial1763600000000 } from './1763600000000-initial.js';
import { JobRequests1763821000000 } from './1763821000000-job-requests.js';
import { JobMetadata1763840000000 } from './1763840000000-job-metadata.js';
import { NoPolicies1763760000000 } from './1763760000000-no-policies.js';
import { MaintenanceLeader1795581600000 } from './1795581600000-maintenance-leader.js';
import { OpenJobIndexes1795603196000 } from './1795603196000-open-job-indexes.js';
import { OrphanObservations1763861000000 } from './1763861000000-orphan-observations.js';
import { PartSize1763880000000 } from './1763880000000-part-size.js';
import { Payments1763670000000 } from './1763670000000-payments.js';
import { People1763890000000 } from './1763890000000-people.js';
import { PreviousWebhookSecrets1763820000000 } from './1763820000000-previous-webhook-secrets.js';
import { RateLimits1763650000000 } from './1763650000000-rate-limits.js';
import { TranscriptCorrections1763955000000 } from './1763955000000-transcript-corrections.js';
import { TranscriptRetention1763680000000 } from './1763680000000-transcript-retention.js';
import { RequireCondition1795645884000 } from './1795645884000-require-condition.js';
import { DeletedJobs1795659000000 } from './1795659000000-deleted-jobs.js';
import { SealedAnswers1763730000000 } from './1763730000000-sealed-answers.js';
import { SealedBodies1763750000000 } from './1763750000000-sealed-bodies.js';
import { SpeakerNames1763700000000 } from './1763700000000-speaker-names.js';
import { StageTurns1795599734000 } from './1795599734000-stage-turns.js';
import { StoreIdentity1763781000000 } from './1763781000000-store-identity.js';
import { SuspendedAccounts1763800000000 } from './1763800000000-suspended-accounts.js';
import { TotpEnrollments1795580100000 } from './1795580100000-totp-enrollments.js';
import { Turns1763740000000 } from './1763740000000-turns.js';
import { UserEvents1763980000000 } from './1763980000000-user-events.js';
import { RequiredTwoFactors1763990000000 } from './1763990000000-required-two-factors.js';
import { AccountQuotas1795589546000 } from './1795589546000-account-quotas.js';
import { ProvedAddresses1795601120000 } from './1795601120000-proved-addresses.js';
import { Vocabularies1763970000000 } from './1763970000000-vocabularies.js';
import { WebhookTurns1795603432000 } from './1795603432000-webhook-turns.js';
import { WebhookEndpoints1763935000000 } from './1763935000000-webhook-endpoints.js';
import { JobRetention1795600404000 } from './1795600404000-job-retention.js';
import { JobTraceparent1795582140000 } from './1795582140000-job-traceparent.js';
import { Webhooks1763640000000 } from './1763640000000-webhooks.js';

/**
 * Oldest first. Written by hand from `admin migrate --drift`, never changed once released, and classified in
 * `rolling-migrations.ts`.
 */
export const MIGRATIONS: (new () => MigrationInterface)[] = [
  Initial1763600000000,
  Webhooks1763640000000,
  RateLimits1763650000000,
  Idempotency1763660000000,
  Payments1763670000000,
  TranscriptRetention1763680000000,
  SpeakerNames1763700000000,
  SealedAnswers1763730000000,
  Turns1763740000000,
  SealedBodies1763750000000,
  NoPolicies1763760000000,
  StoreIdentity1763781000000,
  SuspendedAccounts1763800000000,
  DeclaredSize1763810000000,
  PreviousWebhookSecrets1763820000000,
  JobRequests1763821000000,
  HashingKey1763830000000,
  JobMetadata1763840000000,
  OrphanObservations1763861000000,
  HeldWebhooks1763872000000,
  PartSize1763880000000,
  People1763890000000,
  CardPayments1763900000000,
  ConsoleKeys1763910000000,
  BillingNotices1763930000000,
  WebhookEndpoints1763935000000,
  ConsoleJobs1763940000000,
  EndedAccounts1763950000000,
  TranscriptCorrections1763955000000,
  AccountRetention1763960000000,
  Vocabularies1763970000000,
  UserEvents1763980000000,
  RequiredTwoFactors1763990000000,
  TotpEnrollments1795580100000,
  AudioDeletionClaims1795580700000,
  MaintenanceLeader1795581600000,
  JobTraceparent1795582140000,
  AccountQuotas1795589546000,
  StageTurns1795599734000,
  JobRetention1795600404000,
  ProvedAddresses1795601120000,
  OpenJobIndexes1795603196000,
  WebhookTurns1795603432000,
  RequireCondition1795645884000,
  DeletedJobs1795659000000,
  CommandLineSignIns1795660000000,
  NextDeletionOfDeletedJobs1795836000000,
  RepeatedDeletionOfAudio1795837000000,
  TotpEnrollmentTimes1795902000000,
  OneIdentityPerIssuer1795902100000,
];

/** @returns the names that this version does not have */
export function filterUnknownMigrationNames(names: readonly string[]): string[] {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}

/** Oldest first. @throws RangeError with a name that this version does not have */
export function findMigrationsByName(names: readonly string[]): (new () => MigrationInterface)[] {
  const [unknown] = filterUnknownMigrationNames(names);
  if (unknown !== undefined) throw new RangeError(`There is no migration ${unknown} in this version.`);
  return MIGRATIONS.filter(({ name }) => names.includes(name));
}
