import { decodeAudio, type DecodeLimits } from '../decode/decode-audio.js';
import {
  type ClassifiedFrame,
  FRAME_SAMPLES,
  type FrameClassifier,
  FRAMES_PER_SECOND,
  type FrameRange,
} from '../vad/frame.js';
import { ModelFrameClassifier, type SpeechDetector } from '../vad/model-frame-classifier.js';
import { EnergyFrameClassifier } from '../vad/energy-frame-classifier.js';
import { PcmBuffer, SAMPLE_RATE } from '../wav/pcm.js';
import { encodeWav } from '../wav/wav.js';
import { ChunkPacker, type ChunkPiece, type PackedChunk } from './chunk-packer.js';
import { buildChunkingParams, ChunkPlanner } from './chunk-planner.js';
import type { AudioPart } from './packed-audio.js';
import { SpeechTimeline, type SpeechSpan } from './speech-timeline.js';

export interface ChunkingRequest {
  path: string;
  /** Target length of a chunk; 30 by default. */
  targetSeconds?: number;
  /** Maximum length of a chunk; 60 or twice the target by default, whichever is more. */
  maxSeconds?: number;
  /** Short chunks are joined up to this length, without the silence between them; not by default. */
  packedSeconds?: number | undefined;
  /** By default speech is detected by its level above the noise. */
  speechDetector?: SpeechDetector | null;
  /** Overrides of `DEFAULT_DECODE_LIMITS`. */
  limits?: Partial<DecodeLimits>;
  signal: AbortSignal;
}

export interface AudioChunk {
  /** Dense from 0, in order of time. */
  index: number;
  /** Start and end are in seconds from the start of the file. */
  start: number;
  end: number;
  /** 16 kHz mono 16-bit PCM with a WAV header. */
  wav: Buffer;
  /** Seconds of audio: less than from start to end if the chunk is packed. */
  seconds: number;
  /** Seconds of the file, from the start of the chunk. */
  speech: SpeechSpan[];
  /** Only of packed chunks (`PackedAudio`). */
  parts?: AudioPart[];
}

export interface ChunkingSummary {
  /** Seconds, silence included. */
  duration: number;
  /** Duration that the file declares if it is truncated, else null. */
  declaredSeconds: number | null;
  speechSeconds: number;
  chunks: number;
}

/**
 * Drops silence. Memory is constant: a slow `sink` slows the decoder. Errors of `sink` abort the work.
 * @throws like `decodeAudio` and the speech detector; RangeError for invalid chunk lengths
 */
export async function chunkAudio(
  request: ChunkingRequest,
  sink: (chunk: AudioChunk) => Promise<void>,
): Promise<ChunkingSummary> {
  const { path, limits, signal, targetSeconds = 30 } = request;
  const params = buildChunkingParams(targetSeconds, request.maxSeconds ?? Math.max(60, 2 * targetSeconds));
  const classifier: FrameClassifier = request.speechDetector
    ? new ModelFrameClassifier(request.speechDetector, signal)
    : new EnergyFrameClassifier();
  const planner = new ChunkPlanner(params);
  const packer = new ChunkPacker(request.packedSeconds ?? 0);
  const pcm = new PcmBuffer();
  const timeline = new SpeechTimeline();
  let speechFrames = 0;
  let chunks = 0;
  let declaredSeconds: number | null = null;

  const emitChunks = async (packed: PackedChunk[]): Promise<void> => {
    for (const { samples, ...chunk } of packed) {
      signal.throwIfAborted();
      await sink({ ...chunk, index: chunks, wav: encodeWav(samples), seconds: samples.length / SAMPLE_RATE });
      chunks += 1;
    }
  };
  const packSpans = async (spans: FrameRange[]): Promise<void> => {
    for (const span of spans)
      await emitChunks(packer.push({ ...cutPiece(span, pcm), speech: timeline.speechIn(span) }));
  };
  const processFrames = async (frames: ClassifiedFrame[]): Promise<void> => {
    for (const frame of frames) {
      if (frame.isSpeech) speechFrames += 1;
      timeline.push(frame);
      await packSpans(planner.push(frame));
    }
    pcm.dropBefore(planner.earliestNeededFrame * FRAME_SAMPLES);
    timeline.dropBefore(planner.earliestNeededFrame);
  };

  const onTruncated = (seconds: number) => void (declaredSeconds = seconds);
  for await (const samples of decodeAudio(path, { signal, onTruncated, ...(limits && { limits }) })) {
    pcm.append(samples);
    await processFrames(await classifier.push(samples));
  }
  await processFrames(await classifier.flush());
  await packSpans(planner.flush());
  await emitChunks(packer.flush());
  const duration = pcm.end / SAMPLE_RATE;
  const speechSeconds = Math.min(duration, speechFrames / FRAMES_PER_SECOND);
  return { duration, declaredSeconds, speechSeconds, chunks };
}

function cutPiece(span: FrameRange, pcm: PcmBuffer): Omit<ChunkPiece, 'speech'> {
  const start = span.start * FRAME_SAMPLES;
  // The last frame of a file may be incomplete.
  const end = Math.min(span.end * FRAME_SAMPLES, pcm.end);
  return { start: start / SAMPLE_RATE, end: end / SAMPLE_RATE, samples: pcm.slice(start, end) };
}
