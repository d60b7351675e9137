import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const RATE = 16_000;
const HEADER_BYTES = 44;

export type Bytes = Uint8Array<ArrayBuffer>;

type Voice = 'slt' | 'rms';

/** By voice and text: files share this module, and many speak the same. */
const speeches = new Map<string, Promise<Bytes>>();

/** A WAV of 16 kHz with the text in a synthetic voice. */
export async function synthesizeSpeech(text: string, voice: Voice = 'slt'): Promise<Bytes> {
  const key = `${voice} ${text}`;
  const speech = speeches.get(key) ?? speak(text, voice);
  speeches.set(key, speech);
  // A copy, because a caller may change it.
  return (await speech).slice();
}

async function speak(text: string, voice: Voice): Promise<Bytes> {
  const folder = await mkdtemp(join(tmpdir(), 'e2e-flite-'));
  try {
    const path = join(folder, 'speech.wav');
    await run('flite', ['-voice', voice, '-t', text, '-o', path]);
    return new Uint8Array(await readFile(path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A silent WAV of 16 kHz. */
export function silentWav(seconds: number): Bytes {
  const size = Math.round(seconds * RATE) * 2;
  const wav = new DataView(new ArrayBuffer(HEADER_BYTES + size));
  const writeText = (index: number, letters: string) =>
    [...letters].forEach((letter, offset) => wav.setUint8(index + offset, letter.charCodeAt(0)));
  writeText(0, 'RIFF');
  wav.setUint32(4, 36 + size, true);
  writeText(8, 'WAVEfmt ');
  wav.setUint32(16, 16, true);
  wav.setUint16(20, 1, true);
  wav.setUint16(22, 1, true);
  wav.setUint32(24, RATE, true);
  wav.setUint32(28, RATE * 2, true);
  wav.setUint16(32, 2, true);
  wav.setUint16(34, 16, true);
  writeText(36, 'data');
  wav.setUint32(40, size, true);
  return new Uint8Array(wav.buffer);
}

/** Concatenates WAVs of 16 kHz. */
export function concatWavs(...wavs: Bytes[]): Bytes {
  const sounds = wavs.map((wav) => wav.subarray(HEADER_BYTES));
  const size = sounds.reduce((sum, sound) => sum + sound.length, 0);
  const combined = silentWav(size / RATE / 2);
  let offset = HEADER_BYTES;
  for (const sound of sounds) {
    combined.set(sound, offset);
    offset += sound.length;
  }
  return combined;
}

/** A conversation of two voices with three turns: half a minute, several chunks, some 60 words. */
export async function dialogueWav(): Promise<Bytes> {
  const turns = [
    await synthesizeSpeech('There are ninety tables between the office and the bridge. '.repeat(2), 'slt'),
    await synthesizeSpeech(
      'I can see the library from the small mountain behind the village. '.repeat(2),
      'rms',
    ),
    await synthesizeSpeech('Good morning. Where is the station, and when does the last train leave?', 'slt'),
  ];
  return concatWavs(...turns.flatMap((turn) => [turn, silentWav(1)]));
}

/** A WAV whose speech continues across the byte `boundaryBytes`, at which two parts of an upload meet. */
export async function speechAcrossBoundary(boundaryBytes: number): Promise<Bytes> {
  const speech = (await synthesizeSpeech('I can see the library from the small mountain.')).slice(
    HEADER_BYTES,
  );
  const audio = silentWav(Math.ceil(boundaryBytes / 32_000) + 5);
  const start = boundaryBytes - Math.floor(speech.length / 2);
  audio.set(speech, start - (start % 2));
  return audio;
}

/** The bundled dialogue: a minute of two voices, several chunks. */
export async function sampleRecording(): Promise<Bytes> {
  return new Uint8Array(await readFile(new URL('../../../assets/sample/dialogue.mp3', import.meta.url)));
}

/** The words of a text, without case and punctuation. */
export function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? [];
}
