import { AudioGapTracker } from './audio-gap-tracker.js';
import { MatroskaPcmParser } from './matroska-pcm-parser.js';
import { BYTES_PER_SAMPLE, PcmStreamDecoder, SAMPLE_RATE } from '../wav/pcm.js';

export interface DecodedAudioBlock {
  /** Channels of the file; files with more than two are mixed to one or two. */
  channels: 1 | 2;
  /** 16 kHz; with two channels left, right, left, right, … */
  samples: Int16Array;
  /** Present if the file has no audio here, so that the samples are silence. */
  isGap?: true;
}

const SAMPLES_PER_MS = SAMPLE_RATE / 1000;
/** A gap may be half an hour long. */
const MAX_SILENCE_SAMPLES = 10 * SAMPLE_RATE;

/**
 * Decodes the Matroska stream that ffmpeg writes, and fills gaps with silence. Yields large blocks, however small those of
 * the stream are.
 * @throws like `output`, after all samples were yielded
 */
export async function* decodeFfmpegOutput(
  output: AsyncIterable<Buffer>,
): AsyncGenerator<DecodedAudioBlock, void, undefined> {
  const decoder = new FfmpegOutputDecoder();
  let failure: { error: unknown } | undefined;
  try {
    for await (const bytes of output) yield* decoder.push(bytes);
  } catch (error) {
    failure = { error };
  }
  yield* decoder.flush();
  if (failure) throw failure.error;
}

class FfmpegOutputDecoder {
  private readonly parser = new MatroskaPcmParser();
  private readonly gaps = new AudioGapTracker();
  private decoder: PcmStreamDecoder | undefined;
  /** The newest block: the start of the next one says whether its own is right. */
  private newest = { start: 0, pieces: [] as Buffer[] };
  /** Pieces of the stream that follow each other. */
  private joined: Buffer[] = [];

  *push(bytes: Buffer): Generator<DecodedAudioBlock, void, undefined> {
    for (const { startMs, bytes: piece } of this.parser.push(bytes)) {
      if (startMs !== null) {
        const start = startMs * SAMPLES_PER_MS;
        yield* this.addNewest(start);
        this.newest = { start, pieces: [] };
      }
      this.newest.pieces.push(piece);
    }
    yield* this.decodeJoined();
  }

  *flush(): Generator<DecodedAudioBlock, void, undefined> {
    yield* this.addNewest(null);
    yield* this.decodeJoined();
  }

  private get channels(): 1 | 2 {
    return this.parser.channels === 2 ? 2 : 1;
  }

  private *addNewest(nextStart: number | null): Generator<DecodedAudioBlock, void, undefined> {
    const { start, pieces } = this.newest;
    if (pieces.length === 0) return;
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    const length = Math.floor(size / (BYTES_PER_SAMPLE * this.channels));
    const gap = this.gaps.findGapBefore({ start, length, nextStart });
    if (gap > 0) {
      yield* this.decodeJoined();
      yield* this.fillGap(gap);
    }
    this.joined.push(...pieces);
  }

  private *decodeJoined(): Generator<DecodedAudioBlock, void, undefined> {
    if (this.joined.length === 0) return;
    const { channels } = this;
    this.decoder ??= new PcmStreamDecoder(channels);
    const samples = this.decoder.push(Buffer.concat(this.joined));
    this.joined = [];
    if (samples.length > 0) yield { channels, samples };
  }

  private *fillGap(samples: number): Generator<DecodedAudioBlock, void, undefined> {
    const { channels } = this;
    for (let left = samples; left > 0; left -= MAX_SILENCE_SAMPLES)
      yield {
        channels,
        samples: new Int16Array(channels * Math.min(left, MAX_SILENCE_SAMPLES)),
        isGap: true,
      };
  }
}
