import { readPages } from './build-site.mjs';
import { parseFenceInfo } from './samples.mjs';

/** The code of all pages that have code which runs: see `list-samples.d.mts`. */
export async function listSamples() {
  const pages = (await readPages()).map(({ page }) => ({
    file: page.file,
    samples: page.tokens
      .filter(({ type }) => type === 'fence')
      .map(({ info, content }) => ({ ...parseFenceInfo(info), code: content })),
  }));
  return pages.filter(({ samples }) => samples.some(({ run }) => run));
}
