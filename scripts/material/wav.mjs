import { open } from 'node:fs/promises';

/** Sample rate of all generated material. */
export const RATE = 16_000;

const MAX_HEADER_BYTES = 44;

/**
 * Builds the 44-byte header of a 16-bit mono WAV file.
 * @param {number} samples number of samples
 * @returns {Buffer}
 */
export function buildWavHeader(samples) {
  const header = Buffer.alloc(MAX_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(MAX_HEADER_BYTES - 8 + samples * 2, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples * 2, 40);
  return header;
}

/**
 * @param {Buffer} bytes of a 16-bit mono WAV file
 * @returns {{ rate: number, samples: Int16Array }}
 * @throws {Error} for other formats
 */
export function parseWav(bytes) {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') {
    throw new Error('Not a WAV file.');
  }
  let rate = 0;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const body = at + 8;
    if (name === 'fmt ') {
      if (bytes.readUInt16LE(body + 2) !== 1 || bytes.readUInt16LE(body + 14) !== 16) {
        throw new Error('Not a 16-bit mono WAV file.');
      }
      rate = bytes.readUInt32LE(body + 4);
    }
    if (name === 'data') return { rate, samples: readSamples(bytes.subarray(body, body + size)) };
    at = body + size + (size % 2);
  }
  throw new Error('The WAV file has no data.');
}

function readSamples(bytes) {
  const samples = new Int16Array(Math.floor(bytes.length / 2));
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(i * 2);
  return samples;
}

/** Writes a WAV file in constant memory; the header is completed at the end. */
export class WavWriter {
  #file;
  /** Samples written so far. */
  length = 0;

  /** @param {import('node:fs/promises').FileHandle} file */
  constructor(file) {
    this.#file = file;
  }

  /** @param {string} path a file to create or overwrite */
  static async create(path) {
    const file = await open(path, 'w');
    await file.write(buildWavHeader(0));
    return new WavWriter(file);
  }

  /** Seconds written so far. */
  get seconds() {
    return this.length / RATE;
  }

  /** @param {Int16Array} samples */
  async write(samples) {
    if (samples.length === 0) return;
    await this.#file.write(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    this.length += samples.length;
  }

  /** @param {number} seconds of digital silence, rounded to the nearest sample */
  async writeSilence(seconds) {
    let remaining = Math.round(seconds * RATE);
    const second = new Int16Array(RATE);
    for (; remaining > 0; remaining -= RATE) await this.write(second.subarray(0, Math.min(remaining, RATE)));
  }

  /** Completes the header and closes the file. */
  async close() {
    await this.#file.write(buildWavHeader(this.length), 0, MAX_HEADER_BYTES, 0);
    await this.#file.close();
  }
}
