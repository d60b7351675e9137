import type { AudioSummary, ChunkOutput, JobOptions } from '@app/jobs';
import type { TranscriptWarning } from '@app/transcript';
import type { EngineCapabilities } from '@app/speech';

/** @param duration seconds that were decoded */
export function buildAudioFileWarnings(
  { declaredSize, storedSize, declaredSeconds, damagedSeconds, multichannel: isApart }: AudioSummary,
  duration: number,
  { multichannel }: Pick<JobOptions, 'multichannel'>,
): TranscriptWarning[] {
  const warnings: TranscriptWarning[] = [];
  if (declaredSize !== null && storedSize !== null && storedSize < declaredSize)
    warnings.push({
      code: 'upload_smaller_than_declared',
      message: `${storedSize} of ${declaredSize} declared bytes were uploaded.`,
      segment_id: null,
    });
  if (declaredSeconds !== null)
    warnings.push({
      code: 'audio_truncated',
      message: `The file declares a length of ${declaredSeconds.toFixed(2)} s; ${duration.toFixed(2)} s of audio could be decoded.`,
      segment_id: null,
    });
  if (damagedSeconds !== null)
    warnings.push({
      code: 'audio_damaged',
      message: `${damagedSeconds.toFixed(2)} s within the file could not be decoded. They count as silence.`,
      segment_id: null,
    });
  if (multichannel === true && isApart === false)
    warnings.push({
      code: 'single_channel',
      message:
        'No channels were transcribed apart: that takes a recording of two channels, and this one has fewer or more.',
      segment_id: null,
    });
  return warnings;
}

export function buildEngineWarnings(
  { word_timestamps: wanted }: Pick<JobOptions, 'word_timestamps'>,
  chunks: readonly Pick<ChunkOutput, 'timesEstimated' | 'doubtedWords'>[],
): TranscriptWarning[] {
  const warnings: TranscriptWarning[] = [];
  if (wanted && chunks.some(({ timesEstimated }) => timesEstimated))
    warnings.push({
      code: 'word_times_estimated',
      message: 'The engine returns no word times; they were estimated from the times of longer segments.',
      segment_id: null,
    });
  const doubted = chunks.reduce((sum, { doubtedWords }) => sum + (doubtedWords ?? 0), 0);
  if (doubted > 0)
    warnings.push({
      code: 'text_doubted',
      message: `${doubted} words with low confidence were removed.`,
      segment_id: null,
    });
  return warnings;
}

/** @param found speakers of the transcript; 0 if they could not be distinguished, which has a warning of its own */
export function buildSpeakerCountWarnings(
  options: Pick<JobOptions, 'num_speakers' | 'min_speakers' | 'max_speakers'>,
  found: number,
): TranscriptWarning[] {
  const isMet = {
    num_speakers: (wanted: number) => found === wanted,
    min_speakers: (wanted: number) => found >= wanted,
    max_speakers: (wanted: number) => found <= wanted,
  };
  for (const name of ['num_speakers', 'min_speakers', 'max_speakers'] as const) {
    const wanted = options[name];
    if (typeof wanted !== 'number' || found === 0 || isMet[name](wanted)) continue;
    const speakers = found === 1 ? '1 speaker was' : `${found} speakers were`;
    const message = `${name} is ${wanted}, but ${speakers} found.`;
    return [{ code: 'speaker_count', message, segment_id: null }];
  }
  return [];
}

export function buildVocabularyWarnings(
  { custom_vocabulary: terms }: Pick<JobOptions, 'custom_vocabulary'>,
  { vocabulary }: Pick<EngineCapabilities, 'vocabulary'>,
  chunks: readonly Pick<ChunkOutput, 'unusedTerms' | 'languagesWithoutVocabulary'>[],
): TranscriptWarning[] {
  if (terms === null || terms.length === 0) return [];
  if (!vocabulary) {
    const message = 'The engine does not support a custom vocabulary; the terms were not used.';
    return [{ code: 'vocabulary_unavailable', message, segment_id: null }];
  }
  const unused = Math.max(0, ...chunks.map(({ unusedTerms }) => unusedTerms ?? 0));
  if (unused === 0) return [];
  const languages = chunks
    .filter(({ unusedTerms }) => unusedTerms === unused)
    .flatMap(({ languagesWithoutVocabulary }) => languagesWithoutVocabulary ?? []);
  const reason =
    languages.length > 0
      ? `the engine does not take them, and words are not corrected in ${describeLanguages(languages)}`
      : 'the engine does not know their pronunciation, or they are too long or too many for it';
  const message = `${unused} of ${terms.length} terms of the custom vocabulary were not used: ${reason}.`;
  return [{ code: 'vocabulary_partial', message, segment_id: null }];
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

function describeLanguages(tags: readonly (string | null)[]): string {
  const names = tags.map((tag) => (tag === null ? 'an unknown language' : nameLanguage(tag)));
  return new Intl.ListFormat('en').format(new Set(names));
}

function nameLanguage(tag: string): string {
  try {
    return LANGUAGE_NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
