import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a minute or more, mostly by suites that they only name; those that take longest come first. */
const LONG = [
  'e2e/durability.embedded',
  'e2e/spec/spec.embedded',
  'e2e/one-service',
  'e2e/operator-accounts',
  'e2e/openai',
  'e2e/generated',
  'integration/engine.pocketsphinx',
].map((name) => `/test/${name}.test.ts`);

/**
 * A long file that begins last keeps one worker at work while the others have nothing left. What has not been run on
 * this machine yet vitest takes by its size, which tells nothing of a file that only names suites.
 */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** The same for all that are not long: they stay in their order. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((name) => moduleId.endsWith(name));
  return place < 0 ? LONG.length : place;
}
