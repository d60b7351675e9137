import { type ReactNode, useState } from 'react';
import { texts } from '../texts/index.ts';
import { ConfirmDialog } from './dialog.tsx';

interface DiscardQuestion {
  /** Closes at once if nothing is lost. */
  close: () => void;
  dialog: ReactNode;
}

/** Asks before a field or a form with unsaved input is closed. */
export function useDiscardQuestion(isUnsaved: boolean, onClose: () => void): DiscardQuestion {
  const [isAsked, setAsked] = useState(false);
  return {
    close: () => (isUnsaved ? setAsked(true) : onClose()),
    dialog: isAsked && (
      <ConfirmDialog
        title={texts.discard.title}
        text={texts.discard.text}
        action={texts.discard.action}
        cancel={texts.discard.stay}
        busy={false}
        error={null}
        onConfirm={onClose}
        onClose={() => setAsked(false)}
      />
    ),
  };
}
