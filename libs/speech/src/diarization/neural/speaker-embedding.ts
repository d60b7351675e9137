import type { DiarizedSpeaker } from '../../sherpa/host/host-requests.js';
import { SpeakerFeaturesDecodeError } from '../acoustic-window.js';

/** A speaker within one chunk, not yet matched with other chunks; the embedding is a unit vector. */
export type ChunkLocalSpeaker = DiarizedSpeaker;

export interface ChunkSpeakerEmbeddings {
  /** Name of the embedding model: embeddings of different models are not comparable. */
  model: string;
  /** Minimum cosine of two embeddings of the same speaker. */
  similarityThreshold: number;
  speakers: ChunkLocalSpeaker[];
}

/** Null for a zero or invalid vector. */
export function toUnitVector(values: ArrayLike<number>): Float32Array | null {
  const length = Math.hypot(...Array.from(values));
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(values, (value) => value / length);
}

/** Changes with the encoding, so that different versions are never compared. */
const VERSION = 'n1:';
const EMBEDDING_STEPS = 32_767;

/** The names are those that earlier versions have stored. */
interface StoredSpeakers {
  /** The threshold of similarity. */
  alike: number;
  /** The speakers: turns as start and end in milliseconds; embeddings as base64 of 16-bit coordinates. */
  voices: { turns: [number, number][]; print: string | null }[];
}

export function isEncodedSpeakerEmbeddings(text: string): boolean {
  return text.startsWith(VERSION);
}

/** About 0.7 kB per speaker for 256 dimensions. */
export function encodeSpeakerEmbeddingsAsText({
  model,
  similarityThreshold,
  speakers,
}: ChunkSpeakerEmbeddings): string {
  const stored: StoredSpeakers = {
    alike: similarityThreshold,
    voices: speakers.map(({ turns, embedding }) => ({
      turns: turns
        .map(({ start, end }): [number, number] => [Math.round(start * 1000), Math.round(end * 1000)])
        .filter(isNotEmpty),
      print: embedding && toBase64(embedding),
    })),
  };
  return `${VERSION}${model.replaceAll(/[^\w.-]/g, '_')}:${JSON.stringify(stored)}`;
}

/** @throws SpeakerFeaturesDecodeError */
export function decodeSpeakerEmbeddingsFromText(text: string): ChunkSpeakerEmbeddings {
  if (!isEncodedSpeakerEmbeddings(text))
    throw new SpeakerFeaturesDecodeError('The speaker features have an unsupported version.');
  const [, model = '', json = ''] = /^\w+:([^:]*):(.*)$/s.exec(text) ?? [];
  const { alike, voices } = parseStoredSpeakers(json);
  const speakers = voices.map(({ turns, print }): ChunkLocalSpeaker => ({
    // Earlier versions stored empty ones at the seams of chunks.
    turns: turns.filter(isNotEmpty).map(([start, end]) => ({ start: start / 1000, end: end / 1000 })),
    embedding: print === null ? null : fromBase64(print),
  }));
  const sizes = new Set(speakers.flatMap(({ embedding }) => (embedding ? [embedding.length] : [])));
  if (sizes.size > 1) throw invalidFeatures();
  return { model, similarityThreshold: alike, speakers };
}

function parseStoredSpeakers(json: string): StoredSpeakers {
  try {
    const stored: unknown = JSON.parse(json);
    if (isStoredSpeakers(stored)) return stored;
  } catch {
    // Throws below.
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
  return typeof start === 'number' && typeof end === 'number' && start >= 0 && end >= start;
}

function isNotEmpty([start, end]: [number, number]): boolean {
  return end > start;
}

function toBase64(embedding: Float32Array): string {
  const bytes = Buffer.alloc(embedding.length * 2);
  for (const [at, value] of embedding.entries())
    bytes.writeInt16LE(Math.round(value * EMBEDDING_STEPS), at * 2);
  return bytes.toString('base64');
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  const whole = bytes.length % 2 === 0 && bytes.toString('base64') === text;
  const values = Float32Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readInt16LE(at * 2));
  const embedding = whole ? toUnitVector(values) : null;
  if (!embedding) throw invalidFeatures();
  return embedding;
}

function invalidFeatures(): SpeakerFeaturesDecodeError {
  return new SpeakerFeaturesDecodeError('The speaker features are damaged.');
}
