import { ServiceError } from '@app/errors';
import { buildDocumentKeyBeside, type JobView } from '@app/jobs';
import { attachmentHeader, OBJECT_STORE, type ObjectStore } from '@app/storage';
import { findExporter, type OutputType } from '@app/transcript';
import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { TranscriptRenderer } from './rendering/transcript-renderer.js';
import { buildTranscriptFilename } from './transcript-filename.js';

/** The job fields that a transcript is rendered from. */
export type TranscriptJob = Pick<JobView, 'id' | 'resultKey' | 'options' | 'speakerNames'>;

/** Sends the transcript of a job in any format with its current speaker names. */
@Injectable()
export class TranscriptService {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly renderer: TranscriptRenderer,
  ) {}

  /** @throws ServiceError `transcript_deleted`, and what `Renderings.file` throws */
  async send(reply: FastifyReply, job: TranscriptJob, format: OutputType): Promise<StreamableFile> {
    const { contentType, extension } = findExporter(format);
    const stored = findStoredKey(job, format);
    const body =
      stored === null
        ? await this.renderer.renderFile(
            { documentKey: requireDocumentKey(job), names: job.speakerNames },
            format,
            reply.raw,
          )
        : await this.store.get(stored);
    void reply.header('x-content-type-options', 'nosniff').header('cache-control', 'private, no-store');
    const more = {
      type: contentType,
      disposition: attachmentHeader(buildTranscriptFilename(job.id, extension)),
    };
    return Buffer.isBuffer(body)
      ? new StreamableFile(body, { ...more, length: body.length })
      : new StreamableFile(body, more);
  }
}

/** @throws ServiceError `transcript_deleted` without one; `assertTranscriptAvailable` distinguishes other cases */
export function requireDocumentKey({ resultKey }: Pick<JobView, 'resultKey'>): string {
  if (resultKey === null) throw new ServiceError('transcript_deleted');
  return buildDocumentKeyBeside(resultKey);
}

/** Returns the key of a stored file in this format; null if it must be rendered. */
function findStoredKey(job: TranscriptJob, format: OutputType): string | null {
  const documentKey = requireDocumentKey(job);
  if (hasNamedSpeakers(job)) return null;
  if (format === job.options.output_type) return job.resultKey;
  return format === 'json' ? documentKey : null;
}

/** Whether speakers were named, so that the stored files are outdated. */
export function hasNamedSpeakers({ speakerNames }: Pick<JobView, 'speakerNames'>): boolean {
  return Object.keys(speakerNames).length > 0;
}
