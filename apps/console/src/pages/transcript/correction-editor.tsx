import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ActionErrorNotice } from '../../components/notice.tsx';
import { TextAreaField } from '../../components/field.tsx';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';

interface CorrectionEditorProps {
  original: string;
  correction: string | null;
  /** Null removes the correction. */
  onSave: (text: string | null) => Promise<unknown>;
  onClose: () => void;
}

export function CorrectionEditor({ original, correction, onSave, onClose }: CorrectionEditorProps) {
  const [text, setText] = useState(correction ?? original);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useRef<HTMLFormElement>(null);
  useUnsavedInputGuard(isPending || error !== null || text !== (correction ?? original));
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
      await onSave(changed);
      onClose();
    } catch (failure) {
      setError(failure);
      setPending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A segment is one line.
    const changed = text.replaceAll(/\s+/g, ' ').trim();
    if (changed === (correction ?? original)) onClose();
    else void save(changed === original || changed === '' ? null : changed);
  };
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-2 py-1">
      <TextAreaField
        label={texts.transcript.correction}
        autoFocus
        onKeyDown={({ key, nativeEvent }) => {
          // An input method uses the key for its own list.
          if (key === 'Escape' && !nativeEvent.isComposing) onClose();
        }}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="text-muted text-xs break-words">
        {texts.transcript.original} {original}
      </p>
      <ActionErrorNotice error={error} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={isPending}>
          {texts.save}
        </Button>
        <Button onClick={onClose}>{texts.cancel}</Button>
        {correction !== null && (
          <Button busy={isPending} onClick={() => void save(null)}>
            {texts.transcript.restore}
          </Button>
        )}
      </div>
    </form>
  );
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
