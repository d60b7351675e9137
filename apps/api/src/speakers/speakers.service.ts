import type { Caller } from '@app/auth';
import { findJob, setSpeakerNames } from '@app/jobs';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { assertTranscriptAvailable } from '../results/assert-transcript-available.js';
import { TranscriptRenderer } from '../results/rendering/transcript-renderer.js';
import { requireDocumentKey } from '../results/transcript.service.js';
import { assertKnownLabels, parseSpeakerChanges } from './parse-speaker-changes.js';
import type { NameSpeakersDto, SpeakersResponse } from './speakers.dto.js';

/** Names for the voices of a finished transcript. */
@Injectable()
export class SpeakersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly renderer: TranscriptRenderer,
  ) {}

  async nameSpeakers(caller: Caller, jobId: string, body: NameSpeakersDto): Promise<SpeakersResponse> {
    const changes = parseSpeakerChanges(body.speakers);
    const job = await findJob(this.dataSource, caller.accountId, jobId);
    assertTranscriptAvailable(job);
    const labels = await this.renderer.readSpeakerLabels(requireDocumentKey(job));
    assertKnownLabels(changes, labels);
    const names = (await setSpeakerNames(this.dataSource, job.id, changes)) ?? {};
    return {
      job_id: job.id,
      speakers: Object.fromEntries(labels.map((label) => [label, names[label] ?? null])),
    };
  }
}
