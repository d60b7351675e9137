import { type Caller, recordAuditEvent, toAuditActor } from '@app/auth';
import { inTransaction } from '@app/database';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import {
  buildDocumentKeyFromResultKey,
  deleteTranscriptCorrection,
  deleteTranscriptCorrectionIfUnchanged,
  listTranscriptCorrections,
  lockJobWithTranscript,
  type NewTranscriptCorrection,
  saveOrReplaceSegmentCorrection,
  saveSegmentCorrectionIfUnchanged,
} from '@app/jobs';
import { redactText } from '@app/transcript';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { getJobAndLinkTrace } from '../../jobs/job-of-request.js';
import { assertTranscriptAvailable } from '../../transcripts/assert-transcript-available.js';
import { TranscriptRenderer } from '../../transcripts/rendering/transcript-renderer.js';
import type { CorrectionListResponse, CorrectTranscriptSegmentDto } from './corrections.dto.js';

/** Corrections of members beside the transcript, which is never changed. */
@Injectable()
export class SegmentCorrectionsService {
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

  /**
   * @throws ServiceError `job_not_found`, `transcript_deleted`, `validation_failed` for a segment that the transcript does not have,
   * `correction_changed`
   */
  async save(
    caller: Caller,
    jobId: string,
    segment: number,
    { text, replaces }: CorrectTranscriptSegmentDto,
  ): Promise<void> {
    const { accountId } = caller;
    if (caller.keyId !== null) throw new Error('Corrections are written by users.');
    const job = await getJobAndLinkTrace(this.dataSource, accountId, jobId);
    assertTranscriptAvailable(job);
    const { segmentCount } = await this.renderer.readOutline({
      accountId,
      documentKey: buildDocumentKeyFromResultKey(job.resultKey),
    });
    if (segment >= segmentCount)
      throw createInvalidFieldError('segment', `must be below ${segmentCount}, the number of segments`);
    const redact = (written: string) => redactText(written, job.options.redact ?? []);
    // What was seen may be what was typed, before it was redacted.
    const seen = typeof replaces === 'string' ? redact(replaces) : replaces;
    const of = { jobId: job.id, segment, userId: caller.userId };
    await inTransaction(this.dataSource, async (tx) => {
      // It may have been deleted while it was read.
      await lockJobWithTranscript(tx, job.id);
      const isChanged =
        text === null
          ? await this.restoreOriginal(tx, of, seen)
          : await this.replace(tx, { ...of, text: redact(text) }, seen);
      if (!isChanged) return;
      const action = text === null ? 'job.correction_deleted' : 'job.segment_corrected';
      const event = { accountId, action, target: job.id, details: { segment } };
      await recordAuditEvent(tx, toAuditActor(caller), event);
    });
  }

  private async replace(
    tx: EntityManager,
    correction: NewTranscriptCorrection,
    seen: string | null | undefined,
  ): Promise<true> {
    if (seen === undefined) await saveOrReplaceSegmentCorrection(tx, correction);
    else if (!(await saveSegmentCorrectionIfUnchanged(tx, correction, seen))) throw correctionChangedError();
    return true;
  }

  /** @returns false if the segment had no correction */
  private async restoreOriginal(
    tx: EntityManager,
    { jobId, segment }: { jobId: string; segment: number },
    seen: string | null | undefined,
  ): Promise<boolean> {
    if (seen === undefined) return deleteTranscriptCorrection(tx, jobId, segment);
    const result = await deleteTranscriptCorrectionIfUnchanged(tx, jobId, segment, seen);
    if (result === 'changed') throw correctionChangedError();
    return result === 'deleted';
  }
}

function correctionChangedError(): ServiceError {
  return new ServiceError('correction_changed', {
    detail: 'Somebody else has corrected this segment meanwhile.',
  });
}
