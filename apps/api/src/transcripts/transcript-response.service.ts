import { buildDocumentKeyFromResultKey, type JobForApiRoutes } from '@app/jobs';
import {
  attachmentHeader,
  OBJECT_STORE_TOKEN,
  type ObjectStore,
  buildTranscriptFilename,
} from '@app/storage';
import { type CaptionLayout, getExporter, type TranscriptFormat } from '@app/transcript';
import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { TranscriptRenderer } from './rendering/transcript-renderer.js';

export type JobWithTranscript = Pick<JobForApiRoutes, 'id' | 'options' | 'speakerNames'> & {
  accountId: string;
  resultKey: string;
};

export interface TranscriptFormatOptions {
  format: TranscriptFormat;
  /** For srt and vtt, if the caller chose one. */
  captionLayout?: CaptionLayout | undefined;
}

/** Sends the transcript of a job in any format with its current speaker names. */
@Injectable()
export class TranscriptResponseService {
  constructor(
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    private readonly renderer: TranscriptRenderer,
  ) {}

  /** Sets the headers of the response and returns its body. @throws ServiceError as `TranscriptRenderer.renderFile` */
  async sendTranscript(
    reply: FastifyReply,
    job: JobWithTranscript,
    { format, captionLayout }: TranscriptFormatOptions,
  ): Promise<StreamableFile> {
    const { contentType, extension } = getExporter(format);
    const storedKey = captionLayout ? null : findStoredKey(job, format);
    const body =
      storedKey === null
        ? await this.renderer.renderFile(
            { accountId: job.accountId, documentKey: buildDocumentKeyFromResultKey(job.resultKey) },
            { format, names: job.speakerNames, captionLayout },
            reply.raw,
          )
        : await this.store.get(storedKey);
    void reply.header('x-content-type-options', 'nosniff').header('cache-control', 'private, no-store');
    const options = {
      type: contentType,
      disposition: attachmentHeader(buildTranscriptFilename(job.id, extension)),
    };
    return Buffer.isBuffer(body)
      ? new StreamableFile(body, { ...options, length: body.length })
      : new StreamableFile(body, options);
  }
}

/** Returns the key of a stored file in this format; null if it must be rendered. */
function findStoredKey(job: JobWithTranscript, format: TranscriptFormat): string | null {
  if (hasNamedSpeakers(job)) return null;
  if (format === job.options.output_type) return job.resultKey;
  return format === 'json' ? buildDocumentKeyFromResultKey(job.resultKey) : null;
}

/** Whether speakers were named, so that the stored files are outdated. */
export function hasNamedSpeakers({ speakerNames }: Pick<JobForApiRoutes, 'speakerNames'>): boolean {
  return Object.keys(speakerNames).length > 0;
}
