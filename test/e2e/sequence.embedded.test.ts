import { describe } from 'vitest';
import { describeSequence } from './sequence.suite.js';
import { embeddedParts } from './support/sets.js';

describe('on embedded parts', () => {
  describeSequence(embeddedParts);
});
