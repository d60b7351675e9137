import type { JobOptions } from '@app/jobs';
import { ANY_NUMBER_OF_SPEAKERS, type SpeakerCountLimits } from '@app/speech';

/** What the caller says about the number of speakers. Options of older versions have no limits. */
export function toSpeakerLimits({
  num_speakers: exact,
  min_speakers: min,
  max_speakers: max,
}: Pick<JobOptions, 'num_speakers' | 'min_speakers' | 'max_speakers'>): SpeakerCountLimits {
  return {
    min: exact ?? min ?? ANY_NUMBER_OF_SPEAKERS.min,
    max: exact ?? max ?? ANY_NUMBER_OF_SPEAKERS.max,
  };
}
