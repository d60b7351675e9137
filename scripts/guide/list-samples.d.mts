export interface Sample {
  language: string;
  code: string;
  run: boolean;
  background: boolean;
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

/** @returns the pages of the documentation site with code that runs, and all their code, in order */
export function listSamples(): Promise<PageSamples[]>;
