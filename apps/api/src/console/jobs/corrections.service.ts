import { type Caller, recordAuditEvent, toAuditActor } from '@app/auth';
import { inTransaction } from '@app/database';
import { invalidFieldError, ServiceError } from '@app/errors';
import {
  buildDocumentKeyFromResultKey,
  deleteTranscriptCorrection,
  listTranscriptCorrections,
  saveTranscriptCorrection,
} from '@app/jobs';
import { redactText } from '@app/transcript';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { getJobAndLinkTrace } from '../../jobs/job-of-request.js';
import { assertTranscriptAvailable } from '../../results/assert-transcript-available.js';
import { TranscriptRenderer } from '../../results/rendering/transcript-renderer.js';
import type { CorrectionListResponse } from './corrections.dto.js';

/** Corrections of members beside the transcript, which is never changed. */
@Injectable()
export class TranscriptCorrectionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly renderer: TranscriptRenderer,
  ) {}

  async list({ accountId }: Caller, jobId: string): Promise<CorrectionListResponse> {
    const { id } = await getJobAndLinkTrace(this.dataSource, accountId, jobId);
    const corrections = await listTranscriptCorrections(this.dataSource, accountId, id);
    return {
      corrections: corrections.map(({ segment, text, updatedAt, updatedBy }) => ({
        segment,
        text,
        updated_at: updatedAt,
        updated_by: updatedBy,
      })),
    };
  }

  /** @throws ServiceError `job_not_found`, `validation_failed` for a segment that the transcript does not have */
  async save(caller: Caller, jobId: string, segment: number, text: string): Promise<void> {
    const { accountId } = caller;
    if (caller.keyId !== null) throw new Error('Corrections are written by users.');
    const job = await getJobAndLinkTrace(this.dataSource, accountId, jobId);
    assertTranscriptAvailable(job);
    const { segmentCount } = await this.renderer.readOutline({
      accountId,
      documentKey: buildDocumentKeyFromResultKey(job.resultKey),
    });
    if (segment >= segmentCount)
      throw invalidFieldError('segment', `must be below ${segmentCount}, the number of segments`);
    const redacted = redactText(text, job.options.redact ?? []);
    const correction = { jobId: job.id, segment, text: redacted, userId: caller.userId };
    const event = { action: 'job.segment_corrected', target: job.id, details: { segment } };
    await inTransaction(this.dataSource, async (tx) => {
      await saveTranscriptCorrection(tx, correction);
      await recordAuditEvent(tx, toAuditActor(caller), { accountId, ...event });
    });
  }

  /** @throws ServiceError `job_not_found`, `no_such_resource` for a segment without a correction */
  async delete(caller: Caller, jobId: string, segment: number): Promise<void> {
    const { accountId } = caller;
    const { id } = await getJobAndLinkTrace(this.dataSource, accountId, jobId);
    await inTransaction(this.dataSource, async (tx) => {
      if (!(await deleteTranscriptCorrection(tx, id, segment)))
        throw new ServiceError('no_such_resource', { detail: 'The segment has no correction.' });
      const event = { action: 'job.correction_deleted', target: id, details: { segment } };
      await recordAuditEvent(tx, toAuditActor(caller), { accountId, ...event });
    });
  }
}
