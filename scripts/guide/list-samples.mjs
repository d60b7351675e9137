import { readPages } from './build-site.mjs';
import { DEFAULT_TEST, parseFenceInfo } from './samples.mjs';

/** The code that a test runs: see `list-samples.d.mts`. */
export async function listSamples(test = DEFAULT_TEST) {
  const pages = (await readPages()).map(({ page }) => ({
    file: page.file,
    samples: page.tokens
      .filter(({ type }) => type === 'fence')
      .map(({ info, content }) => ({ ...parseFenceInfo(info), code: content }))
      .filter(({ run, file }) => run === test || file !== undefined),
  }));
  const found = pages.filter(({ samples }) => samples.some(({ run }) => run !== undefined));
  if (found.length === 0) throw new Error(`No page of the documentation has code that ${test} runs.`);
  return found;
}
