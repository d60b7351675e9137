import type { TranscriptDocument, TranscriptSegment, TranscriptWarning } from '../document.js';
import { joinWords } from '../text/join.js';
import type { AssemblyInput, AssemblyOf, SpeakerTurn } from './input.js';
import { weighLanguages } from './languages.js';
import { dropLoops, type Loop } from './loops.js';
import { meanConfidence, toMillis } from './numbers.js';
import { dropOverSilence, type Invention } from './silence.js';
import { cutSegments, type SentenceStyle, toSegment } from './segments.js';
import { assignSpeakers, listSpeakers, numberSpeakers } from './speakers.js';
import { type FileWord, mergeChunks, type Timeline } from './timeline.js';

const NO_SPEAKERS: TranscriptWarning = {
  code: 'speakers_unavailable',
  message: 'The speakers could not be told apart; the transcript carries no speaker labels.',
  segment_id: null,
};

const NO_SPEECH: TranscriptWarning = {
  code: 'no_speech',
  message: 'No speech was recognised in the recording.',
  segment_id: null,
};

/**
 * The transcript of a file from what the engine heard in its chunks.
 * @throws RangeError when the duration is not a number of seconds
 */
export function assembleTranscript({ chunks, ...input }: AssemblyInput): TranscriptDocument {
  return assembleTimeline(input, mergeChunks(chunks, input.duration));
}

/**
 * As `assembleTranscript`, from a timeline, which is used up: of a long file there is no room for its words twice.
 * @throws RangeError when the duration is not a number of seconds
 */
export function assembleTimeline(input: AssemblyOf, timeline: Timeline): TranscriptDocument {
  if (!Number.isFinite(input.duration) || input.duration < 0) {
    throw new RangeError(`A duration is a number of seconds, not ${input.duration}.`);
  }
  const spoken = dropOverSilence(timeline);
  const { words, loops } = dropLoops(spoken.words);
  const turns = input.options.speaker_labels ? input.turns : null;
  const names = nameSpeakers(words, turns ?? []);
  const segments = cutSegments(words, styleOf(input)).map((group, id) =>
    toSegment(group, id, input.options.word_timestamps),
  );
  const duration = toMillis(input.duration);
  return {
    job_id: input.jobId,
    schema_version: '1.0',
    created_at: input.createdAt,
    model: input.model,
    engine: { ...input.engine },
    duration,
    ...weighLanguages(segments),
    confidence: meanConfidence(words),
    text: joinWords(segments.map((segment) => segment.text)),
    speakers: listSpeakers(names, turns ?? [], input.duration),
    segments,
    warnings: [
      ...input.warnings,
      ...speakerWarnings(input, words),
      ...spoken.inventions.map(inventionWarning),
      ...(words.length === 0 ? [NO_SPEECH] : []),
      ...loops.map((loop) => loopWarning(loop, segmentAt(segments, loop.kept))),
    ],
    options: { ...input.options },
    usage: { seconds: duration },
  };
}

/** Numbers the speakers of the words. @returns their names by the labels of the turns */
function nameSpeakers(words: readonly FileWord[], turns: readonly SpeakerTurn[]): Map<string, string> {
  const labels = assignSpeakers(words, turns);
  const names = numberSpeakers(labels);
  for (const [index, word] of words.entries()) word.speaker = names.get(labels[index] ?? '') ?? null;
  return names;
}

function styleOf({ options, punctuated }: AssemblyOf): SentenceStyle {
  if (!options.nltk) return 'plain';
  return punctuated ? 'marked-by-engine' : 'marked-here';
}

/** Only where someone spoke, and where no earlier stage has said why already. */
function speakerWarnings({ options, turns, warnings }: AssemblyOf, words: readonly FileWord[]) {
  const missing = options.speaker_labels && words.length > 0 && (turns === null || turns.length === 0);
  return missing && !warnings.some((warning) => warning.code === NO_SPEAKERS.code) ? [NO_SPEAKERS] : [];
}

function segmentAt(segments: readonly TranscriptSegment[], kept: FileWord): number | null {
  const index = segments.findIndex(({ end }) => end >= toMillis(kept.end));
  return index === -1 ? null : index;
}

function inventionWarning({ text, start, end }: Invention): TranscriptWarning {
  return {
    code: 'text_over_silence',
    message: `${quoted(text)} was recognised from ${toMillis(start)} s to ${toMillis(end)} s, where nobody speaks, and was dropped.`,
    segment_id: null,
  };
}

/** In marks, and not too long for a message. */
function quoted(text: string): string {
  const characters = [...text];
  return `“${characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : text}”`;
}

function loopWarning({ phrase, times, start, end }: Loop, segment: number | null): TranscriptWarning {
  return {
    code: 'repetition_dropped',
    message: `${quoted(phrase)} was recognised ${times} times in a row; the repeats from ${toMillis(start)} s to ${toMillis(end)} s were dropped.`,
    segment_id: segment,
  };
}
