import { readFile } from 'node:fs/promises';
import { SeededRandom } from '../../scripts/material/seeded-random.mjs';
import { synthesizeSpeech } from '../../scripts/material/flite.mjs';
import { applyFilter, convertFormat, mixRecording } from '../../scripts/material/library.mjs';
import { SentenceGenerator } from '../../scripts/material/sentences.mjs';
import { parseWav, RATE } from '../../scripts/material/wav.mjs';
import { loadReaderClips } from './reader-recordings.mjs';

/**
 * @typedef {import('../../scripts/material/mixture.mjs').Part} Part
 * @typedef {import('./measure-recording.mjs').Recording} Recording
 */

const SEED = 303;
const VOICES = ['slt', 'rms'];
const SENTENCES = 4;
/** Seconds between two turns; negative if they overlap. */
const PAUSES = { normal: [0.3, 0.9], short: [0.02, 0.15], overlapping: [-1.2, 0.4] };
/** Seconds of a turn in a quick exchange. */
const SHORT_TURN = [1, 2];
/** Range of gains, to simulate different distances. */
const GAIN = [0.15, 1];
const NOISE = 0.03;

const TELEPHONE = 'highpass=f=300,lowpass=f=3400,aresample=8000,aresample=16000';
const ECHO = 'aecho=0.8:0.7:23|41|67|97:0.4|0.3|0.2|0.15';
/** Raises pitch and formants by an eighth without a change of length, to simulate another speaker. */
const PITCH_SHIFT = 'asetrate=18000,aresample=16000,atempo=0.8889';

/**
 * A human reader alternates with two flite voices, with the difficulties of real recordings. Some are known to have errors.
 *
 * @param {{ quick: boolean }} length
 * @returns {Promise<Recording[]>} empty if the reader's recordings are absent
 */
export async function makeHardRecordings({ quick }) {
  const clips = await loadReaderClips();
  if (clips.length === 0) return [];
  const random = new SeededRandom(SEED);
  const reader = clips.map(({ text, samples }) => ({ speaker: 'reader', text, samples }));
  const shiftedReader = await shiftPitchOfReader(clips);
  const speakers = [reader, ...(await synthesizeSpeakers(random))];
  const dialogue = interleaveParts(speakers);
  const mixWithPauses = (name, parts, pauses, options) =>
    mixParts(name, addPauses(parts, pauses, random), options);
  const unmodified = await mixWithPauses('alternating', dialogue, PAUSES.normal);
  if (quick) return [unmodified];
  return [
    unmodified,
    await mixWithPauses('short pauses', dialogue, PAUSES.short),
    await mixWithPauses('overlapping', dialogue, PAUSES.overlapping),
    await mixWithPauses('turns of 1 to 2 s', interleaveShortTurns(speakers, random), PAUSES.normal),
    await mixWithPauses('varying distance', varyGain(dialogue, random), PAUSES.normal),
    await mixWithPauses('with noise', dialogue, PAUSES.normal, { noise: NOISE }),
    await modifyRecording('telephone', unmodified, (path) => applyFilter(path, TELEPHONE)),
    await modifyRecording('with echo', unmodified, (path) => applyFilter(path, ECHO)),
    await modifyRecording('as MP3', unmodified, (path) => convertFormat(path, 'mp3')),
    await mixWithPauses(
      'reader alone, varying distance',
      varyGain([...reader, ...reader], random),
      PAUSES.normal,
    ),
    await mixWithPauses(
      'reader, and pitch raised by 1/8',
      interleaveParts([reader, shiftedReader]),
      PAUSES.normal,
    ),
  ];
}

/** @param {SeededRandom} random */
async function synthesizeSpeakers(random) {
  const sentences = new SentenceGenerator(random);
  const speakers = [];
  for (const voice of VOICES) {
    const parts = [];
    for (let count = 0; count < SENTENCES; count += 1) {
      const text = sentences.makeSentence();
      parts.push({ speaker: voice, text, samples: await synthesizeSpeech(voice, text) });
    }
    speakers.push(parts);
  }
  return speakers;
}

/** @param {import('./reader-recordings.mjs').Clip[]} clips */
function shiftPitchOfReader(clips) {
  return Promise.all(
    clips.map(async ({ path, text }) => {
      const { samples } = parseWav(await readFile(await applyFilter(path, PITCH_SHIFT)));
      return { speaker: 'raised', text, samples };
    }),
  );
}

/** Interleaves the parts of all speakers. @template T @param {T[][]} speakers @returns {T[]} */
function interleaveParts(speakers) {
  const rounds = Math.max(...speakers.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    speakers.flatMap((parts) => parts.slice(round, round + 1)),
  ).flat();
}

/** Cuts parts at arbitrary positions, so that their words are unknown. @param {Part[][]} speakers */
function interleaveShortTurns(speakers, random) {
  return interleaveParts(speakers.map((parts) => parts.flatMap((part) => splitPart(part, random))));
}

/** @param {Part} part @param {SeededRandom} random */
function splitPart({ speaker, samples }, random) {
  const pieces = [];
  for (let at = 0; at < samples.length;) {
    const length = Math.round(random.between(...SHORT_TURN) * RATE);
    pieces.push({ speaker, text: '', samples: samples.slice(at, at + length) });
    at += length;
  }
  return pieces;
}

function addPauses(parts, pauses, random) {
  return parts.map((part) => ({ ...part, pause: random.between(...pauses) }));
}

function varyGain(parts, random) {
  return parts.map((part) => ({ ...part, gain: random.between(...GAIN) }));
}

/** @param {string} name @param {Part[]} parts @param {{ noise?: number }} [options] @returns {Promise<Recording>} */
async function mixParts(name, parts, options) {
  const { path, turns, duration } = await mixRecording('rough', parts, options);
  const isTextKnown = parts.every(({ text }) => text !== '');
  return {
    name: `rough: ${name}`,
    path,
    plain: path,
    duration,
    turns,
    text: isTextKnown ? parts.map(({ text }) => text).join(' ') : null,
  };
}

/** @param {string} name @param {Recording} recording @param {(path: string) => Promise<string>} change */
async function modifyRecording(name, recording, change) {
  const path = await change(recording.path);
  const plain = path.endsWith('.wav') ? path : await applyFilter(path, 'anull');
  return { ...recording, name: `rough: ${name}`, path, plain };
}
