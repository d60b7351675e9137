import { readFile, writeFile } from 'node:fs/promises';
import { listStoredFiles } from './data-dir.js';

/** Changes the files of a job in the file store whose text matches. */
export async function rewriteTranscript(
  dataDir: string,
  jobId: string,
  change: (text: string) => string,
  matching: RegExp,
): Promise<void> {
  for (const path of await listStoredFiles(dataDir)) {
    if (!path.includes(jobId)) continue;
    const text = await readFile(path, 'utf8');
    if (matching.test(text)) await writeFile(path, change(text));
  }
}
