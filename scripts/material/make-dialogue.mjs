#!/usr/bin/env node
/**
 * Makes the bundled sample: synthesizes assets/sample/script.json with flite, one voice per speaker, into
 * assets/sample/dialogue.mp3, and writes the times of the turns to dialogue.json.
 *
 *     node scripts/material/make-dialogue.mjs [--out folder]
 *
 * Needs flite and ffmpeg; the same versions of both yield the same bytes.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { synthesizeSpeech } from './flite.mjs';
import { writeTurn } from './spoken.mjs';
import { WavWriter } from './wav.mjs';

const run = promisify(execFile);
const SAMPLE_FOLDER = fileURLToPath(new URL('../../assets/sample/', import.meta.url));

const { values } = parseArgs({ options: { out: { type: 'string', default: SAMPLE_FOLDER } } });
await makeSample(values.out);

/** @param {string} folder of dialogue.mp3 and dialogue.json */
async function makeSample(folder) {
  const script = JSON.parse(await readFile(join(SAMPLE_FOLDER, 'script.json'), 'utf8'));
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'zephyr-sample-'));
  try {
    const wav = join(temporaryFolder, 'dialogue.wav');
    const { turns, duration } = await synthesizeScript(script, wav);
    await mkdir(folder, { recursive: true });
    await encodeMp3(wav, join(folder, 'dialogue.mp3'));
    const metadata = { title: script.title, audio: 'dialogue.mp3', duration, turns };
    await writeFile(join(folder, 'dialogue.json'), `${JSON.stringify(metadata, null, 2)}\n`);
    console.log(`${turns.length} turns, ${duration} seconds: ${join(folder, 'dialogue.mp3')}`);
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

/**
 * @param {{ lead: number, voices: Record<string, string>, turns: { speaker: string, text: string, pause: number }[] }} script
 * @param {string} path of the WAV file to write
 */
async function synthesizeScript(script, path) {
  const out = await WavWriter.create(path);
  const turns = [];
  await out.writeSilence(script.lead);
  for (const { speaker, text, pause } of script.turns) {
    const line = { speaker, voice: script.voices[speaker], text };
    const turn = await writeTurn(out, line, await synthesizeSpeech(line.voice, text));
    await out.writeSilence(pause);
    turns.push({ ...turn, start: roundToMilliseconds(turn.start), end: roundToMilliseconds(turn.end) });
  }
  const duration = roundToMilliseconds(out.seconds);
  await out.close();
  return { turns, duration };
}

/**
 * At 64 kbit/s the recogniser makes no more errors than with uncompressed audio.
 * @param {string} wav
 * @param {string} mp3
 */
async function encodeMp3(wav, mp3) {
  const quiet = ['-nostdin', '-v', 'error', '-y'];
  const reproducible = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];
  await run('ffmpeg', [...quiet, '-i', wav, '-c:a', 'libmp3lame', '-b:a', '64k', ...reproducible, mp3]);
}

function roundToMilliseconds(seconds) {
  return Math.round(seconds * 1000) / 1000;
}
