import type { Caller } from '@app/auth';
import { findJob, setSpeakerNames } from '@app/jobs';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { assertTranscriptAvailable } from '../results/assert-transcript.js';
import { Renderings } from '../results/rendering/renderings.js';
import { documentKeyOf } from '../results/transcripts.js';
import { assertLabels, readSpeakerChanges } from './speaker-changes.js';
import type { NameSpeakersDto, SpeakersResponse } from './speakers.dto.js';

/** Names for the voices of a finished transcript. */
@Injectable()
export class SpeakersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly renderings: Renderings,
  ) {}

  async name(caller: Caller, jobId: string, body: NameSpeakersDto): Promise<SpeakersResponse> {
    const changes = readSpeakerChanges(body.speakers);
    const job = await findJob(this.dataSource, caller.accountId, jobId);
    assertTranscriptAvailable(job);
    const labels = await this.renderings.speakers(documentKeyOf(job));
    assertLabels(changes, labels);
    const names = (await setSpeakerNames(this.dataSource, job.id, changes)) ?? {};
    return {
      job_id: job.id,
      speakers: Object.fromEntries(labels.map((label) => [label, names[label] ?? null])),
    };
  }
}
