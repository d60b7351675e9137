import { describe } from 'vitest';
import { describeDurability } from './durability.suite.js';
import { sample } from './support/audio.js';
import { embeddedParts } from './support/sets.js';

describe('on embedded parts', () => {
  describeDurability(embeddedParts, async () => ({ bytes: await sample(), words: 170 }));
});
