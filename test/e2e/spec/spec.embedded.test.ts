import { describe } from 'vitest';
import { embeddedDependencies } from '../support/dependencies.js';
import { describeSpecification } from './specification.suite.js';

describe('the specification on embedded backends', () => {
  describeSpecification(embeddedDependencies);
});
