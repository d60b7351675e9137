import { InvalidSpeakerFeaturesError } from '../acoustic-window.js';

/** Where one voice speaks within a chunk, as the segmentation model told it, and what it sounds like. */
export interface LocalSpeaker {
  /** Seconds on the chunk's clock, in order of time. Turns of different voices may overlap. */
  turns: { start: number; end: number }[];
  /** The direction in which the embedding model puts the voice, of length 1; null where it said too little for one. */
  print: Float32Array | null;
}

/** The voices of a chunk as neural models described them. */
export interface ChunkSpeakers {
  /** Name of the embedding model: prints of different models must not be compared. */
  model: string;
  /** Cosine of two prints from which on that model takes them for one voice. */
  similarityThreshold: number;
  speakers: LocalSpeaker[];
}

/** The same direction with length 1; null where there is none. */
export function toUnitVector(values: ArrayLike<number>): Float32Array | null {
  const length = Math.hypot(...Array.from(values));
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(values, (value) => value / length);
}

/** Changes whenever the description does: old ones must not be mixed with new ones. */
const VERSION = 'n1:';
/** Steps of a coordinate of a print: 1 / 32767 of its length. */
const EMBEDDING_STEPS = 32_767;

interface StoredSpeakers {
  alike: number;
  /** Start and end of each turn in milliseconds; the print as base64, 16 bits a coordinate. */
  voices: { turns: [number, number][]; print: string | null }[];
}

/** True for what `encodeSpeakers` wrote, of any content. */
export function isEncodedSpeakers(text: string): boolean {
  return text.startsWith(VERSION);
}

/** The voices as text: about 0.7 kB for a voice with a print of 256 numbers. */
export function encodeSpeakers({
  model,
  similarityThreshold: alike,
  speakers: voices,
}: ChunkSpeakers): string {
  const kept: StoredSpeakers = {
    alike,
    voices: voices.map(({ turns, print }) => ({
      turns: turns.map(({ start, end }) => [Math.round(start * 1000), Math.round(end * 1000)]),
      print: print && toBase64(print),
    })),
  };
  return `${VERSION}${model.replaceAll(/[^\w.-]/g, '_')}:${JSON.stringify(kept)}`;
}

/** Reads what `encodeSpeakers` wrote. Throws `InvalidSpeakerFeaturesError`. */
export function decodeSpeakers(text: string): ChunkSpeakers {
  if (!isEncodedSpeakers(text))
    throw new InvalidSpeakerFeaturesError('The voices were described by another version.');
  const [model = '', json = ''] = splitModelAndJson(text.slice(VERSION.length));
  const { alike, voices } = parse(json);
  const read = voices.map(({ turns, print }): LocalSpeaker => ({
    turns: turns.map(([start, end]) => ({ start: start / 1000, end: end / 1000 })),
    print: print === null ? null : fromBase64(print),
  }));
  const sizes = new Set(read.flatMap(({ print }) => (print ? [print.length] : [])));
  if (sizes.size > 1) throw invalidFeatures();
  return { model, similarityThreshold: alike, speakers: read };
}

function splitModelAndJson(text: string): string[] {
  const end = text.indexOf(':');
  return [text.slice(0, end), text.slice(end + 1)];
}

function parse(json: string): StoredSpeakers {
  try {
    const kept: unknown = JSON.parse(json);
    if (isStoredSpeakers(kept)) return kept;
  } catch {
    // Said below.
  }
  throw invalidFeatures();
}

function isStoredSpeakers(value: unknown): value is StoredSpeakers {
  const { alike, voices } = (value ?? {}) as Partial<StoredSpeakers>;
  return (
    typeof alike === 'number' &&
    Array.isArray(voices) &&
    voices.every(
      (voice) =>
        Array.isArray(voice?.turns) &&
        voice.turns.every(isTurn) &&
        (voice.print === null || typeof voice.print === 'string'),
    )
  );
}

function isTurn(turn: unknown): boolean {
  if (!Array.isArray(turn) || turn.length !== 2) return false;
  const [start, end] = turn as [unknown, unknown];
  return typeof start === 'number' && typeof end === 'number' && start >= 0 && end > start;
}

function toBase64(print: Float32Array): string {
  const bytes = Buffer.alloc(print.length * 2);
  for (const [at, value] of print.entries()) bytes.writeInt16LE(Math.round(value * EMBEDDING_STEPS), at * 2);
  return bytes.toString('base64');
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  const whole = bytes.length % 2 === 0 && bytes.toString('base64') === text;
  const values = Float32Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readInt16LE(at * 2));
  const print = whole ? toUnitVector(values) : null;
  if (!print) throw invalidFeatures();
  return print;
}

function invalidFeatures(): InvalidSpeakerFeaturesError {
  return new InvalidSpeakerFeaturesError('The description of the voices is damaged.');
}
