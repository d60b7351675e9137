import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ActionErrorNotice, Notice } from '../../components/notice.tsx';
import { TextAreaField } from '../../components/field.tsx';
import { useDiscardQuestion } from '../../components/use-discard-question.tsx';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';
import {
  type CorrectionDraft,
  type CorrectionDraftKey,
  useRegisterCorrectionDraft,
} from '../../transcript/correction-drafts.ts';

interface CorrectionEditorProps {
  place: CorrectionDraftKey;
  original: string;
  /** The language of the segment; undefined if it is unknown. */
  language: string | undefined;
  /** As the service has it now: others may change it while the editor is open. */
  correction: string | null;
  /** What was typed before the session ended. */
  draft: CorrectionDraft | null;
  /** Null is the original; `replaces` is the correction that the person has seen. */
  onSave: (text: string | null, replaces: string | null) => Promise<unknown>;
  onClose: () => void;
}

export function CorrectionEditor({
  place,
  original,
  language,
  correction,
  draft,
  onSave,
  onClose,
}: CorrectionEditorProps) {
  const t = texts.transcript;
  const [seen] = useState(draft === null ? correction : draft.seen);
  const [text, setText] = useState(draft?.text ?? seen ?? original);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isEmpty, setEmpty] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isChanged = text !== (seen ?? original);
  const discard = useDiscardQuestion(isChanged, onClose);
  const line = toOneLine(text);
  // The same text is no difference; while it is being saved, the row shows it already.
  const hasConflict = correction !== seen && (correction ?? original) !== line && !isPending;
  useUnsavedInputGuard(isPending || error !== null || isChanged);
  useRegisterCorrectionDraft(place, isChanged ? { text, seen } : null);
  useEffect(() => keepInView(form.current), []);
  // It was hidden while the text was sent.
  useEffect(() => {
    if (error !== null) form.current?.querySelector('textarea')?.focus();
  }, [error]);
  const save = async (changed: string | null) => {
    if (isPending) return;
    setPending(true);
    setError(null);
    try {
      // If it is not the one that was seen first, the conflict shows it.
      await onSave(changed, correction);
      onClose();
    } catch (failure) {
      setError(failure);
      setPending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setEmpty(line === '');
    if (line === '') return;
    if (line === (correction ?? original) || (!isChanged && !hasConflict)) onClose();
    else void save(line === original ? null : line);
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    // An input method uses the key for its own list.
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    // Otherwise the same key closes the question.
    event.preventDefault();
    discard.close();
  };
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-2 py-1">
      <TextAreaField
        label={t.correction}
        error={isEmpty ? (correction === null ? t.emptyText : t.emptyCorrection) : undefined}
        autoFocus
        lang={language}
        dir="auto"
        onKeyDown={closeOnEscape}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setEmpty(false);
        }}
      />
      <p className="text-muted text-xs wrap-anywhere">
        {t.original} <bdi lang={language}>{original}</bdi>
      </p>
      {hasConflict ? (
        <Notice kind="error">
          <p className="font-semibold">{t.changedMeanwhile}</p>
          <p className="wrap-anywhere">
            {correction === null ? t.restoredMeanwhile : t.theirs}{' '}
            <bdi lang={language}>{correction ?? original}</bdi>
          </p>
        </Notice>
      ) : (
        <ActionErrorNotice error={error} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={isPending}>
          {hasConflict ? t.saveMine : texts.save}
        </Button>
        <Button onClick={hasConflict ? onClose : discard.close}>
          {hasConflict ? t.keepTheirs : texts.cancel}
        </Button>
        {correction !== null && (
          <Button busy={isPending} onClick={() => void save(null)}>
            {t.restore}
          </Button>
        )}
      </div>
      {discard.dialog}
    </form>
  );
}

/** A segment is one line. */
function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** So many frames after a change of its height, because the list gives the row its new height some frames later. */
const SCROLLED_FRAMES = 10;

function keepInView(form: HTMLFormElement | null): (() => void) | undefined {
  if (!form) return undefined;
  let frame = 0;
  const scroll = (left: number) => {
    form.scrollIntoView({ block: 'nearest' });
    if (left > 0) frame = requestAnimationFrame(() => scroll(left - 1));
  };
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => scroll(SCROLLED_FRAMES));
  });
  observer.observe(form);
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}
