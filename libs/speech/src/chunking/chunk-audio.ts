import { CrosstalkDetector } from '../channels/crosstalk-detector.js';
import {
  findRightChannelGainUnlessMixed,
  type MultichannelMode,
  type RightChannelGain,
} from '../channels/find-right-channel-gain-unless-mixed.js';
import { deinterleaveStereo } from '../channels/deinterleave-stereo.js';
import {
  decodeAudioToMono,
  decodeToMonoOrStereo,
  type DecodeLimits,
  type DecodeOptions,
} from '../decode/decode-audio.js';
import { EnergyFrameClassifier } from '../vad/energy-frame-classifier.js';
import type { FrameClassifier } from '../vad/frame.js';
import { ModelFrameClassifier, type SpeechDetector } from '../vad/model-frame-classifier.js';
import { SAMPLE_RATE } from '../wav/pcm.js';
import { encodeWav } from '../wav/wav.js';
import { ChannelChunker } from './channel-chunker.js';
import type { PackedChunk } from './chunk-packer.js';
import { buildChunkingParams } from './chunk-planner.js';
import type { PackedAudioSpan } from './packed-audio-time-map.js';
import type { SpeechSpan } from './speech-timeline.js';

export interface ChunkingRequest {
  path: string;
  /** Target length of a chunk; 30 by default. */
  targetSeconds?: number;
  /** Maximum length of a chunk; 60 or twice the target by default, whichever is more. */
  maxSeconds?: number;
  /** Short chunks are joined up to this length, without the silence between them; not by default. */
  packedSeconds?: number | undefined;
  /** If there is none, speech is detected by its level above the noise. */
  speechDetector?: SpeechDetector | null;
  /** Whether two channels are split apart; by default they are mixed. */
  multichannel?: MultichannelMode;
  /** Overrides of `DEFAULT_DECODE_LIMITS`. */
  limits?: Partial<DecodeLimits>;
  /** Like `DecodeOptions.onProgress`, but a stereo file may be read twice. */
  onProgress?: (seconds: number) => Promise<void>;
  signal: AbortSignal;
}

export interface AudioChunk {
  /** Dense from 0, in order of time within a channel. */
  index: number;
  /** 1 (left) or 2; absent if the channels are mixed. */
  channel?: number;
  /** Start and end are in seconds from the start of the file. */
  start: number;
  end: number;
  /** 16 kHz mono 16-bit PCM with a WAV header. */
  wav: Buffer;
  /** Seconds of audio: less than from start to end if the chunk is packed. */
  seconds: number;
  /** Seconds of the file, from the start of the chunk. */
  speech: SpeechSpan[];
  /** Absent unless the chunk is packed (`PackedAudioTimeMap`). */
  parts?: PackedAudioSpan[];
}

export interface ChunkingSummary {
  /** Seconds, silence included. */
  duration: number;
  /** Duration that the file declares if it is truncated, else null. */
  declaredSeconds: number | null;
  /** Seconds of silence in place of audio that could not be decoded; null if they are few. */
  damagedSeconds: number | null;
  /** Seconds of speech of two channels together. */
  speechSeconds: number;
  chunks: number;
  /** True if two channels were split apart. */
  multichannel: boolean;
}

type EmitChunks = (chunks: PackedChunk[], channel?: number) => Promise<void>;

/**
 * Drops silence. Memory is constant: a slow `sink` slows the decoder. Errors of `sink` abort the work.
 * @throws like `decodeToMonoOrStereo` and the speech detector; RangeError for invalid chunk lengths
 */
export async function chunkAudioToSink(
  request: ChunkingRequest,
  sink: (chunk: AudioChunk) => Promise<void>,
): Promise<ChunkingSummary> {
  const { path, limits, signal, onProgress, multichannel = false } = request;
  const createChunker = buildChunkerFactory(request);
  let chunks = 0;
  const emit: EmitChunks = async (packed, channel) => {
    for (const { samples, ...chunk } of packed) {
      signal.throwIfAborted();
      const audio = { wav: encodeWav(samples), seconds: samples.length / SAMPLE_RATE };
      await sink({ ...chunk, ...audio, index: chunks, ...(channel !== undefined && { channel }) });
      chunks += 1;
    }
  };
  let declaredSeconds: number | null = null;
  let damagedSeconds: number | null = null;
  const decoding = { signal, onProgress, ...(limits && { limits }) };
  const channels = await findRightChannelGainUnlessMixed(path, multichannel, decoding);
  const options = {
    ...decoding,
    onTruncated: (seconds: number) => void (declaredSeconds = seconds),
    onDamaged: (seconds: number) => void (damagedSeconds = seconds),
  };
  const chunkers = channels
    ? await chunkChannels(path, options, channels, createChunker, emit)
    : [await chunkMixed(path, options, createChunker(), emit)];
  return {
    duration: chunkers[0]?.duration ?? 0,
    declaredSeconds,
    damagedSeconds,
    speechSeconds: chunkers.reduce((sum, { speechSeconds }) => sum + speechSeconds, 0),
    chunks,
    multichannel: channels !== null,
  };
}

/** @throws RangeError for invalid chunk lengths */
function buildChunkerFactory(request: ChunkingRequest): () => ChannelChunker {
  const { speechDetector, signal, targetSeconds = 30, packedSeconds = 0 } = request;
  const params = buildChunkingParams(targetSeconds, request.maxSeconds ?? Math.max(60, 2 * targetSeconds));
  const createClassifier = (): FrameClassifier =>
    speechDetector ? new ModelFrameClassifier(speechDetector, signal) : new EnergyFrameClassifier();
  return () => new ChannelChunker(createClassifier(), params, packedSeconds);
}

async function chunkMixed(
  path: string,
  options: DecodeOptions,
  chunker: ChannelChunker,
  emit: EmitChunks,
): Promise<ChannelChunker> {
  for await (const samples of decodeAudioToMono(path, options)) await emit(await chunker.push(samples));
  await emit(await chunker.flush());
  return chunker;
}

async function chunkChannels(
  path: string,
  options: DecodeOptions,
  { rightGainDb }: RightChannelGain,
  createChunker: () => ChannelChunker,
  emit: EmitChunks,
): Promise<ChannelChunker[]> {
  const gate = new CrosstalkDetector(rightGainDb);
  const chunkers = [createChunker(), createChunker()];
  for await (const { samples } of decodeToMonoOrStereo(path, options)) {
    const pair = deinterleaveStereo(samples);
    const crosstalk = gate.push(pair);
    for (const [index, chunker] of chunkers.entries())
      await emit(await chunker.push(pair[index] ?? new Int16Array(0), crosstalk[index]), index + 1);
  }
  const crosstalk = gate.flush();
  for (const [index, chunker] of chunkers.entries())
    await emit(await chunker.flush(crosstalk[index]), index + 1);
  return chunkers;
}
