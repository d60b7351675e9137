/**
 * Whether programs of the previous version can continue during and after a migration. `false`: all of them
 * must stop first, because they would fail or write unexpected data. A new column that is nullable or has a
 * default is rolling; one that is dropped, renamed or newly required is not.
 */
const IS_ROLLING: Readonly<Record<string, boolean>> = {
  Initial1763600000000: true,
  Webhooks1763640000000: true,
  RateLimits1763650000000: true,
  Idempotency1763660000000: true,
  Payments1763670000000: true,
  TranscriptRetention1763680000000: true,
  SpeakerNames1763700000000: true,
  // Stored responses and webhook bodies move to other columns.
  SealedAnswers1763730000000: false,
  // Stages that older APIs add would have no account.
  Turns1763740000000: false,
  SealedBodies1763750000000: false,
  // Older APIs read as a role that loses its privileges.
  NoPolicies1763760000000: false,
  StoreIdentity1763781000000: true,
  SuspendedAccounts1763800000000: true,
  DeclaredSize1763810000000: true,
  PreviousWebhookSecrets1763820000000: true,
  JobRequests1763821000000: true,
  // Initially contains the key that older programs derive from the service secret.
  HashingKey1763830000000: true,
  JobMetadata1763840000000: true,
  OrphanObservations1763861000000: true,
  HeldWebhooks1763872000000: true,
  PartSize1763880000000: true,
  People1763890000000: true,
  CardPayments1763900000000: true,
  ConsoleKeys1763910000000: true,
  BillingNotices1763930000000: true,
  // Older programs send to callback URLs only, and leave test events to newer ones.
  WebhookEndpoints1763935000000: true,
  ConsoleJobs1763940000000: true,
  EndedAccounts1763950000000: true,
  TranscriptCorrections1763955000000: true,
  AccountRetention1763960000000: true,
  // Older APIs ignore the option, and report it as an ignored field.
  Vocabularies1763970000000: true,
  UserEvents1763980000000: true,
  // Older APIs do not enforce it; it is off until somebody turns it on.
  RequiredTwoFactors1763990000000: true,
  // Apps that older APIs are setting up meanwhile are set up again.
  TotpEnrollments1795580100000: true,
  AudioDeletionClaims1795580700000: true,
  MaintenanceLeader1795581600000: true,
  JobTraceparent1795582140000: true,
  AccountQuotas1795589546000: true,
  // Triggers also see the stages of older programs, which claim by their own statement.
  StageTurns1795599734000: true,
  JobRetention1795600404000: true,
  // Addresses of users whom older APIs create count as not proved.
  ProvedAddresses1795601120000: true,
  OpenJobIndexes1795603196000: true,
  // Triggers also see the deliveries of older programs, which claim by their own statement.
  WebhookTurns1795603432000: true,
  RequireCondition1795645884000: true,
  DeletedJobs1795659000000: true,
  CommandLineSignIns1795660000000: true,
  // Older programs insert rows with the default, and look at the other column.
  NextDeletionOfDeletedJobs1795836000000: true,
  // Older programs insert rows with the default, and delete all objects each time.
  RepeatedDeletionOfAudio1795837000000: true,
  // An app that an older API begins with in place of another one expires with that one, and is set up again.
  TotpEnrollmentTimes1795902000000: true,
  OneIdentityPerIssuer1795902100000: true,
};

/** False if the migration is not classified. */
export function isRollingMigration(migration: string): boolean {
  return IS_ROLLING[migration] ?? false;
}

export const CLASSIFIED_MIGRATION_NAMES: readonly string[] = Object.keys(IS_ROLLING);
