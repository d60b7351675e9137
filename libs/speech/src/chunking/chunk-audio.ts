import { decodeAudio, type DecodeLimits } from '../decode/decode-audio.js';
import { type Frame, FRAME_SAMPLES, type FrameClassifier, FRAMES_PER_SECOND } from '../vad/frame.js';
import { ModelFrameClassifier, type SpeechDetector } from '../vad/model-frame-classifier.js';
import { EnergyFrameClassifier } from '../vad/energy-frame-classifier.js';
import { PcmBuffer, SAMPLE_RATE } from '../wav/pcm.js';
import { encodeWav } from '../wav/wav.js';
import { buildChunkingParams, ChunkPlanner, type FrameRange } from './chunk-planner.js';
import { SpeechTimeline, type SpeechSpan } from './speech-timeline.js';

export interface ChunkingRequest {
  /** A local media file of any kind. */
  path: string;
  /** Length that chunks should have; 30 when left out. */
  targetSeconds?: number;
  /** Length that no chunk exceeds; 60, or twice the target when that is more, when left out. */
  maxSeconds?: number;
  /** Tells speech from the rest; left out, speech is what is louder than the noise around it. */
  speechDetector?: SpeechDetector | null;
  /** What is left out has the value of `DECODE_LIMITS`. */
  limits?: Partial<DecodeLimits>;
  signal: AbortSignal;
}

/** One stretch of the file with speech in it. */
export interface AudioChunk {
  /** Dense from 0, in order of time. */
  index: number;
  /** Seconds from the start of the file. */
  start: number;
  /** Seconds from the start of the file. */
  end: number;
  /** 16 kHz mono 16-bit PCM with a WAV header. */
  wav: Buffer;
  /** Where in it someone speaks, in order. */
  speech: SpeechSpan[];
}

export interface ChunkingSummary {
  /** Seconds of sound in the whole file. */
  duration: number;
  /** Seconds that the file declares, where clearly fewer could be decoded; else null. */
  declaredSeconds: number | null;
  /** Seconds of it with speech. */
  speechSeconds: number;
  chunks: number;
}

/**
 * Decodes a file once and hands its speech to `sink` chunk by chunk, cut in pauses. Silence is left out.
 *
 * Memory does not grow with the length of the file. `sink` is awaited, and decoding waits with it; what it throws
 * ends the work. Throws as `decode` and the finder of speech, and `RangeError` for lengths that make no sense.
 */
export async function chunkAudio(
  request: ChunkingRequest,
  sink: (chunk: AudioChunk) => Promise<void>,
): Promise<ChunkingSummary> {
  const { path, limits, signal, targetSeconds = 30 } = request;
  const rules = buildChunkingParams(targetSeconds, request.maxSeconds ?? Math.max(60, 2 * targetSeconds));
  const classifier: FrameClassifier = request.speechDetector
    ? new ModelFrameClassifier(request.speechDetector, signal)
    : new EnergyFrameClassifier();
  const planner = new ChunkPlanner(rules);
  const pcm = new PcmBuffer();
  const timeline = new SpeechTimeline();
  let speechFrames = 0;
  let chunks = 0;
  let declaredSeconds: number | null = null;

  const emitChunks = async (spans: FrameRange[]): Promise<void> => {
    for (const span of spans) {
      signal.throwIfAborted();
      await sink({ ...buildChunk(span, chunks, pcm), speech: timeline.speechIn(span) });
      chunks += 1;
    }
  };
  const processFrames = async (frames: Frame[]): Promise<void> => {
    for (const frame of frames) {
      if (frame.speech) speechFrames += 1;
      timeline.push(frame);
      await emitChunks(planner.push(frame));
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
  await emitChunks(planner.flush());
  const duration = pcm.end / SAMPLE_RATE;
  const speechSeconds = Math.min(duration, speechFrames / FRAMES_PER_SECOND);
  return { duration, declaredSeconds, speechSeconds, chunks };
}

function buildChunk(span: FrameRange, index: number, pcm: PcmBuffer): Omit<AudioChunk, 'speech'> {
  const start = span.start * FRAME_SAMPLES;
  // The last frame of a file may be cut short.
  const end = Math.min(span.end * FRAME_SAMPLES, pcm.end);
  return { index, start: start / SAMPLE_RATE, end: end / SAMPLE_RATE, wav: encodeWav(pcm.slice(start, end)) };
}
