import { describe } from 'vitest';
import { describeDurability } from '../e2e/durability.suite.js';
import { spoken } from '../e2e/support/audio.js';
import { externalParts } from '../e2e/support/sets.js';

const TEXT = 'There are ninety tables between the office and the bridge.';

describe('on a Postgres and a Redis of its own', () => {
  describeDurability(externalParts, async () => ({ bytes: await spoken(`${TEXT} `.repeat(5)), words: 40 }));
});
