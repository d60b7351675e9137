#!/usr/bin/env node
/**
 * Makes a synthetic dialogue: an audio file, and beside it a JSON file with the turns.
 *
 *     node scripts/material/make-material.mjs --seconds 600 --voices 2 --seed 7 --out x.wav [--format mp3]
 *
 * Needs flite, and ffmpeg for formats other than 16 kHz mono WAV.
 */
import { copyFile, writeFile } from 'node:fs/promises';
import { parse } from 'node:path';
import { parseArgs } from 'node:util';
import { convertFormat, FORMAT_NAMES, makeDialogue } from './library.mjs';

const USAGE = `node scripts/material/make-material.mjs --out file
  --seconds n   length, 3 to 14400 (60)
  --voices n    number of speakers, 1 to 4 (2)
  --seed n      integer that selects the dialogue (1)
  --format f    ${FORMAT_NAMES.join(', ')} (wav)`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    voices: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    format: { type: 'string', default: 'wav' },
    out: { type: 'string' },
  },
});

if (!values.out) {
  console.error(USAGE);
  process.exit(2);
}

try {
  const { seconds, voices, seed, format, out } = values;
  await makeMaterial({ seconds: Number(seconds), voices: Number(voices), seed: Number(seed) }, format, out);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * @param {import('./dialogue.mjs').DialogueRequest} request
 * @param {string} format
 * @param {string} out
 */
async function makeMaterial(request, format, out) {
  const { path, turns, duration } = await makeDialogue(request);
  await copyFile(format === 'wav' ? path : await convertFormat(path, format), out);
  const { dir, name } = parse(out);
  const metadataPath = `${dir === '' ? '' : `${dir}/`}${name}.json`;
  await writeFile(metadataPath, `${JSON.stringify({ audio: parse(out).base, duration, turns }, null, 2)}\n`);
  console.log(`${turns.length} turns, ${duration} seconds: ${out}, ${metadataPath}`);
}
