import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFiles, hashGenerators } from '../../scripts/material/cache.mjs';
import { synthesizeSpeech } from '../../scripts/material/flite.mjs';
import { SeededRandom } from '../../scripts/material/seeded-random.mjs';
import { SentenceGenerator } from '../../scripts/material/sentences.mjs';
import { parseWav, RATE, WavWriter } from '../../scripts/material/wav.mjs';

const run = promisify(execFile);
const TALKS = fileURLToPath(new URL('../../test/support/talks/', import.meta.url));
const LEAD_SECONDS = 0.3;

/**
 * @typedef {{ voice: string, pitch?: number, stretch?: number }} Voice of flite; mean pitch in hertz; factor of duration
 * @typedef {{ voice: Voice, text: string }} Line
 * @typedef {{ name: string, seed: number, voices: Voice[], fromTalks: boolean }} Cast
 */

/** @type {Cast[]} */
const TUNING = [
  {
    name: '3 voices',
    seed: 501,
    voices: [{ voice: 'slt' }, { voice: 'rms' }, { voice: 'awb' }],
    fromTalks: false,
  },
  {
    name: '4 voices',
    seed: 502,
    voices: [{ voice: 'slt' }, { voice: 'rms' }, { voice: 'awb' }, { voice: 'kal16' }],
    fromTalks: false,
  },
];
/** @type {Cast[]} */
const HELD_OUT = [
  {
    name: '3 changed voices, conversations',
    seed: 601,
    voices: [
      { voice: 'rms', pitch: 118, stretch: 1.08 },
      { voice: 'slt', pitch: 190, stretch: 0.95 },
      { voice: 'kal16', pitch: 95, stretch: 1.05 },
    ],
    fromTalks: true,
  },
  {
    name: '4 changed voices, sentences',
    seed: 602,
    voices: [
      { voice: 'slt', pitch: 160, stretch: 1.1 },
      { voice: 'awb', pitch: 150, stretch: 0.93 },
      { voice: 'rms', pitch: 85, stretch: 1.04 },
      { voice: 'kal16', pitch: 130, stretch: 0.97 },
    ],
    fromTalks: false,
  },
];

/**
 * Dialogues whose turns follow each other by the same short gap.
 * @param {{ seconds: number, gapSeconds: number, heldOut: boolean, only?: string | undefined }} request
 * @returns {Promise<{ name: string, path: string, duration: number, text: string }[]>}
 */
export async function makeCloseTurns({ seconds, gapSeconds, heldOut, only }) {
  const casts = (heldOut ? HELD_OUT : TUNING).filter(({ name }) => only === undefined || name === only);
  return Promise.all(
    casts.map(async (cast) => {
      const from = { cast, seconds, gapSeconds, generators: await hashGenerators() };
      const [path, metadata] = await cacheFiles(
        { name: 'close-turns', from, extensions: ['wav', 'json'] },
        async ([wav, json]) =>
          writeFile(json, JSON.stringify(await writeRecording(wav, cast, { seconds, gapSeconds }))),
      );
      return { name: cast.name, path, ...JSON.parse(await readFile(metadata, 'utf8')) };
    }),
  );
}

/** @param {string} path @param {Cast} cast @param {{ seconds: number, gapSeconds: number }} length */
async function writeRecording(path, cast, { seconds, gapSeconds }) {
  const out = await WavWriter.create(path);
  const texts = [];
  await out.writeSilence(LEAD_SECONDS);
  for await (const { voice, text } of listLines(cast)) {
    if (out.seconds >= seconds) break;
    await out.write(await speak(voice, text));
    await out.writeSilence(gapSeconds);
    texts.push(text);
  }
  await out.close();
  return { duration: out.seconds, text: texts.join(' ') };
}

/** Nobody speaks twice in a row. @param {Cast} cast @returns {AsyncGenerator<Line>} */
async function* listLines({ seed, voices, fromTalks }) {
  const random = new SeededRandom(seed);
  const texts = fromTalks ? readTalks() : makeSentences(random);
  let last;
  for await (const text of texts) {
    last = random.pick(voices.filter((voice) => voice !== last));
    yield { voice: last, text };
  }
}

/** @param {SeededRandom} random */
function* makeSentences(random) {
  const sentences = new SentenceGenerator(random);
  for (;;) yield random.next() < 0.3 ? sentences.pickShortSentence() : sentences.makeSentence();
}

async function* readTalks() {
  for (const name of (await readdir(TALKS)).toSorted())
    for (const line of (await readFile(join(TALKS, name), 'utf8')).split('\n'))
      if (/^\w+: /.test(line)) yield line.replace(/^\w+: /, '');
}

/** @param {Voice} voice @param {string} text @returns {Promise<Int16Array>} */
async function speak({ voice, pitch, stretch }, text) {
  if (pitch === undefined) return synthesizeSpeech(voice, text);
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-voice-'));
  try {
    const path = join(folder, 'speech.wav');
    const change = ['--setf', `int_f0_target_mean=${pitch}`, '--setf', `duration_stretch=${stretch}`];
    await run('flite', ['-voice', voice, ...change, '-t', text, '-o', path]);
    const { rate, samples } = parseWav(await readFile(path));
    if (rate !== RATE) throw new Error(`The voice ${voice} speaks at ${rate} Hz, not at ${RATE} Hz.`);
    return trimSilence(samples);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Samples below this level (of 32768) at either end of a turn are silence. */
const SILENCE_THRESHOLD = 64;

/** @param {Int16Array} samples */
function trimSilence(samples) {
  const isLoud = (sample) => Math.abs(sample) >= SILENCE_THRESHOLD;
  return samples.subarray(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1);
}
