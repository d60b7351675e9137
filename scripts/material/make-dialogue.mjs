#!/usr/bin/env node
/**
 * Makes the bundled sample from its script: assets/sample/script.json is spoken by flite, a voice for each
 * person, and becomes assets/sample/dialogue.mp3 with the exact time of each turn in dialogue.json.
 *
 *     node scripts/material/make-dialogue.mjs [--out folder]
 *
 * Needs flite and ffmpeg. The same versions of both give the same bytes.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { speak } from './flite.mjs';
import { writeTurn } from './spoken.mjs';
import { WavWriter } from './wav.mjs';

const run = promisify(execFile);
const SAMPLE = fileURLToPath(new URL('../../assets/sample/', import.meta.url));

const { values } = parseArgs({ options: { out: { type: 'string', default: SAMPLE } } });
await makeSample(values.out);

/** @param {string} folder where dialogue.mp3 and dialogue.json go */
async function makeSample(folder) {
  const script = JSON.parse(await readFile(join(SAMPLE, 'script.json'), 'utf8'));
  const work = await mkdtemp(join(tmpdir(), 'zephyr-sample-'));
  try {
    const wav = join(work, 'dialogue.wav');
    const { turns, duration } = await sayScript(script, wav);
    await mkdir(folder, { recursive: true });
    await encode(wav, join(folder, 'dialogue.mp3'));
    const sheet = { title: script.title, audio: 'dialogue.mp3', duration, turns };
    await writeFile(join(folder, 'dialogue.json'), `${JSON.stringify(sheet, null, 2)}\n`);
    console.log(`${turns.length} turns, ${duration} seconds: ${join(folder, 'dialogue.mp3')}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * @param {{ lead: number, voices: Record<string, string>, turns: { speaker: string, text: string, pause: number }[] }} script
 * @param {string} path of the WAV file to write
 */
async function sayScript(script, path) {
  const out = await WavWriter.create(path);
  const turns = [];
  await out.writeSilence(script.lead);
  for (const { speaker, text, pause } of script.turns) {
    const line = { speaker, voice: script.voices[speaker], text };
    const turn = await writeTurn(out, line, await speak(line.voice, text));
    await out.writeSilence(pause);
    turns.push({ ...turn, start: rounded(turn.start), end: rounded(turn.end) });
  }
  const duration = rounded(out.seconds);
  await out.close();
  return { turns, duration };
}

/**
 * At 64 kbit/s the recogniser makes no more errors than on the uncompressed sound.
 * @param {string} wav
 * @param {string} mp3
 */
async function encode(wav, mp3) {
  const quiet = ['-nostdin', '-v', 'error', '-y'];
  const same = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];
  await run('ffmpeg', [...quiet, '-i', wav, '-c:a', 'libmp3lame', '-b:a', '64k', ...same, mp3]);
}

/** @param {number} seconds */
function rounded(seconds) {
  return Math.round(seconds * 1000) / 1000;
}
