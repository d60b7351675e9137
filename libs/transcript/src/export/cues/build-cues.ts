import type { TranscriptDocument, TranscriptSegment } from '../../transcript-document.js';
import { buildSegmentsWithSpeakerNames } from '../../speaker-names/speaker-names.js';
import { needsSpaceBetweenSentences } from '../../text/join-words.js';
import { isRightToLeft } from '../text-direction.js';
import { chooseCueBreaks, extendCueTimesAndConvertToMillis } from './choose-cue-breaks.js';
import type { Cue } from './cue.js';
import { breakCaptionLines } from './break-caption-lines.js';
import { type CaptionLayout, DEFAULT_CAPTION_LAYOUT } from './caption-layout.js';
import { type CueToken, toCueTokens } from './cue-token.js';
import { addSpeakerLabel } from './speaker-label.js';

export interface CueOptions {
  /** Formats without voice tags have them. */
  hasSpeakerLabels: boolean;
  layout?: CaptionLayout | undefined;
}

/** Tokens of one speaker that follow each other; the same of one cue. */
interface SpeakerRun {
  speaker: string | null;
  language: string | null;
  tokens: readonly CueToken[];
}

/** Segments with a longer gap between them do not share a cue. */
const MAX_GAP_SECONDS = 1.5;

/** Subtitles of the layout, 1 to 7 s long if the speech allows. */
export function buildCues(
  document: TranscriptDocument,
  { hasSpeakerLabels, layout = DEFAULT_CAPTION_LAYOUT }: CueOptions,
): Cue[] {
  const labelLayout = hasSpeakerLabels ? layout : null;
  const runs = groupBySpeaker(buildSegmentsWithSpeakerNames(document), labelLayout);
  const drafts = runs.flatMap((run, index) =>
    divideIntoCues(run, runs[index + 1]?.tokens[0]?.start ?? document.duration, layout),
  );
  // People on different channels may talk at once.
  drafts.sort((a, b) => startOf(a) - startOf(b));
  const labelled = hasSpeakerLabels ? labelInterruptedSpeakers(drafts, document.duration, layout) : drafts;
  return extendCueTimesAndConvertToMillis(
    labelled.map((draft) => toDraftCue(draft, layout)),
    document.duration,
  );
}

const startOf = ({ tokens }: SpeakerRun): number => tokens[0]?.start ?? 0;

/** @param until end of the last cue at the latest, in seconds */
function divideIntoCues(run: SpeakerRun, until: number, layout: CaptionLayout): SpeakerRun[] {
  const ends = chooseCueBreaks(run.tokens, until, layout);
  return ends.map((end, at) => ({ ...run, tokens: run.tokens.slice(ends[at - 1] ?? 0, end) }));
}

/** @param labelLayout null without labels */
function groupBySpeaker(
  segments: readonly TranscriptSegment[],
  labelLayout: CaptionLayout | null,
): SpeakerRun[] {
  const runs: (SpeakerRun & { tokens: CueToken[] })[] = [];
  for (const segment of segments) {
    const { speaker, language } = segment;
    const tokens = toCueTokens(segment);
    const [first] = tokens;
    if (!first) continue;
    const current = runs.at(-1);
    if (current && continuesRun(current, segment, first)) {
      appendTokens(current.tokens, tokens, first);
      continue;
    }
    const labelled =
      labelLayout === null || current?.speaker === speaker
        ? null
        : addSpeakerLabel(speaker, current?.speaker ?? null, tokens, labelLayout);
    runs.push({ speaker, language, tokens: labelled ?? tokens });
  }
  return runs;
}

function continuesRun(run: SpeakerRun, { speaker, language }: TranscriptSegment, first: CueToken): boolean {
  const end = run.tokens.at(-1)?.end ?? 0;
  return run.speaker === speaker && run.language === language && first.start - end < MAX_GAP_SECONDS;
}

function appendTokens(to: CueToken[], tokens: readonly CueToken[], first: CueToken): void {
  const before = to.at(-1);
  to.push({
    ...first,
    hasSpaceBefore: before !== undefined && needsSpaceBetweenSentences(before.text, first.text),
  });
  for (const piece of tokens.slice(1)) to.push(piece);
}

/**
 * Names the speaker again in the first cue after one of somebody who talked meanwhile. A cue that gets too long is divided.
 * @param drafts by their starts
 */
function labelInterruptedSpeakers(
  drafts: readonly SpeakerRun[],
  duration: number,
  layout: CaptionLayout,
): SpeakerRun[] {
  const labelled: SpeakerRun[] = [];
  const open = drafts.toReversed();
  for (let draft = open.pop(); draft; draft = open.pop()) {
    const before = labelled.at(-1);
    const isClear = !before || before.speaker === draft.speaker || draft.tokens[0]?.isLabel;
    const tokens = isClear ? null : addSpeakerLabel(draft.speaker, before.speaker, draft.tokens, layout);
    if (tokens === null) {
      labelled.push(draft);
      continue;
    }
    const next = open.at(-1);
    const until = next ? startOf(next) : duration;
    const [first, ...others] = divideIntoCues({ ...draft, tokens }, until, layout);
    if (first) labelled.push(first);
    for (const other of others) insertByStart(open, other);
  }
  return labelled;
}

/** @param open the earliest last */
function insertByStart(open: SpeakerRun[], draft: SpeakerRun): void {
  const at = open.findLastIndex((other) => startOf(other) > startOf(draft));
  open.splice(at + 1, 0, draft);
}

function toDraftCue({ tokens, speaker, language }: SpeakerRun, layout: CaptionLayout): Cue {
  const spoken = tokens.filter(({ isLabel }) => !isLabel);
  return {
    start: tokens[0]?.start ?? 0,
    end: tokens.at(-1)?.end ?? 0,
    lines: breakCaptionLines(tokens, layout),
    speaker,
    rightToLeft: isRightToLeft(spoken.map(({ text }) => text).join(' '), language),
  };
}
