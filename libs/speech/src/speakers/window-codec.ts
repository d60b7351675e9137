import { FRAMES_PER_SECOND } from '../vad/frame.js';
import { COEFFICIENTS } from './cepstrum.js';
import type { VoiceWindow } from './voice-window.js';

/** Changes whenever the description does: old ones must not be mixed with new ones. */
const VERSION = 'v2:';
/** Start, end, frames, voiced frames, pitch, then the coefficients; 16 bits each. */
const FIELDS = 5 + COEFFICIENTS;
const BYTES = FIELDS * 2;
const PITCH_STEP = 1 / 2048;
const MEAN_STEP = 1 / 256;

/** What was kept of a voice cannot be read. */
export class VoicesInvalid extends Error {
  override readonly name = 'VoicesInvalid';
}

/** The windows as text: 67 characters each, about 480 kB an hour of speech. Times must be below 20 minutes. */
export function encodeWindows(windows: readonly VoiceWindow[]): string {
  const bytes = Buffer.alloc(windows.length * BYTES);
  let at = 0;
  const unsigned = (value: number): void => {
    at = bytes.writeUInt16LE(Math.round(value), at);
  };
  const signed = (value: number): void => {
    at = bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(value))), at);
  };
  for (const { start, end, frames, voiced, pitch, mean } of windows) {
    unsigned(start * FRAMES_PER_SECOND);
    unsigned(end * FRAMES_PER_SECOND);
    unsigned(frames);
    unsigned(voiced);
    signed(pitch / PITCH_STEP);
    for (const value of mean) signed(value / MEAN_STEP);
  }
  return VERSION + bytes.toString('base64');
}

/**
 * Reads what `encodeWindows` wrote. Throws `VoicesInvalid`.
 * @param offset seconds that are added to the times
 */
export function decodeWindows(text: string, offset = 0): VoiceWindow[] {
  if (!text.startsWith(VERSION)) throw new VoicesInvalid('The voices were described by another version.');
  const bytes = Buffer.from(text.slice(VERSION.length), 'base64');
  if (bytes.length % BYTES !== 0 || bytes.toString('base64') !== text.slice(VERSION.length))
    throw new VoicesInvalid('The description of the voices is damaged.');
  const chunk = { bytes, offset };
  return Array.from({ length: bytes.length / BYTES }, (_, index) =>
    checked(new KeptWindow(chunk, index * BYTES)),
  );
}

/** Reads from the bytes what it is asked for: spread out, the windows of ten hours would take five times the room. */
class KeptWindow implements VoiceWindow {
  constructor(
    private readonly chunk: { bytes: Buffer; offset: number },
    private readonly at: number,
  ) {}

  get start(): number {
    return this.chunk.offset + this.chunk.bytes.readUInt16LE(this.at) / FRAMES_PER_SECOND;
  }

  get end(): number {
    return this.chunk.offset + this.chunk.bytes.readUInt16LE(this.at + 2) / FRAMES_PER_SECOND;
  }

  get frames(): number {
    return this.chunk.bytes.readUInt16LE(this.at + 4);
  }

  get voiced(): number {
    return this.chunk.bytes.readUInt16LE(this.at + 6);
  }

  get pitch(): number {
    return this.chunk.bytes.readInt16LE(this.at + 8) * PITCH_STEP;
  }

  get mean(): Float64Array {
    const mean = new Float64Array(COEFFICIENTS);
    for (let index = 0; index < COEFFICIENTS; index += 1)
      mean[index] = this.chunk.bytes.readInt16LE(this.at + 10 + index * 2) * MEAN_STEP;
    return mean;
  }
}

function checked(window: VoiceWindow): VoiceWindow {
  const { start, end, frames, voiced } = window;
  if (end > start && frames > 0 && voiced <= frames) return window;
  throw new VoicesInvalid('The description of the voices is damaged.');
}
