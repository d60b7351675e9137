export interface Sample {
  language: string;
  code: string;
  /** The test that runs it, by its path in the repository. */
  run?: string;
  background: boolean;
  /** Text that a block in the background prints before the blocks that follow run. */
  ready?: string;
  /** Text that its output must contain. */
  prints?: string;
  /** Name of the file as which it is saved. */
  file?: string;
  /** Why it does not run. */
  notRun?: string;
}

export interface PageSamples {
  /** Path in the repository. */
  file: string;
  samples: Sample[];
}

/**
 * @param test by its path in the repository; the default one runs the blocks that name none
 * @returns the pages of the documentation site with code that this test runs: that code and the files that it uses, in order; at least one
 * @throws Error if no page has code for the test
 */
export function listSamples(test?: string): Promise<[PageSamples, ...PageSamples[]]>;
