import { type ReactNode, useState } from 'react';
import { useUnsavedInputGuard } from '../lib/unsaved-input.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import { CopyField } from './copy-field.tsx';
import { ConfirmDialog, Dialog } from './dialog.tsx';

interface ShownOnceDialogProps {
  title: string;
  label: string;
  value: string;
  done: string;
  onClose: () => void;
  children: ReactNode;
}

/** Shows a key or a link that the service does not show again, and asks before it is closed without having been copied. */
export function ShownOnceDialog({ title, label, value, done, onClose, children }: ShownOnceDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [isAsked, setAsked] = useState(false);
  useUnsavedInputGuard(!isCopied, 'secret');
  const close = () => (isCopied ? onClose() : setAsked(true));
  return (
    <Dialog title={title} onClose={close}>
      {children}
      <CopyField label={label} value={value} onCopied={() => setCopied(true)} />
      <Button look="primary" className="self-end" onClick={close}>
        {done}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={texts.uncopied.title}
          text={texts.uncopied.text}
          action={texts.uncopied.close}
          cancel={texts.uncopied.stay}
          busy={false}
          error={null}
          onConfirm={onClose}
          onClose={() => setAsked(false)}
        />
      )}
    </Dialog>
  );
}
