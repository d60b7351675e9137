import { MFCC_COEFFICIENT_COUNT } from './mfcc-extractor.js';
import { FRAMES_PER_SECOND } from '../vad/frame.js';

/** Features of about half a second of continuous speech; times in seconds. */
export interface AcousticWindow {
  readonly start: number;
  /** Equals the start of the next window if no pause follows. */
  readonly end: number;
  /** Frames of 20 ms that were loud enough to be measured. */
  readonly frames: number;
  /** Frames that have a pitch. */
  readonly voiced: number;
  /** Mean of log2(hertz) over the voiced frames; 0 without any. */
  readonly pitch: number;
  /** Mean of each MFCC over the frames. */
  readonly mean: Float64Array;
}

const CONTIGUITY_SECONDS = 0.001;

export function areWindowsContiguous(
  before: AcousticWindow | undefined,
  after: AcousticWindow | undefined,
): boolean {
  return before !== undefined && after !== undefined && after.start - before.end < CONTIGUITY_SECONDS;
}

/** Changes with the encoding, so that different versions are never compared. */
const VERSION = 'v2:';
/** Start, end, frames, voiced frames, pitch, coefficients; 16 bits each. */
const FIELDS_PER_WINDOW = 5 + MFCC_COEFFICIENT_COUNT;
const BYTES_PER_WINDOW = FIELDS_PER_WINDOW * 2;
const PITCH_STEP = 1 / 2048;
const MEAN_STEP = 1 / 256;

export class SpeakerFeaturesDecodeError extends Error {
  override readonly name = 'SpeakerFeaturesDecodeError';
}

/** Encodes windows as text: 67 characters each, about 480 kB per hour of speech. @throws RangeError for times above 21 minutes */
export function encodeAcousticWindowsAsText(windows: readonly AcousticWindow[]): string {
  const stored = windows.filter(({ start, end }) => toFrame(end) > toFrame(start));
  const bytes = Buffer.alloc(stored.length * BYTES_PER_WINDOW);
  let at = 0;
  const unsigned = (value: number): void => {
    at = bytes.writeUInt16LE(value, at);
  };
  const signed = (value: number): void => {
    at = bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(value))), at);
  };
  for (const { start, end, frames, voiced, pitch, mean } of stored) {
    unsigned(toFrame(start));
    unsigned(toFrame(end));
    unsigned(frames);
    unsigned(voiced);
    signed(pitch / PITCH_STEP);
    for (const value of mean) signed(value / MEAN_STEP);
  }
  return VERSION + bytes.toString('base64');
}

function toFrame(second: number): number {
  return Math.round(second * FRAMES_PER_SECOND);
}

/** @param offset seconds, added to all times @throws SpeakerFeaturesDecodeError */
export function decodeAcousticWindowsFromText(text: string, offset = 0): AcousticWindow[] {
  if (!text.startsWith(VERSION))
    throw new SpeakerFeaturesDecodeError('The speaker features have an unsupported version.');
  const bytes = Buffer.from(text.slice(VERSION.length), 'base64');
  if (bytes.length % BYTES_PER_WINDOW !== 0 || bytes.toString('base64') !== text.slice(VERSION.length))
    throw new SpeakerFeaturesDecodeError('The speaker features are damaged.');
  const chunk = { bytes, offset };
  return Array.from({ length: bytes.length / BYTES_PER_WINDOW }, (_, index) =>
    validateWindow(new EncodedWindow(chunk, index * BYTES_PER_WINDOW)),
  );
}

/** Decodes fields on access: as plain objects the windows of ten hours would take five times the memory. */
class EncodedWindow implements AcousticWindow {
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
    const mean = new Float64Array(MFCC_COEFFICIENT_COUNT);
    for (let index = 0; index < MFCC_COEFFICIENT_COUNT; index += 1)
      mean[index] = this.chunk.bytes.readInt16LE(this.at + 10 + index * 2) * MEAN_STEP;
    return mean;
  }
}

function validateWindow(window: AcousticWindow): AcousticWindow {
  const { start, end, frames, voiced } = window;
  if (end > start && frames > 0 && voiced <= frames) return window;
  throw new SpeakerFeaturesDecodeError('The speaker features are damaged.');
}
