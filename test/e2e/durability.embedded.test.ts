import { describe } from 'vitest';
import { describeDurability } from './durability.suite.js';
import { dialogueWav } from './support/audio.js';
import { embeddedDependencies } from './support/dependencies.js';

describe('on embedded backends', () => {
  describeDurability(embeddedDependencies, async () => ({ bytes: await dialogueWav(), words: 50 }));
});
