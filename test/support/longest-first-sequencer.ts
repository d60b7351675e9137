import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute or more, most of them because of suites that they import; the longest first. */
const LONG = [
  'e2e/guide-samples',
  'e2e/durability.embedded',
  'e2e/spec/spec.embedded',
  'e2e/one-service',
  'e2e/one-service.requests',
  'e2e/errors',
  'e2e/release',
  'e2e/npm-signals',
  'e2e/operator-accounts',
  'e2e/openai',
  'e2e/generated',
  'integration/restore-command',
  'integration/job-round-trips',
  'e2e/uploads',
  'e2e/proxies',
  'e2e/streams',
  'e2e/pressure',
  'integration/engine.pocketsphinx',
  'integration/decode',
  'integration/queue.postgres',
  'integration/embedded-postgres',
].map((name) => `/test/${name}.test.ts`);

/**
 * Starts long files first, so that none runs alone at the end. Without timings of an earlier run vitest sorts by file
 * size, which is wrong for a file that only imports suites.
 */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/** Equal for all files that are not long, so that they keep their order. */
function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONG.findIndex((name) => moduleId.endsWith(name));
  return rank < 0 ? LONG.length : rank;
}
