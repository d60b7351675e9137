import { readFile } from 'node:fs/promises';
import { BYTES_PER_SAMPLE, bytesToSamples, SAMPLE_RATE, writeSamplesToBuffer } from './pcm.js';

const HEADER_BYTES = 44;
const PCM_FORMAT = 1;

export class InvalidWavError extends Error {
  override readonly name = 'InvalidWavError';
}

export function encodeWav(samples: Int16Array): Buffer {
  const wav = Buffer.alloc(HEADER_BYTES + samples.length * BYTES_PER_SAMPLE);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(PCM_FORMAT, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(SAMPLE_RATE, 24);
  wav.writeUInt32LE(SAMPLE_RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(samples.length * BYTES_PER_SAMPLE, 40);
  writeSamplesToBuffer(samples, wav, HEADER_BYTES);
  return wav;
}

/** Skips unknown RIFF chunks. @throws InvalidWavError */
export function decodeWav(wav: Buffer): Int16Array {
  if (wav.length < 12 || readTag(wav, 0) !== 'RIFF' || readTag(wav, 8) !== 'WAVE')
    throw new InvalidWavError('Not a WAV file.');
  let described = false;
  for (let at = 12; at + 8 <= wav.length;) {
    const body = at + 8;
    const length = wav.readUInt32LE(at + 4);
    if (readTag(wav, at) === 'fmt ') {
      validateFormat(wav.subarray(body, body + length));
      described = true;
    }
    if (readTag(wav, at) === 'data') {
      if (!described) break;
      return bytesToSamples(wav.subarray(body, Math.min(wav.length, body + length)));
    }
    at = body + length + (length % 2);
  }
  throw new InvalidWavError('The WAV file has no data chunk.');
}

function readTag(wav: Buffer, at: number): string {
  return wav.toString('latin1', at, at + 4);
}

function validateFormat(format: Buffer): void {
  const fits =
    format.length >= 16 &&
    format.readUInt16LE(0) === PCM_FORMAT &&
    format.readUInt16LE(2) === 1 &&
    format.readUInt32LE(4) === SAMPLE_RATE &&
    format.readUInt16LE(14) === 16;
  if (!fits) throw new InvalidWavError('The WAV file is not 16 kHz mono 16-bit PCM.');
}

/** @throws InvalidWavError; file system errors */
export async function readWav(path: string, signal: AbortSignal): Promise<Int16Array> {
  return decodeWav(await readFile(path, { signal }));
}
