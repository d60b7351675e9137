import type { Caller } from '@app/auth';
import { buildDocumentKeyBeside, getJob, mergeSpeakerNames } from '@app/jobs';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { assertTranscriptAvailable } from '../results/assert-transcript-available.js';
import { TranscriptRenderer } from '../results/rendering/transcript-renderer.js';
import { assertKnownSpeakerLabels, parseSpeakerNameChanges } from './parse-speaker-name-changes.js';
import type { NameSpeakersDto, SpeakersResponse } from './speakers.dto.js';

@Injectable()
export class SpeakersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly renderer: TranscriptRenderer,
  ) {}

  async nameSpeakers(caller: Caller, jobId: string, body: NameSpeakersDto): Promise<SpeakersResponse> {
    const changes = parseSpeakerNameChanges(body.speakers);
    const job = await getJob(this.dataSource, caller.accountId, jobId);
    assertTranscriptAvailable(job);
    const labels = await this.renderer.readSpeakerLabels(buildDocumentKeyBeside(job.resultKey));
    assertKnownSpeakerLabels(changes, labels);
    const names = (await mergeSpeakerNames(this.dataSource, job.id, changes)) ?? {};
    return {
      job_id: job.id,
      speakers: Object.fromEntries(labels.map((label) => [label, names[label] ?? null])),
    };
  }
}
