import { decode, type DecodeLimits } from '../decode/decode.js';
import { FRAME_SAMPLES, FRAMES_PER_SECOND, type Frame } from '../vad/frame.js';
import type { FrameJudge } from '../vad/frame-judge.js';
import { ModelledActivity } from '../vad/modelled-activity.js';
import type { SpeechFinder } from '../vad/speech-finder.js';
import { VoiceActivity } from '../vad/voice-activity.js';
import { SAMPLE_RATE } from '../wav/sample-rate.js';
import { encodeWav } from '../wav/wav.js';
import { ChunkPlanner, type Span } from './chunk-planner.js';
import { cutRules } from './cut-rules.js';
import { PcmWindow } from './pcm-window.js';
import { SpeechLog, type SpeechSpan } from './speech-log.js';

export interface CutRequest {
  /** A local media file of any kind. */
  path: string;
  /** Length that chunks should have; 30 when left out. */
  targetSeconds?: number;
  /** Length that no chunk exceeds; 60, or twice the target when that is more, when left out. */
  maxSeconds?: number;
  /** Tells speech from the rest; left out, speech is what is louder than the noise around it. */
  finder?: SpeechFinder | null;
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

export interface CutSummary {
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
export async function cutAudio(
  request: CutRequest,
  sink: (chunk: AudioChunk) => Promise<void>,
): Promise<CutSummary> {
  const { path, limits, signal, targetSeconds = 30 } = request;
  const rules = cutRules(targetSeconds, request.maxSeconds ?? Math.max(60, 2 * targetSeconds));
  const activity: FrameJudge = request.finder
    ? new ModelledActivity(request.finder, signal)
    : new VoiceActivity();
  const planner = new ChunkPlanner(rules);
  const pcm = new PcmWindow();
  const log = new SpeechLog();
  let speechFrames = 0;
  let chunks = 0;
  let declaredSeconds: number | null = null;

  const hand = async (spans: Span[]): Promise<void> => {
    for (const span of spans) {
      signal.throwIfAborted();
      await sink({ ...chunkOf(span, chunks, pcm), speech: log.within(span) });
      chunks += 1;
    }
  };
  const judge = async (frames: Frame[]): Promise<void> => {
    for (const frame of frames) {
      if (frame.speech) speechFrames += 1;
      log.push(frame);
      await hand(planner.push(frame));
    }
    pcm.dropBefore(planner.earliestNeeded * FRAME_SAMPLES);
    log.dropBefore(planner.earliestNeeded);
  };

  const onTruncated = (seconds: number) => void (declaredSeconds = seconds);
  for await (const samples of decode(path, { signal, onTruncated, ...(limits && { limits }) })) {
    pcm.append(samples);
    await judge(await activity.push(samples));
  }
  await judge(await activity.flush());
  await hand(planner.flush());
  const duration = pcm.end / SAMPLE_RATE;
  const speechSeconds = Math.min(duration, speechFrames / FRAMES_PER_SECOND);
  return { duration, declaredSeconds, speechSeconds, chunks };
}

function chunkOf(span: Span, index: number, pcm: PcmWindow): Omit<AudioChunk, 'speech'> {
  const start = span.start * FRAME_SAMPLES;
  // The last frame of a file may be cut short.
  const end = Math.min(span.end * FRAME_SAMPLES, pcm.end);
  return { index, start: start / SAMPLE_RATE, end: end / SAMPLE_RATE, wav: encodeWav(pcm.slice(start, end)) };
}
