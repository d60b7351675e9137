import {
  SCHEMA_VERSION,
  type TranscriptDocument,
  type TranscriptParagraph,
  type TranscriptSegment,
  type TranscriptTurn,
  type TranscriptWarning,
} from '../transcript-document.js';
import { groupIntoParagraphs, groupIntoTurns, type SegmentGroup } from '../groups/group-segments.js';
import { dropFillersMutatingWords } from '../fillers/drop-fillers.js';
import { redactWords } from '../redact/redact-words.js';
import { stripPunctuationAndSentenceCapitalsInPlace } from '../sentences/strip-punctuation-and-sentence-capitals-in-place.js';
import { joinSentences } from '../text/join-words.js';
import type { AssemblyInput, AssemblyInputWithoutChunks } from './assembly-input.js';
import { dropRepetitionLoops, type RepetitionLoop } from './repetition-loops.js';
import { computeDurationWeightedConfidence, roundToThreeDecimals } from './numbers.js';
import { dropCrosstalkWords } from './crosstalk-words.js';
import { dropHallucinatedWords, type HallucinatedSpan } from './hallucinated-words.js';
import { punctuateInPlaceAndSplitIntoSegments, type PunctuationSource, toSegment } from './segments.js';
import { type ChannelWords, labelSpeakersMutatingWords } from './speakers/label-speakers.js';
import { type TimelineWord, mergeChunksIntoChannelTimelines, type WordTimeline } from './timeline.js';

const SPEAKERS_UNAVAILABLE_WARNING: TranscriptWarning = {
  code: 'speakers_unavailable',
  message: 'The speakers could not be told apart; the transcript carries no speaker labels.',
  segment_id: null,
};

const NO_SPEECH_WARNING: TranscriptWarning = {
  code: 'no_speech',
  message: 'No speech was recognised in the recording.',
  segment_id: null,
};

/** @throws RangeError for an invalid duration */
export function assembleTranscript({ chunks, ...input }: AssemblyInput): TranscriptDocument {
  return assembleTranscriptMutatingTimelines(input, mergeChunksIntoChannelTimelines(chunks, input.duration));
}

/**
 * Changes words of the timelines in place: those of a long file would not fit into memory twice.
 * @param timelines one for each channel that was transcribed
 * @throws RangeError for an invalid duration
 */
export function assembleTranscriptMutatingTimelines(
  input: AssemblyInputWithoutChunks,
  timelines: readonly WordTimeline[],
): TranscriptDocument {
  if (!Number.isFinite(input.duration) || input.duration < 0) {
    throw new RangeError(`A duration is a number of seconds, not ${input.duration}.`);
  }
  const heard = dropWordsOfNobody(timelines).map((recognized) => cleanChannel(recognized, input));
  const turns = input.options.speaker_labels ? input.turns : null;
  const speakers = labelSpeakersMutatingWords(heard, turns ?? [], input.duration);
  const kinds = input.options.redact ?? [];
  const redacts = kinds.length > 0;
  const channels = redacts
    ? heard.map((each) => ({ ...each, words: redactWords(each.words, kinds) }))
    : heard;
  const words = channels.length === 1 ? (channels[0]?.words ?? []) : channels.flatMap((each) => each.words);
  const segments = buildSegments(channels, input);
  const duration = roundToThreeDecimals(input.duration);
  return {
    job_id: input.jobId,
    schema_version: SCHEMA_VERSION,
    created_at: input.createdAt,
    model: input.model,
    engine: { ...input.engine },
    duration,
    ...rankLanguages(segments),
    confidence: computeDurationWeightedConfidence(words),
    text: joinSentences(segments.map((segment) => segment.text)),
    speakers,
    segments,
    turns: turns === null ? [] : groupIntoTurns(segments).map(toTurn),
    paragraphs: groupIntoParagraphs(segments).map(toParagraph),
    warnings: [
      ...input.warnings,
      ...speakerWarnings(input, words),
      ...channels.flatMap(({ hallucinations }) =>
        hallucinations.map((text) => hallucinationWarning(text, redacts)),
      ),
      ...(channels.every(({ isSilent }) => isSilent) ? [NO_SPEECH_WARNING] : []),
      ...channels.flatMap(({ loops }) =>
        loops.map((loop) => loopWarning(loop, findSegmentIndex(segments, loop.lastKeptWord), redacts)),
      ),
    ],
    options: { ...input.options },
    usage: { seconds: duration, credits: input.credits },
  };
}

interface RecognizedChannel extends ChannelWords {
  words: readonly TimelineWord[];
  hallucinations: HallucinatedSpan[];
}

