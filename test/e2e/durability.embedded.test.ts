import { describe } from 'vitest';
import { describeDurability } from './durability.suite.js';
import { dialogue } from './support/audio.js';
import { embeddedParts } from './support/sets.js';

describe('on embedded backends', () => {
  describeDurability(embeddedParts, async () => ({ bytes: await dialogue(), words: 50 }));
});
