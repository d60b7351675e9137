import { readFile } from 'node:fs/promises';
import { SeededRandom } from '../../scripts/material/seeded-random.mjs';
import { speak } from '../../scripts/material/flite.mjs';
import { filtered, inFormat, mixture } from '../../scripts/material/library.mjs';
import { SentenceMaker } from '../../scripts/material/sentences.mjs';
import { parseWav, RATE } from '../../scripts/material/wav.mjs';
import { loadReaderClips } from './reader-recordings.mjs';

/**
 * @typedef {import('../../scripts/material/mixture.mjs').Part} Part
 * @typedef {import('./measure-recording.mjs').Recording} Recording
 */

const SEED = 303;
const VOICES = ['slt', 'rms'];
const SENTENCES = 4;
/** Seconds between two turns; below zero they overlap. */
const PAUSES = { usual: [0.3, 0.9], hardly: [0.02, 0.15], overlapping: [-1.2, 0.4] };
/** Seconds of a turn in a quick exchange. */
const SHORT_TURN = [1, 2];
/** Level of a speaker who moves around the room. */
const GAIN = [0.15, 1];
const NOISE = 0.03;

const TELEPHONE = 'highpass=f=300,lowpass=f=3400,aresample=8000,aresample=16000';
const ROOM = 'aecho=0.8:0.7:23|41|67|97:0.4|0.3|0.2|0.15';
/** Raises pitch and formants by an eighth with the same length, to simulate another speaker. */
const RAISED = 'asetrate=18000,aresample=16000,atempo=0.8889';

/**
 * A human reader alternates with two flite voices, with the difficulties of real recordings. Some of it is known to fail.
 *
 * @param {{ quick: boolean }} length
 * @returns {Promise<Recording[]>} none where the reader's recordings are absent
 */
export async function makeHardRecordings({ quick }) {
  const clips = await loadReaderClips();
  if (clips.length === 0) return [];
  const chance = new SeededRandom(SEED);
  const reader = clips.map(({ text, samples }) => ({ speaker: 'reader', text, samples }));
  const raised = await raisedReader(clips);
  const people = [reader, ...(await syntheticPeople(chance))];
  const talk = inTurn(people);
  const lay = (name, parts, pauses, options) => laidOut(name, withPauses(parts, pauses, chance), options);
  const neat = await lay('in turn', talk, PAUSES.usual);
  if (quick) return [neat];
  return [
    neat,
    await lay('hardly a pause', talk, PAUSES.hardly),
    await lay('over each other', talk, PAUSES.overlapping),
    await lay('turns of 1 to 2 s', inShortTurns(people, chance), PAUSES.usual),
    await lay('near and far', withDistance(talk, chance), PAUSES.usual),
    await lay('in noise', talk, PAUSES.usual, { noise: NOISE }),
    await changed('by telephone', neat, (path) => filtered(path, TELEPHONE)),
    await changed('in an echoing room', neat, (path) => filtered(path, ROOM)),
    await changed('as MP3', neat, (path) => inFormat(path, 'mp3')),
    await lay('reader alone, near and far', withDistance([...reader, ...reader], chance), PAUSES.usual),
    await lay('reader, and raised by 1/8', inTurn([reader, raised]), PAUSES.usual),
  ];
}

/** @param {SeededRandom} chance */
async function syntheticPeople(chance) {
  const sentences = new SentenceMaker(chance);
  const people = [];
  for (const voice of VOICES) {
    const said = [];
    for (let count = 0; count < SENTENCES; count += 1) {
      const text = sentences.sentence();
      said.push({ speaker: voice, text, samples: await speak(voice, text) });
    }
    people.push(said);
  }
  return people;
}

/** @param {import('./reader-recordings.mjs').Clip[]} clips */
function raisedReader(clips) {
  return Promise.all(
    clips.map(async ({ path, text }) => {
      const { samples } = parseWav(await readFile(await filtered(path, RAISED)));
      return { speaker: 'raised', text, samples };
    }),
  );
}

/** Interleaves the parts of all speakers. @template T @param {T[][]} people @returns {T[]} */
function inTurn(people) {
  const rounds = Math.max(...people.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    people.flatMap((said) => said.slice(round, round + 1)),
  ).flat();
}

/** Cuts parts at arbitrary positions, so that their words are unknown. @param {Part[][]} people */
function inShortTurns(people, chance) {
  return inTurn(people.map((said) => said.flatMap((part) => piecesOf(part, chance))));
}

/** @param {Part} part @param {SeededRandom} chance */
function piecesOf({ speaker, samples }, chance) {
  const pieces = [];
  for (let at = 0; at < samples.length;) {
    const length = Math.round(chance.between(...SHORT_TURN) * RATE);
    pieces.push({ speaker, text: '', samples: samples.slice(at, at + length) });
    at += length;
  }
  return pieces;
}

function withPauses(parts, pauses, chance) {
  return parts.map((part) => ({ ...part, pause: chance.between(...pauses) }));
}

function withDistance(parts, chance) {
  return parts.map((part) => ({ ...part, gain: chance.between(...GAIN) }));
}

/** @param {string} name @param {Part[]} parts @param {{ noise?: number }} [options] @returns {Promise<Recording>} */
async function laidOut(name, parts, options) {
  const { path, turns, duration } = await mixture('rough', parts, options);
  const known = parts.every(({ text }) => text !== '');
  return {
    name: `rough: ${name}`,
    path,
    plain: path,
    duration,
    turns,
    text: known ? parts.map(({ text }) => text).join(' ') : null,
  };
}

/** @param {string} name @param {Recording} recording @param {(path: string) => Promise<string>} change */
async function changed(name, recording, change) {
  const path = await change(recording.path);
  const plain = path.endsWith('.wav') ? path : await filtered(path, 'anull');
  return { ...recording, name: `rough: ${name}`, path, plain };
}
