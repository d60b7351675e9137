import {
  type ChunkInput,
  type ChunkOutput,
  chunkResults,
  type ClaimedStage,
  completeStage,
  countStep,
  documentKey,
  finishJob,
  JOB_EFFECTS,
  type JobEffects,
  renderingKey,
  type StageCommit,
} from '@app/jobs';
import type { SpeechAids, SpeechEngine } from '@app/speech';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { assembleTranscript, exporterFor, type TranscriptDocument } from '@app/transcript';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SPEECH_AIDS, SPEECH_ENGINE } from '../processor-options.js';
import { engineWarnings } from './engine-warnings.js';
import { sentenceMarks } from './sentence-marks.js';
import { speakerTurns } from './speaker-turns.js';
import { vocabularyWarnings } from './vocabulary-warning.js';

/** Puts the transcript together, stores it and ends the job. */
@Injectable()
export class AggregationStage {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(SPEECH_ENGINE) private readonly engine: SpeechEngine,
    @Inject(JOB_EFFECTS) private readonly effects: JobEffects,
    @Inject(SPEECH_AIDS) private readonly aids: Pick<SpeechAids, 'punctuation'>,
  ) {}

  async work(stage: ClaimedStage): Promise<StageCommit> {
    const resultKey = await this.storeTranscript(stage, await this.assemble(stage));
    return async (tx) => {
      await countStep(tx, stage.jobId, stage.name);
      await completeStage(tx, stage, null);
      await finishJob(tx, this.effects, stage.jobId, { status: 'completed', resultKey });
    };
  }

  private async assemble({ jobId, job }: ClaimedStage): Promise<TranscriptDocument> {
    const rows = await chunkResults<ChunkInput, ChunkOutput>(this.dataSource, jobId);
    const chunks = rows.map(({ index, input: { start, end, speech }, result }) => ({
      ...{ index, start, end, speech },
      ...result,
    }));
    const { turns, warnings } = await speakerTurns(chunks, job.options);
    const { abilities } = this.engine;
    const marked = await sentenceMarks(chunks, this.aids.punctuation, job.options, abilities);
    return assembleTranscript({
      jobId,
      createdAt: job.createdAt.toISOString(),
      model: job.options.model,
      engine: await this.engine.identity(),
      duration: job.duration ?? 0,
      options: { ...job.options },
      punctuated: abilities.punctuation,
      chunks: marked.chunks,
      turns,
      warnings: [
        ...warnings,
        ...marked.warnings,
        ...vocabularyWarnings(job.options, abilities, chunks),
        ...engineWarnings(job.options, chunks),
      ],
    });
  }

  /** The document is always kept; other formats are made from it. @returns the key of the asked format. */
  private async storeTranscript(stage: ClaimedStage, document: TranscriptDocument): Promise<string> {
    const { jobId, fence } = stage;
    const json = exporterFor('json');
    const kept = documentKey(jobId, fence);
    await this.store.put(kept, await json.render(document), json.contentType);
    if (stage.job.options.output_type === 'json') return kept;
    const exporter = exporterFor(stage.job.options.output_type);
    const key = renderingKey(jobId, fence, exporter.extension);
    await this.store.put(key, await exporter.render(document), exporter.contentType);
    return key;
  }
}
