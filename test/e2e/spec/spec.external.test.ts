import { describe } from 'vitest';
import { externalParts } from '../support/sets.js';
import { describeSpecification } from './specification.suite.js';

describe('the specification on external parts', () => {
  describeSpecification(externalParts);
});
