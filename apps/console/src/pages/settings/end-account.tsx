import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { reloadSessionAfterAccountSwitch } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { findFieldMessageOfApiError } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';
import { ReauthenticationDialog } from '../reauthentication-dialog.tsx';

export function EndAccountSection({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={texts.settings.end}>
      <p>{texts.settings.endText}</p>
      <Button look="danger" className="self-start" onClick={() => setOpen(true)}>
        {texts.settings.endAction}
      </Button>
      {isOpen && <EndAccountDialog name={name} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function EndAccountDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [entered, setEntered] = useState('');
  const [isMismatch, setMismatch] = useState(false);
  const end = useMutation({
    mutationFn: (confirmation: { current_password?: string }) =>
      requestJson<void>('POST', 'account/end', { name: entered, ...confirmation }),
    onSuccess: async () => {
      await reloadSessionAfterAccountSwitch(queryClient);
      await navigate({ to: '/', state: { notice: texts.settings.ended(name) } });
    },
  });
  return (
    <ReauthenticationDialog
      title={texts.settings.endTitle(name)}
      action={texts.settings.endSubmit}
      look="danger"
      busy={end.isPending}
      error={end.error}
      fields={['name']}
      onConfirm={(confirmation) => {
        setMismatch(entered !== name);
        if (entered === name) end.mutate(confirmation);
      }}
      onClose={onClose}
    >
      <div>
        <p>{texts.settings.endDeletes}</p>
        <ul className="list-disc pl-5">
          {texts.settings.endEffects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      </div>
      <p>{texts.settings.endStays}</p>
      <p className="break-words">{texts.settings.endConfirm(name)}</p>
      <TextField
        label={texts.settings.confirmName}
        error={
          (isMismatch ? texts.settings.mismatch : undefined) ?? findFieldMessageOfApiError(end.error, 'name')
        }
        autoComplete="off"
        value={entered}
        onChange={(event) => setEntered(event.target.value)}
      />
    </ReauthenticationDialog>
  );
}
