import type { MigrationInterface } from 'typeorm';
import { Idempotency1763660000000 } from './1763660000000-idempotency.js';
import { Initial1763600000000 } from './1763600000000-initial.js';
import { NoPolicies1763760000000 } from './1763760000000-no-policies.js';
import { Payments1763670000000 } from './1763670000000-payments.js';
import { RateLimits1763650000000 } from './1763650000000-rate-limits.js';
import { TranscriptRetention1763680000000 } from './1763680000000-transcript-retention.js';
import { SealedAnswers1763730000000 } from './1763730000000-sealed-answers.js';
import { SealedBodies1763750000000 } from './1763750000000-sealed-bodies.js';
import { SpeakerNames1763700000000 } from './1763700000000-speaker-names.js';
import { Turns1763740000000 } from './1763740000000-turns.js';
import { Webhooks1763640000000 } from './1763640000000-webhooks.js';

/** Oldest first. Written by hand from `admin migrate --drift`; never changed once landed. */
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
];
