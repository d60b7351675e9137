import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { ErrorNotice, getFieldErrorMessage } from '../../components/notice.tsx';
import { describeSpeakerLabel, type TranscriptSpeaker } from '../../transcript/transcript-document.ts';
import { saveSpeakerNames } from '../../transcript/transcript-queries.ts';
import { texts } from '../../texts/index.ts';

interface SpeakerDialogProps {
  jobId: string;
  speakers: readonly TranscriptSpeaker[];
  onSaved: (names: Record<string, string | null>) => void;
  onClose: () => void;
}

export function SpeakerNamesDialog({ jobId, speakers, onSaved, onClose }: SpeakerDialogProps) {
  const [names, setNames] = useState<Record<string, string>>(() =>
    Object.fromEntries(speakers.map(({ id, name }) => [id, name ?? ''])),
  );
  const save = useMutation({
    mutationFn: () => {
      const changed = speakers.filter(({ id, name }) => (names[id] ?? '').trim() !== (name ?? ''));
      return saveSpeakerNames(
        jobId,
        Object.fromEntries(changed.map(({ id }) => [id, names[id]?.trim() || null])),
      );
    },
    onSuccess: ({ speakers: saved }) => {
      onSaved(saved);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <Dialog title={texts.transcript.speakersTitle} onClose={onClose}>
      <p className="text-muted">{texts.transcript.speakersText}</p>
      <form className="flex flex-col gap-3" onSubmit={submit}>
        {speakers.map(({ id }) => (
          <TextField
            key={id}
            label={describeSpeakerLabel(id)}
            error={getFieldErrorMessage(save.error, `speakers.${id}`)}
            value={names[id] ?? ''}
            onChange={({ target }) => setNames({ ...names, [id]: target.value })}
          />
        ))}
        <ErrorNotice error={save.error} shownFields={speakers.map(({ id }) => `speakers.${id}`)} />
        <DialogActions busy={save.isPending} onClose={onClose}>
          {texts.save}
        </DialogActions>
      </form>
    </Dialog>
  );
}
