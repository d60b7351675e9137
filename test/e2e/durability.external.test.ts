import { describe } from 'vitest';
import { describeDurability } from './durability.suite.js';
import { spoken } from './support/audio.js';
import { externalParts } from './support/sets.js';

const TEXT = 'There are ninety tables between the office and the bridge.';

describe('on a Postgres and a Redis of its own', () => {
  describeDurability(externalParts, async () => ({ bytes: await spoken(`${TEXT} `.repeat(5)), words: 40 }));
});
