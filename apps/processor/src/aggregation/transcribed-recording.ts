import {
  type AudioSummary,
  type ChunkInput,
  type ChunkOutput,
  JobChunkResultsReader,
  type ChunkResultRow,
  type ChunkSpeakerFeaturesRow,
  type ClaimedStage,
} from '@app/jobs';
import { ChannelWordTimelines } from '@app/transcript';
import type { DataSource } from 'typeorm';

/** What aggregation needs to know of a recording. */
export interface TranscribedRecording {
  /** Seconds. */
  readonly duration: number;
  /** Seconds for which credits are held; undefined if they must be read. */
  readonly heldSeconds: number | undefined;
  /** In order. */
  readSpeakerFeatures(): Promise<ChunkSpeakerFeaturesRow[]>;
  /** In order. */
  streamResults(): AsyncIterable<ChunkResultRow>;
  readonly audioSummary: AudioSummary;
}

/** A recording whose chunks were committed. */
export class DatabaseTranscribedRecording implements TranscribedRecording {
  readonly heldSeconds = undefined;

  private constructor(
    readonly duration: number,
    private readonly results: JobChunkResultsReader,
  ) {}

  static async read(
    dataSource: DataSource,
    { jobId, job }: ClaimedStage,
  ): Promise<DatabaseTranscribedRecording> {
    return new DatabaseTranscribedRecording(
      job.duration ?? 0,
      await JobChunkResultsReader.open(dataSource, jobId),
    );
  }

  readSpeakerFeatures(): Promise<ChunkSpeakerFeaturesRow[]> {
    return this.results.readSpeakerFeatures();
  }

  streamResults(): AsyncIterable<ChunkResultRow> {
    return this.results.streamResults();
  }

  get audioSummary(): AudioSummary {
    return this.results.audioSummary;
  }
}

/** A recording of one chunk, whose output its worker still has, and whose credits were held when it was split. */
export class SingleChunkTranscribedRecording implements TranscribedRecording {
  readonly heldSeconds: number;

  constructor(
    readonly duration: number,
    private readonly input: ChunkInput,
    private readonly output: ChunkOutput,
    readonly audioSummary: AudioSummary,
  ) {
    this.heldSeconds = duration;
  }

  async readSpeakerFeatures(): Promise<ChunkSpeakerFeaturesRow[]> {
    const { start, end, channel = null, speech = null, speakerBlock } = this.input;
    const { words, voices: speakerFeatures = null } = this.output;
    const blockStart = speakerBlock?.start ?? null;
    return [{ index: 0, start, end, channel, speech, words: words.length, speakerFeatures, blockStart }];
  }

  async *streamResults(): AsyncGenerator<ChunkResultRow> {
    const { voices: _, ...result } = this.output;
    yield { index: 0, input: this.input, result };
  }
}

export async function loadChannelTimelinesAndChunkReports(
  recording: TranscribedRecording,
  signal: AbortSignal,
) {
  const timelines = new ChannelWordTimelines(recording.duration);
  const reports: (Omit<ChunkOutput, 'language' | 'words' | 'voices'> & { seconds: number })[] = [];
  for await (const { index, input, result } of recording.streamResults()) {
    signal.throwIfAborted();
    const { start, end, channel, speech } = input;
    const { language, words, ...report } = result;
    timelines.add({ index, start, end, channel, speech, language, words });
    reports.push({ ...report, seconds: end - start });
  }
  return { timelines: timelines.all, reports };
}
