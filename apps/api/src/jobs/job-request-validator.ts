import { createInvalidFieldError } from '@app/errors';
import { DEFAULT_JOB_OPTIONS, type JobOptions, type NewJob, VocabularyService } from '@app/jobs';
import { SsrfBlockedError, OutboundGuard } from '@app/outbound';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { JobOptionsDto } from './job-options.dto.js';
import { emptyMetadataToNull } from './job-metadata.js';

export type ValidatedJobRequest = Pick<NewJob, 'options' | 'metadata'>;

/** Validates the options of a request, and that its URLs resolve to public addresses. */
@Injectable()
export class JobRequestValidator {
  private readonly vocabularies: VocabularyService;

  constructor(
    private readonly guard: OutboundGuard,
    dataSource: DataSource,
  ) {
    this.vocabularies = new VocabularyService(dataSource);
  }

  /** The job gets the terms of its vocabulary, so that a later change of these does not change the job. */
  async toValidatedRequest(
    accountId: string,
    dto: JobOptionsDto,
    audioUrl: string | null,
  ): Promise<ValidatedJobRequest> {
    const options = toJobOptions(dto);
    if (dto.vocabulary != null)
      options.custom_vocabulary = await this.vocabularies.resolveTerms(
        accountId,
        dto.vocabulary,
        options.custom_vocabulary ?? [],
      );
    if (audioUrl !== null) await this.assertPublic('audio_url', audioUrl);
    if (options.callback_url !== null) await this.assertPublic('callback_url', options.callback_url);
    return { options, metadata: emptyMetadataToNull(dto.metadata) };
  }

  private async assertPublic(field: string, url: string): Promise<void> {
    try {
      await this.guard.assertPublic(url, field);
    } catch (error) {
      throw error instanceof SsrfBlockedError ? createInvalidFieldError(field, error.message) : error;
    }
  }
}

/** Applies the defaults and resolves the alias `diarize`. */
function toJobOptions(dto: JobOptionsDto): JobOptions {
  return { ...DEFAULT_JOB_OPTIONS, ...omitUndefined(pickOptions(dto)) } as JobOptions;
}

function pickOptions(dto: JobOptionsDto): Partial<Record<keyof JobOptions, unknown>> {
  const { model, output_type, word_timestamps, nltk, filler_words, redact, tier } = dto;
  const { multichannel, num_speakers, min_speakers, max_speakers, custom_vocabulary, callback_url } = dto;
  const speaker_labels = resolveSpeakerLabels(dto);
  return {
    ...{ model, output_type, word_timestamps, speaker_labels, nltk, filler_words, multichannel, tier },
    ...{ num_speakers, min_speakers, max_speakers },
    ...{ redact: redact?.length === 0 ? null : redact, custom_vocabulary, callback_url },
  };
}

function resolveSpeakerLabels({ speaker_labels, diarize }: JobOptionsDto): boolean | undefined {
  if (speaker_labels !== undefined && diarize !== undefined && speaker_labels !== diarize)
    throw createInvalidFieldError('diarize', 'contradicts speaker_labels, whose alias it is');
  return speaker_labels ?? diarize;
}

function omitUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Partial<T>;
}
