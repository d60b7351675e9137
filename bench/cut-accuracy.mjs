#!/usr/bin/env node
/**
 * What splitting into chunks costs the embedded engine: word errors of the service's chunks against those of the same engine
 * on the undivided file, on dialogues whose turns follow each other by a quarter of a second. Takes minutes of CPU time;
 * needs the build, flite and sclite.
 *
 *     node bench/cut-accuracy.mjs [--seconds 600] [--gap 0.25] [--held-out] [--only NAME] [--changes]
 *
 *   --held-out  other texts, and voices with another pitch and speed, that no setting was chosen on
 *   --only      one recording
 *   --changes   also prints each word that only one side has, and whether it is near a cut
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chunkAudioToSink, PocketsphinxEngine } from '../dist/libs/speech/src/index.js';
import { makeCloseTurns } from './speech/close-turns.mjs';
import { formatMarkdownTable } from './lib/markdown-table.mjs';
import { loadScorers } from './lib/scorers.mjs';

/** Distance in which a word counts as near a cut. */
const NEAR_CUT_SECONDS = 2;

const { signal } = new AbortController();
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    gap: { type: 'string', default: '0.25' },
    'held-out': { type: 'boolean', default: false },
    only: { type: 'string' },
    changes: { type: 'boolean', default: false },
  },
});
const { computeWordErrors, findLostAndAddedWords } = await loadScorers();
const engine = new PocketsphinxEngine();
const folder = await mkdtemp(join(tmpdir(), 'zephyr-cuts-'));
try {
  const rows = [];
  const length = { seconds: Number(values.seconds), gapSeconds: Number(values.gap) };
  for (const recording of await makeCloseTurns({ ...length, heldOut: values['held-out'], only: values.only }))
    rows.push(await measure(recording));
  console.log(
    formatMarkdownTable(['recording', 'words', 'undivided, %', 'chunks, %', 'difference', 'chunks'], rows),
  );
} finally {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
}

/** @param {Awaited<ReturnType<typeof makeCloseTurns>>[number]} recording */
async function measure({ name, path, duration, text }) {
  const { words: whole } = await engine.transcribe({ path, duration }, { vocabulary: [], signal });
  const { words, cuts } = await transcribeInChunks(path);
  const [undivided, divided] = [await countErrors(text, whole), await countErrors(text, words)];
  if (values.changes) printChanges(name, findLostAndAddedWords(whole, words), cuts);
  return [
    name,
    String(undivided.words),
    undivided.percent.toFixed(2),
    divided.percent.toFixed(2),
    (divided.percent - undivided.percent).toFixed(2),
    String(cuts.length + 1),
  ];
}

/** @param {string} script @param {{ text: string }[]} words */
function countErrors(script, words) {
  return computeWordErrors(script, words.map(({ text }) => text).join(' '));
}

/** Like the service, but sequentially. @param {string} path */
async function transcribeInChunks(path) {
  const words = [];
  const cuts = [];
  let last = null;
  await chunkAudioToSink({ path, signal }, async (chunk) => {
    const wav = join(folder, 'chunk.wav');
    await writeFile(wav, chunk.wav);
    if (last !== null) cuts.push((last + chunk.start) / 2);
    last = chunk.end;
    const audio = { path: wav, duration: chunk.end - chunk.start };
    const found = await engine.transcribe(audio, { vocabulary: [], signal });
    for (const word of found.words)
      words.push({ ...word, start: chunk.start + word.start, end: chunk.start + word.end });
  });
  return { words, cuts };
}

/** @param {string} name @param {{ kind: string, text: string, at: number }[]} changes @param {number[]} cuts */
function printChanges(name, changes, cuts) {
  for (const { kind, text, at } of changes) {
    const cut = cuts.find((time) => Math.abs(time - at) <= NEAR_CUT_SECONDS);
    const place = cut === undefined ? '' : `, near the cut at ${cut.toFixed(2)}`;
    console.log(`${name}: ${kind} “${text}” at ${at.toFixed(2)}${place}`);
  }
}
