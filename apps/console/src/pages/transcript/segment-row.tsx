import {
  Fragment,
  memo,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import { formatDurationAsClock } from '../../lib/format.ts';
import { splitSegmentTextAtWords, splitTextAtMatches } from '../../transcript/text-parts.ts';
import type { CorrectionDraft } from '../../transcript/correction-drafts.ts';
import type { TranscriptSegment } from '../../transcript/transcript-document.ts';
import { texts } from '../../texts/index.ts';
import { CorrectionEditor } from './correction-editor.tsx';

/** Words below it are marked. */
const UNCERTAIN_BELOW = 0.5;

export interface SegmentRowProps {
  segment: TranscriptSegment;
  position: number;
  firstWord: number;
  /** Null unless the speaker changes here. */
  speaker: { name: string; color: number } | null;
  correction: string | null;
  /** Offsets of the found text, and whether it is the current match. */
  matches: readonly { from: number; to: number; isCurrent: boolean }[] | null;
  marksUncertain: boolean;
  canEdit: boolean;
  isEditing: boolean;
  onEdit: (position: number, isEdited: boolean) => void;
  /** Whose transcript, for what is typed. */
  userId: string;
  jobId: string;
  /** What was typed before the session ended. */
  draft: CorrectionDraft | null;
  onSave: (position: number, text: string | null, replaces: string | null) => Promise<unknown>;
  onSeek: (seconds: number) => void;
}

const WORD = 'data-sounding:bg-accent data-sounding:text-on-accent cursor-pointer rounded-sm';
const UNCERTAIN_WORD = `${WORD} underline decoration-dotted decoration-2 underline-offset-4`;

/** A sentence, with the name of its speaker where a turn begins. */
export const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const { segment, position, speaker, correction, canEdit, isEditing, onEdit, onSeek } = props;
  const t = texts.transcript;
  const time = formatDurationAsClock(segment.start);
  const [isSaving, setSaving] = useState(false);
  const isEditorShown = isEditing && !isSaving;
  const language = toLanguage(segment);
  const row = useRef<HTMLDivElement>(null);
  const edit = useRef<HTMLButtonElement>(null);
  useFocusAfterEditor(isEditorShown, row, edit);
  const save = async (text: string | null, replaces: string | null) => {
    setSaving(true);
    try {
      await props.onSave(position, text, replaces);
    } finally {
      setSaving(false);
    }
  };
  return (
    <div ref={row} data-segment={position} className="data-sounding:bg-raised rounded-md px-2 py-1">
      {speaker && (
        <h2 className="flex items-center gap-2 pt-3 font-semibold break-words">
          <Swatch color={speaker.color} />
          <span dir="auto" className="min-w-0 break-words">
            {speaker.name}
          </span>
        </h2>
      )}
      <div className="flex items-start gap-2">
        <button
          type="button"
          aria-label={t.seek(time)}
          onClick={() => onSeek(segment.start)}
          className="text-muted hover:text-ink min-h-6 w-14 shrink-0 text-left text-xs tabular-nums"
        >
          {time}
        </button>
        <div className="min-w-0 flex-1">
          {isEditing && (
            <div hidden={isSaving}>
              <CorrectionEditor
                place={{ userId: props.userId, jobId: props.jobId, segment: position }}
                draft={props.draft}
                original={segment.text}
                language={language}
                correction={correction}
                onSave={save}
                onClose={() => onEdit(position, false)}
              />
            </div>
          )}
          {isEditorShown ? null : correction === null ? (
            <p lang={language} dir="auto" className="leading-6 break-words">
              <Words {...props} />
            </p>
          ) : (
            <>
              <p lang={language} dir="auto" className="leading-6 break-words">
                <MarkedText text={correction} matches={props.matches} />{' '}
                <bdi lang={texts.language} className="text-success text-xs font-medium">
                  {t.corrected}
                </bdi>
              </p>
              <p className="text-muted text-xs break-words">
                {t.original}{' '}
                <bdi lang={language}>
                  <Words {...props} matches={null} />
                </bdi>
              </p>
            </>
          )}
        </div>
        {canEdit && !isEditorShown && (
          <button
            ref={edit}
            type="button"
            aria-label={t.editLabel(time)}
            aria-disabled={isSaving || undefined}
            onClick={() => {
              if (!isSaving) onEdit(position, true);
            }}
            className="text-accent min-h-6 shrink-0 px-1 text-xs"
          >
            {t.edit}
          </button>
        )}
      </div>
    </div>
  );
});

/** The field is gone, or hidden while its text is sent. Whoever has gone on to something else stays there. */
function useFocusAfterEditor(
  isEditorShown: boolean,
  row: RefObject<HTMLElement | null>,
  edit: RefObject<HTMLElement | null>,
): void {
  const wasShown = useRef(isEditorShown);
  useEffect(() => {
    const { activeElement, body } = document;
    const isFocusLost = activeElement === body || (row.current?.contains(activeElement) ?? false);
    if (wasShown.current && !isEditorShown && isFocusLost) edit.current?.focus({ preventScroll: true });
    wasShown.current = isEditorShown;
  }, [isEditorShown, row, edit]);
}

const SWATCHES = [
  'bg-speaker-1',
  'bg-speaker-2',
  'bg-speaker-3',
  'bg-speaker-4',
  'bg-speaker-5',
  'bg-speaker-6',
] as const;

function Swatch({ color }: { color: number }) {
  return (
    <span aria-hidden className={`h-3 w-3 shrink-0 rounded-full ${SWATCHES[color % SWATCHES.length]}`} />
  );
}

/** Text first: the elements of the words follow without delaying the scrolling. */
function Words({ segment, firstWord, marksUncertain, matches }: SegmentRowProps) {
  const hasWords = useDeferredValue(true, false);
  if (!hasWords) return segment.text;
  return splitSegmentTextAtWords(segment).map((part) => {
    const content =
      matches === null ? part.text : <MarkedText text={part.text} from={part.from} matches={matches} />;
    if (part.word === null)
      return matches === null ? content : <Fragment key={part.from}>{content}</Fragment>;
    const isMarked = marksUncertain && isUncertain(segment, part.word);
    return (
      <span
        key={part.from}
        data-word={firstWord + part.word}
        className={isMarked ? UNCERTAIN_WORD : WORD}
        title={isMarked ? texts.transcript.uncertain : undefined}
      >
        {content}
      </span>
    );
  });
}

function isUncertain({ words }: TranscriptSegment, word: number): boolean {
  const confidence = words?.[word]?.confidence ?? null;
  return confidence !== null && confidence < UNCERTAIN_BELOW;
}

/** @param from offset of the text in that of the segment */
function MarkedText({
  text,
  from = 0,
  matches,
}: {
  text: string;
  from?: number;
  matches: SegmentRowProps['matches'];
}) {
  let end = from;
  return splitTextAtMatches(text, from, matches ?? []).map((piece) => {
    const key = end;
    end += piece.text.length;
    if (piece.isCurrent === null) return piece.text;
    return (
      <Mark key={key} isCurrent={piece.isCurrent}>
        {piece.text}
      </Mark>
    );
  });
}

function Mark({ isCurrent, children }: { isCurrent: boolean; children: ReactNode }) {
  return (
    <mark
      aria-current={isCurrent || undefined}
      className="bg-match text-ink aria-current:outline-accent rounded-sm aria-current:outline-2"
    >
      {children}
    </mark>
  );
}

function toLanguage({ language }: TranscriptSegment): string | undefined {
  return language ?? undefined;
}
