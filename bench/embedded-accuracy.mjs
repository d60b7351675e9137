#!/usr/bin/env node
/**
 * Word errors of the embedded engine with other chunk lengths and levels, for the tables of
 * docs/speech/pocketsphinx-settings.md. Takes minutes of CPU time; needs the build, flite, ffmpeg and sclite.
 *
 *     node bench/embedded-accuracy.mjs [--readers FOLDER] [--held-out] [--only NAME]
 *
 *   --readers FOLDER  read speech: `*.wav` files, each with its words in a `.txt` of the same name
 *   --held-out        dialogues that were not used for tuning, with the settings of the service
 *   --only NAME       one row
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { chunkAudioToSink, PocketsphinxEngine } from '../dist/libs/speech/src/index.js';
import { makeDialogue } from '../scripts/material/library.mjs';
import { loadScorers } from './lib/scorers.mjs';
import { formatMarkdownTable } from './lib/markdown-table.mjs';

/** @typedef {{ targetSeconds?: number, maxSeconds?: number, filter?: string }} Variant deviations from the default settings */

/** @type {Record<string, Variant>} */
const VARIANTS = {
  'settings of the service': {},
  'chunks of 10 s': { targetSeconds: 10, maxSeconds: 20 },
  'chunks of 20 s': { targetSeconds: 20, maxSeconds: 40 },
  'chunks of 60 s': { targetSeconds: 60, maxSeconds: 120 },
  '30 dB quieter': { filter: 'volume=-30dB' },
  '50 dB quieter': { filter: 'volume=-50dB' },
  '12 dB louder, clipped': { filter: 'volume=12dB' },
  'steady loudness (loudnorm)': { filter: 'loudnorm,aformat=sample_rates=16000:channel_layouts=mono' },
  'steady peaks (dynaudnorm)': { filter: 'dynaudnorm' },
};
const TUNING_DIALOGUES = { seconds: 60, seeds: [41, 42, 43] };
const HELD_OUT_DIALOGUES = { seconds: 240, seeds: [51, 52, 53] };

const run = promisify(execFile);
const { signal } = new AbortController();
const { values } = parseArgs({
  options: {
    readers: { type: 'string' },
    'held-out': { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const { computeWordErrors } = await loadScorers();
const engine = new PocketsphinxEngine();
const folder = await mkdtemp(join(tmpdir(), 'zephyr-accuracy-'));
try {
  console.log(values['held-out'] ? await formatHeldOutTable() : await formatVariantTable());
} finally {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
}

async function formatVariantTable() {
  const [dialogues, readers] = [await makeClips(TUNING_DIALOGUES), await loadReaderClips()];
  const names = Object.keys(VARIANTS).filter((name) => values.only === undefined || name === values.only);
  const rows = [];
  for (const name of names) {
    const dialogueErrors = await countWordErrors(dialogues, VARIANTS[name]);
    const readerPercent =
      readers.length > 0 ? formatPercent(await countWordErrors(readers, VARIANTS[name])) : '';
    rows.push([name, formatPercent(dialogueErrors), readerPercent]);
  }
  return formatMarkdownTable(['audio', 'dialogues, %', 'readers, %'], rows);
}

async function formatHeldOutTable() {
  const clips = [...(await makeClips(HELD_OUT_DIALOGUES)), ...(await loadReaderClips())];
  const rows = [];
  for (const clip of clips) {
    const errorCounts = await countWordErrors([clip], {});
    rows.push([clip.name, `${errorCounts.errors} of ${errorCounts.words}`, formatPercent(errorCounts)]);
  }
  return formatMarkdownTable(['audio', 'words wrong', '%'], rows);
}

/** Makes dialogues of 2, 3 and 4 voices. @param {{ seconds: number, seeds: number[] }} wanted */
async function makeClips({ seconds, seeds }) {
  return Promise.all(
    seeds.map(async (seed, at) => {
      const { path, turns } = await makeDialogue({ seconds, voices: at + 2, seed });
      const name = `${seconds} s, ${at + 2} voices, seed ${seed}`;
      return { name, path, script: turns.map(({ text }) => text).join(' ') };
    }),
  );
}

async function loadReaderClips() {
  const readersFolder = values.readers;
  if (readersFolder === undefined) return [];
  const clips = (await readdir(readersFolder)).filter((name) => name.endsWith('.wav')).toSorted();
  return Promise.all(
    clips.map(async (name) => {
      const script = await readFile(join(readersFolder, name.replace(/wav$/, 'txt')), 'utf8');
      return { name, path: join(readersFolder, name), script };
    }),
  );
}

/** @param {{ path: string, script: string }[]} clips @param {Variant} variant */
async function countWordErrors(clips, variant) {
  const totals = { errors: 0, words: 0 };
  for (const { path, script } of clips) {
    const text = await transcribe(variant.filter ? await applyFilter(path, variant.filter) : path, variant);
    const { errors, words } = await computeWordErrors(script, text);
    totals.errors += errors;
    totals.words += words;
  }
  return totals;
}

/** Transcribes like the service, but sequentially. @param {string} path @param {Variant} variant */
async function transcribe(path, { targetSeconds, maxSeconds }) {
  const texts = [];
  await chunkAudioToSink({ path, targetSeconds, maxSeconds, signal }, async (chunk) => {
    const wav = join(folder, 'chunk.wav');
    await writeFile(wav, chunk.wav);
    const audio = { path: wav, duration: chunk.end - chunk.start };
    const { words } = await engine.transcribe(audio, { vocabulary: [], signal });
    texts.push(...words.map(({ text }) => text));
  });
  return texts.join(' ');
}

/** @param {string} path @param {string} filter */
async function applyFilter(path, filter) {
  const out = join(folder, 'filtered.wav');
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', '-i', path, '-af', filter, out]);
  return out;
}

/** @param {{ errors: number, words: number }} counts */
function formatPercent({ errors, words }) {
  return ((100 * errors) / words).toFixed(1);
}
