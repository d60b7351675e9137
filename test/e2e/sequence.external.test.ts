import { describe } from 'vitest';
import { describeSequence } from './sequence.suite.js';
import { externalParts } from './support/sets.js';

describe('on a Postgres and a Redis of its own', () => {
  describeSequence(externalParts);
});
