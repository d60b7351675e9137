import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import { ActionErrorNotice } from './notice.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Whether Escape closes it: not while it shows what is shown once. */
  closesOnEscape?: boolean;
  children: ReactNode;
}

/** The browser's own modal dialog: it keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, closesOnEscape = true, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect ends before the element is removed, so that closing gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Otherwise the first of all controls has the focus, such as a text to copy above the field.
    element?.querySelector<HTMLElement>('input:not([readonly], [type=hidden])')?.focus();
    return () => {
      // A question in it that is removed with it ends later: until then nothing else can have the focus.
      element?.querySelector<HTMLDialogElement>('dialog[open]')?.close();
      element?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        // Of another dialog in this one, or of a field for files.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (closesOnEscape) onClose();
      }}
      // Browsers close a dialog at the second Escape, whatever the page does at the first.
      onClose={({ target, currentTarget }) => {
        if (target !== currentTarget || currentTarget.open || !currentTarget.isConnected) return;
        currentTarget.showModal();
        if (closesOnEscape) onClose();
      }}
      className="border-line bg-surface text-ink m-auto w-[min(30rem,calc(100vw-2rem))] rounded-lg border p-5 shadow-lg"
    >
      <div className="flex flex-col gap-4">
        <h2 id={id} className="text-lg font-semibold wrap-anywhere">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmDialogProps {
  title: string;
  text: string;
  action: string;
  cancel?: string;
  /** Danger, unless nothing is lost. */
  look?: 'primary' | 'danger';
  busy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({
  title,
  text,
  action,
  cancel,
  look = 'danger',
  busy,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <ActionErrorNotice error={error} />
      <DialogActions cancel={cancel} look={look} busy={busy} onConfirm={onConfirm} onClose={onClose}>
        {action}
      </DialogActions>
    </Dialog>
  );
}

interface DialogActionsProps {
  cancel?: string | undefined;
  look?: 'primary' | 'danger';
  busy: boolean;
  /** Nor can it be cancelled while it is busy: the response is shown once. */
  keepsAnswer?: boolean;
  /** Without it the button submits the form of the dialog. */
  onConfirm?: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Cancel, and the button that does what the dialog is about. */
export function DialogActions({
  cancel = texts.cancel,
  look = 'primary',
  busy,
  keepsAnswer = false,
  onConfirm,
  onClose,
  children,
}: DialogActionsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button busy={busy && keepsAnswer} onClick={onClose}>
        {cancel}
      </Button>
      <Button type={onConfirm ? 'button' : 'submit'} look={look} busy={busy} onClick={onConfirm}>
        {children}
      </Button>
    </div>
  );
}