/** Drops what nobody said on the channel. */
function dropWordsOfNobody(timelines: readonly WordTimeline[]): RecognizedChannel[] {
  const recognized = timelines.map(({ words, speech, channel }) => ({
    ...dropHallucinatedWords({ words, speech }),
    ...{ speech, channel },
  }));
  const own = dropCrosstalkWords(recognized);
  return recognized.map(({ channel, hallucinations }, index) => ({
    ...{ channel, hallucinations },
    words: own[index] ?? [],
  }));
}

interface CleanedChannel extends ChannelWords {
  words: readonly TimelineWord[];
  /** Nothing was said, hesitations included. */
  isSilent: boolean;
  hallucinations: HallucinatedSpan[];
  loops: RepetitionLoop[];
}

/** Drops what nobody said so often and what nobody wants to read. */
function cleanChannel(
  { channel, words: recognized, hallucinations }: RecognizedChannel,
  { options, punctuated }: AssemblyInputWithoutChunks,
): CleanedChannel {
  const { words: unrepeated, loops } = dropRepetitionLoops(recognized);
  const spoken =
    !options.nltk && punctuated ? stripPunctuationAndSentenceCapitalsInPlace(unrepeated) : unrepeated;
  const words = options.filler_words === false ? dropFillersMutatingWords(spoken) : spoken;
  return { channel, words, isSilent: spoken.length === 0, hallucinations, loops };
}

/** The sentences of each channel stay whole; of all channels they are in order of their start. */
function buildSegments(
  channels: readonly ChannelWords[],
  input: AssemblyInputWithoutChunks,
): TranscriptSegment[] {
  const source = choosePunctuationSource(input);
  const groups = channels.flatMap(({ words }) => punctuateInPlaceAndSplitIntoSegments(words, source));
  if (channels.length > 1) groups.sort((a, b) => (a[0]?.start ?? 0) - (b[0]?.start ?? 0));
  return groups.map((group, id) => toSegment(group, id, input.options.word_timestamps));
}

function choosePunctuationSource({ options, punctuated }: AssemblyInputWithoutChunks): PunctuationSource {
  if (!options.nltk) return 'none';
  return punctuated ? 'engine' : 'added';
}

function toTurn(segments: SegmentGroup): TranscriptTurn {
  const [first] = segments;
  const last = segments.at(-1) ?? first;
  return {
    start: first.start,
    end: last.end,
    text: joinSentences(segments.map((segment) => segment.text)),
    speaker: first.speaker,
    first_segment: first.id,
    last_segment: last.id,
  };
}

function toParagraph(segments: SegmentGroup): TranscriptParagraph {
  return { ...toTurn(segments), language: segments[0].language };
}

/** Adds a warning only if there are words and no earlier stage has added it. */
function speakerWarnings(
  { options, turns, warnings }: AssemblyInputWithoutChunks,
  words: readonly TimelineWord[],
) {
  const missing = options.speaker_labels && words.length > 0 && (turns === null || turns.length === 0);
  return missing && !warnings.some((warning) => warning.code === SPEAKERS_UNAVAILABLE_WARNING.code)
    ? [SPEAKERS_UNAVAILABLE_WARNING]
    : [];
}

function findSegmentIndex(segments: readonly TranscriptSegment[], kept: TimelineWord): number | null {
  const index = segments.findIndex(
    ({ end, channel }) => channel === kept.channel && end >= roundToThreeDecimals(kept.end),
  );
  return index === -1 ? null : index;
}

/** @param redacts whether words may not be repeated */
function hallucinationWarning({ text, start, end }: HallucinatedSpan, redacts: boolean): TranscriptWarning {
  return {
    code: 'text_over_silence',
    message: `${redacts ? 'A text' : quote(text)} was recognised from ${roundToThreeDecimals(start)} s to ${roundToThreeDecimals(end)} s, where nobody speaks, and was dropped.`,
    segment_id: null,
  };
}

function quote(text: string): string {
  const characters = [...text];
  return `“${characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : text}”`;
}

function loopWarning(
  { phrase, repetitions: times, start, end }: RepetitionLoop,
  segment: number | null,
  redacts: boolean,
): TranscriptWarning {
  return {
    code: 'repetition_dropped',
    message: `${redacts ? 'A phrase' : quote(phrase)} was recognised ${times} times in a row; the repeats from ${roundToThreeDecimals(start)} s to ${roundToThreeDecimals(end)} s were dropped.`,
    segment_id: segment,
  };
}

/** Orders languages by spoken time, longest first; those of equal time by which was spoken first. */
function rankLanguages(segments: readonly TranscriptSegment[]): {
  language: string | null;
  languages: string[];
} {
  const seconds = new Map<string, number>();
  for (const { language, start, end } of segments) {
    if (language !== null) seconds.set(language, (seconds.get(language) ?? 0) + end - start);
  }
  const languages = [...seconds].toSorted(([, a], [, b]) => b - a).map(([language]) => language);
  return { language: languages[0] ?? null, languages };
}
