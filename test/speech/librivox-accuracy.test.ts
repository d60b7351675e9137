import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PocketsphinxEngine } from '@app/speech';
import { afterAll, describe, expect, it } from 'vitest';
import { transcribeFile } from '../support/transcribe-file.js';
import { computeWordErrors } from '../support/sclite.js';

/** Optional recordings of human readers, outside the repository. */
const FOLDER = fileURLToPath(new URL('../../../shared/audio/librivox/', import.meta.url));
/** Measured were 21.4 % and 21.1 %. */
const CLIPS = ['0890', '0920'];
const MAX_ERROR_RATE = 36;

const present = existsSync(FOLDER);
if (!present) console.warn('Skipped recordings of human readers: ../shared/audio/librivox does not exist.');

describe.skipIf(!present)('recordings of human readers', () => {
  const engine = new PocketsphinxEngine();
  afterAll(() => engine.close());

  it.each(CLIPS)(`clip %s is read with at most ${MAX_ERROR_RATE} of a hundred words wrong`, async (clip) => {
    const { words } = await transcribeFile(engine, `${FOLDER}${clip}.wav`);
    const reference = await readFile(`${FOLDER}${clip}.txt`, 'utf8');
    const text = words.map((word) => word.text).join(' ');
    const errors = await computeWordErrors(reference, text);
    console.log(`Clip ${clip}: ${errors.percent.toFixed(1)} % of ${errors.words} words: ${text}`);
    expect(errors.percent).toBeLessThanOrEqual(MAX_ERROR_RATE);
  });
});
