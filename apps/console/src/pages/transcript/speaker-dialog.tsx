import { type FormEvent, useState } from 'react';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError } from '../../components/notice.tsx';
import { useDiscardQuestion } from '../../components/use-discard-question.tsx';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import type { SpeakerNameChanges } from '../../transcript/transcript-changes.ts';
import { describeSpeakerLabel, type TranscriptSpeaker } from '../../transcript/transcript-document.ts';
import { texts } from '../../texts/index.ts';

export interface RejectedSpeakerNameChanges {
  names: SpeakerNameChanges;
  error: unknown;
}

interface SpeakerDialogProps {
  speakers: readonly TranscriptSpeaker[];
  /** Names that could not be saved. */
  rejected: RejectedSpeakerNameChanges | null;
  /** Gets the names that were changed. */
  onSave: (names: SpeakerNameChanges) => void;
  onClose: () => void;
}

export function SpeakerNamesDialog({ speakers, rejected, onSave, onClose }: SpeakerDialogProps) {
  // Other names may be rejected while the dialog is open.
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const names: Record<string, string | null> = {
    ...Object.fromEntries(speakers.map(({ id, name }) => [id, name])),
    ...rejected?.names,
    ...typed,
  };
  const error = rejected?.error;
  const isUnsaved = rejected !== null || Object.keys(typed).length > 0;
  useUnsavedInputGuard(isUnsaved);
  const discard = useDiscardQuestion(isUnsaved, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const changed = speakers.filter(({ id, name }) => (names[id] ?? '').trim() !== (name ?? ''));
    if (changed.length === 0) onClose();
    else onSave(Object.fromEntries(changed.map(({ id }) => [id, names[id]?.trim() || null])));
  };
  return (
    <Dialog title={texts.transcript.speakersTitle} onClose={discard.close}>
      <p className="text-muted">{texts.transcript.speakersText}</p>
      <form className="flex flex-col gap-3" onSubmit={submit}>
        {speakers.map(({ id }) => (
          <TextField
            key={id}
            label={describeSpeakerLabel(id)}
            error={findFieldMessageOfApiError(error, `speakers.${id}`)}
            value={names[id] ?? ''}
            onChange={({ target }) => setTyped({ ...typed, [id]: target.value })}
          />
        ))}
        <ActionErrorNotice error={error} shownFields={speakers.map(({ id }) => `speakers.${id}`)} />
        <DialogActions busy={false} onClose={discard.close}>
          {texts.save}
        </DialogActions>
      </form>
      {discard.dialog}
    </Dialog>
  );
}
