import { type Caller, recordAuditEvent, toAuditActor } from '@app/auth';
import { inTransaction } from '@app/database';
import { buildDocumentKeyFromResultKey, lockJobWithTranscript, mergeSpeakerNames } from '@app/jobs';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { getJobAndLinkTrace } from '../jobs/job-of-request.js';
import { assertTranscriptAvailable } from '../transcripts/assert-transcript-available.js';
import { TranscriptRenderer } from '../transcripts/rendering/transcript-renderer.js';
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
    const job = await getJobAndLinkTrace(this.dataSource, caller.accountId, jobId);
    assertTranscriptAvailable(job);
    const { speakers: labels } = await this.renderer.readOutline({
      accountId: caller.accountId,
      documentKey: buildDocumentKeyFromResultKey(job.resultKey),
    });
    assertKnownSpeakerLabels(changes, labels);
    const names = await inTransaction(this.dataSource, async (tx) => {
      // It may have been deleted while it was read.
      await lockJobWithTranscript(tx, job.id);
      const merged = await mergeSpeakerNames(tx, job.id, changes);
      // Without the names, which the audit log would keep after the job is deleted.
      const event = {
        action: 'job.speakers_named',
        target: job.id,
        details: { speakers: Object.keys(changes) },
      };
      await recordAuditEvent(tx, toAuditActor(caller), { accountId: caller.accountId, ...event });
      return merged ?? {};
    });
    return {
      job_id: job.id,
      speakers: Object.fromEntries(labels.map((label) => [label, names[label] ?? null])),
    };
  }
}
