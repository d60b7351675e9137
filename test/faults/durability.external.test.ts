import { describe } from 'vitest';
import { describeDurability } from '../e2e/durability.suite.js';
import { synthesizeSpeech } from '../e2e/support/audio.js';
import { startExternalDependencies } from '../e2e/support/dependencies.js';

const TEXT = 'There are ninety tables between the office and the bridge.';

describe('durability on a private Postgres and Redis', () => {
  describeDurability(startExternalDependencies, async () => ({
    bytes: await synthesizeSpeech(`${TEXT} `.repeat(5)),
    words: 40,
  }));
});
