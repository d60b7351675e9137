import { describe } from 'vitest';
import { embeddedParts } from '../support/sets.js';
import { describeSpecification } from './specification.suite.js';

describe('the specification on embedded backends', () => {
  describeSpecification(embeddedParts);
});
