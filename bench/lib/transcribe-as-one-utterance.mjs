import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addDither } from '../../dist/libs/speech/src/engine/pocketsphinx/amplify-and-dither.js';
import {
  HUGE_PAGES_ENV,
  locatePocketsphinxModelAndSupportedFlags,
  POCKETSPHINX_TOOL,
} from '../../dist/libs/speech/src/engine/pocketsphinx/installation.js';
import { buildBatchArguments } from '../../dist/libs/speech/src/engine/pocketsphinx/batch-arguments.js';
import { encodeWav, readWav } from '../../dist/libs/speech/src/wav/wav.js';

/** The words of an utterance; its name and score in parentheses. */
const HYPOTHESIS = /^(.*?) ?\(\S+ -?\d+\)$/m;
const MAX_LOG_BYTES = 64 * 1024 * 1024;

/**
 * Runs pocketsphinx with the settings of the service on the whole file as one utterance.
 *
 * @param {string} path 16 kHz mono WAV
 * @returns {Promise<{ text: string, seconds: number }>} seconds: elapsed time of the program
 */
export async function transcribeAsOneUtterance(path) {
  const { signal } = new AbortController();
  const { model, flags } = await locatePocketsphinxModelAndSupportedFlags(signal);
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-whole-'));
  try {
    await writeFile(join(folder, 'whole.wav'), encodeWav(addDither(await readWav(path, signal))));
    const control = join(folder, 'control');
    await writeFile(control, 'whole\n');
    const words = join(folder, 'words');
    const args = buildBatchArguments({ model, folder, control, words }, flags);
    // Two outputs to one file would overwrite each other; the service reads both from a pipe.
    args[args.indexOf('-ctm') + 1] = '/dev/null';
    const startedAt = performance.now();
    await promisify(execFile)(POCKETSPHINX_TOOL.name, args, {
      env: { ...process.env, ...HUGE_PAGES_ENV },
      maxBuffer: MAX_LOG_BYTES,
    });
    const seconds = (performance.now() - startedAt) / 1000;
    return { text: HYPOTHESIS.exec(await readFile(words, 'utf8'))?.[1] ?? '', seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
