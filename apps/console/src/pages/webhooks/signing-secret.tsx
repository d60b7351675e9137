import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { webhookEndpointsQueryOptions } from '../../api/webhooks.ts';
import type { ConsoleApiSchema } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { SelectField } from '../../components/field.tsx';
import { ActionErrorNotice, Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';

const words = texts.webhooks.secret;
const DEFAULT_OVERLAP_HOURS = 24;

export function SigningSecretSection({ accountId, mayRotate }: { accountId: string; mayRotate: boolean }) {
  const { data } = useQuery(webhookEndpointsQueryOptions(accountId));
  const [secret, setSecret] = useState<string | null>(null);
  const [isRotating, setRotating] = useState(false);
  const [rotated, setRotated] = useState<{ lacksOverlap: boolean } | null>(null);
  // Not a query: the secret stays out of the cache.
  const reveal = useMutation({
    mutationFn: () => requestJson<ConsoleApiSchema<'SigningSecretResponse'>>('POST', 'signing-secret/reveal'),
    gcTime: 0,
    onSuccess: (answer) => setSecret(answer.secret),
  });
  return (
    <Section
      title={words.title}
      actions={
        <div className="flex flex-wrap gap-2">
          <Button
            busy={reveal.isPending}
            onClick={() => (secret === null ? reveal.mutate() : setSecret(null))}
          >
            {secret === null ? words.reveal : words.hide}
          </Button>
          {mayRotate && <Button onClick={() => setRotating(true)}>{words.rotate}</Button>}
        </div>
      }
    >
      <p className="text-muted">{words.intro}</p>
      <ActionErrorNotice error={reveal.error} />
      {rotated && <Notice kind="success">{words.rotated}</Notice>}
      {rotated?.lacksOverlap && <Notice>{words.withoutOverlap}</Notice>}
      {data && data.previous_secret_until !== null && (
        <p>
          {words.previousUntil} <Time value={data.previous_secret_until} />.
        </p>
      )}
      {secret !== null && <CopyField label={words.label} value={secret} />}
      {isRotating && (
        <RotateDialog
          accountId={accountId}
          onRotated={(created, lacksOverlap) => {
            setSecret(created);
            setRotated({ lacksOverlap });
            setRotating(false);
          }}
          onClose={() => setRotating(false)}
        />
      )}
    </Section>
  );
}

interface RotateDialogProps {
  accountId: string;
  onRotated: (secret: string, lacksOverlap: boolean) => void;
  onClose: () => void;
}

function RotateDialog({ accountId, onRotated, onClose }: RotateDialogProps) {
  const queryClient = useQueryClient();
  const [hours, setHours] = useState(DEFAULT_OVERLAP_HOURS);
  const rotate = useMutation({
    mutationFn: () =>
      requestJson<ConsoleApiSchema<'RotatedSigningSecretResponse'>>('POST', 'signing-secret/rotate', {
        overlap_hours: hours,
      }),
    gcTime: 0,
    onSuccess: async ({ secret, previous_until }) => {
      await queryClient.invalidateQueries(webhookEndpointsQueryOptions(accountId));
      onRotated(secret, hours > 0 && previous_until === null);
    },
  });
  useUnsavedInputGuard(rotate.isPending, 'secret');
  return (
    <Dialog title={words.rotateTitle} closesOnEscape={!rotate.isPending} onClose={onClose}>
      <p>{words.rotateText}</p>
      <SelectField
        label={words.overlap}
        value={hours}
        onChange={(event) => setHours(Number(event.target.value))}
      >
        {Object.entries(words.overlaps).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <ActionErrorNotice error={rotate.error} />
      <DialogActions
        keepsAnswer
        look="danger"
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={onClose}
      >
        {words.rotate}
      </DialogActions>
    </Dialog>
  );
}
