import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE_RATE } from '@app/speech';
import { parseWav } from '../../scripts/material/wav.mjs';
import type { Dialogue } from './material/index.js';
import { makeMedia } from './make-media.js';

/** A stereo recording of a dialogue: each of two speakers on a channel, and a share of the other one on it. */
export async function makeStereoDialogue(
  folder: string,
  name: string,
  { path, turns }: Pick<Dialogue, 'path' | 'turns'>,
  crosstalk = 0,
): Promise<string> {
  const { samples } = parseWav(await readFile(path));
  const pairs = new Int16Array(2 * samples.length);
  const [first] = turns;
  for (const turn of turns) {
    const isLeft = turn.speaker === first?.speaker;
    for (let at = Math.floor(turn.start * SAMPLE_RATE); at < turn.end * SAMPLE_RATE; at += 1) {
      const sample = samples[at] ?? 0;
      pairs[2 * at] = isLeft ? sample : sample * crosstalk;
      pairs[2 * at + 1] = isLeft ? sample * crosstalk : sample;
    }
  }
  return writeStereo(folder, name, pairs);
}

/** @param pairs 16 kHz, left, right, left, right, … */
export async function writeStereo(folder: string, name: string, pairs: Int16Array): Promise<string> {
  const raw = join(folder, `${name}.s16`);
  await writeFile(raw, Buffer.from(pairs.buffer, pairs.byteOffset, pairs.byteLength));
  return makeMedia(folder, name, '-f', 's16le', '-ar', '16000', '-ac', '2', '-i', raw);
}
