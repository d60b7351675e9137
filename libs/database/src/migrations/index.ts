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
import { FailedDeliveries1795904000000 } from './1795904000000-failed-deliveries.js';
import { RechargeLimitCurrency1795905000000 } from './1795905000000-recharge-limit-currency.js';
import { StageCrashes1795903000000 } from './1795903000000-stage-crashes.js';
import { LastAccounts1795903100000 } from './1795903100000-last-accounts.js';
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
 * Oldest first. Written by hand from `admin migrate --drift`, and never changed once released. With each, whether it is rolling:
 * programs of the previous version can continue during and after it. `false`: all of them must stop first, because they would
 * fail or write unexpected data. A new column that is nullable or has a default is rolling; one that is dropped, renamed or newly
 * required is not.
 */
const MIGRATIONS_AND_ROLLING: readonly [migration: new () => MigrationInterface, isRolling: boolean][] = [
  [Initial1763600000000, true],
  [Webhooks1763640000000, true],
  [RateLimits1763650000000, true],
  [Idempotency1763660000000, true],
  [Payments1763670000000, true],
  [TranscriptRetention1763680000000, true],
  [SpeakerNames1763700000000, true],
  // Stored responses and webhook bodies move to other columns.
  [SealedAnswers1763730000000, false],
  // Stages that older APIs add would have no account.
  [Turns1763740000000, false],
  [SealedBodies1763750000000, false],
  // Older APIs read as a role that loses its privileges.
  [NoPolicies1763760000000, false],
  [StoreIdentity1763781000000, true],
  [SuspendedAccounts1763800000000, true],
  [DeclaredSize1763810000000, true],
  [PreviousWebhookSecrets1763820000000, true],
  [JobRequests1763821000000, true],
  // Initially contains the key that older programs derive from the service secret.
  [HashingKey1763830000000, true],
  [JobMetadata1763840000000, true],
  [OrphanObservations1763861000000, true],
  [HeldWebhooks1763872000000, true],
  [PartSize1763880000000, true],
  [People1763890000000, true],
  [CardPayments1763900000000, true],
  [ConsoleKeys1763910000000, true],
  [BillingNotices1763930000000, true],
  // Older programs send to callback URLs only, and leave test events to newer ones.
  [WebhookEndpoints1763935000000, true],
  [ConsoleJobs1763940000000, true],
  [EndedAccounts1763950000000, true],
  [TranscriptCorrections1763955000000, true],
  [AccountRetention1763960000000, true],
  // Older APIs ignore the option, and report it as an ignored field.
  [Vocabularies1763970000000, true],
  [UserEvents1763980000000, true],
  // Older APIs do not enforce it; it is off until somebody turns it on.
  [RequiredTwoFactors1763990000000, true],
  // Apps that older APIs are setting up meanwhile are set up again.
  [TotpEnrollments1795580100000, true],
  [AudioDeletionClaims1795580700000, true],
  [MaintenanceLeader1795581600000, true],
  [JobTraceparent1795582140000, true],
  [AccountQuotas1795589546000, true],
  // Triggers also see the stages of older programs, which claim by their own statement.
  [StageTurns1795599734000, true],
  [JobRetention1795600404000, true],
  // Addresses of users whom older APIs create count as not proved.
  [ProvedAddresses1795601120000, true],
  [OpenJobIndexes1795603196000, true],
  // Triggers also see the deliveries of older programs, which claim by their own statement.
  [WebhookTurns1795603432000, true],
  [RequireCondition1795645884000, true],
  [DeletedJobs1795659000000, true],
  [CommandLineSignIns1795660000000, true],
  // Older programs insert rows with the default, and look at the other column.
  [NextDeletionOfDeletedJobs1795836000000, true],
  // Older programs insert rows with the default, and delete all objects each time.
  [RepeatedDeletionOfAudio1795837000000, true],
  // An app that an older API begins with in place of another one expires with that one, and is set up again.
  [TotpEnrollmentTimes1795902000000, true],
  [OneIdentityPerIssuer1795902100000, true],
  [StageCrashes1795903000000, true],
  // Older APIs open the account of the latest session.
  [LastAccounts1795903100000, true],
  [FailedDeliveries1795904000000, true],
  // Older programs leave the currency of a stored limit as it is; in another one than that of payments nothing is charged.
  [RechargeLimitCurrency1795905000000, true],
];

export const MIGRATIONS = MIGRATIONS_AND_ROLLING.map(([migration]) => migration);

/** False if this version does not have the migration. */
export function isRollingMigration(name: string): boolean {
  return MIGRATIONS_AND_ROLLING.some(([migration, isRolling]) => migration.name === name && isRolling);
}

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
