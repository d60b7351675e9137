import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { getUnsavedDataKind } from '../lib/unsaved-input.ts';
import { texts } from '../texts/index.ts';
import { ConfirmDialog } from './dialog.tsx';

/** Asks before a page with unsaved input is left, by a link, the history or the browser. */
export function LeaveGuard() {
  const leaving = useBlocker({
    shouldBlockFn: isPageLeftWithUnsavedInput,
    enableBeforeUnload: () => getUnsavedDataKind() !== null,
    withResolver: true,
  });
  if (leaving.status !== 'blocked') return null;
  return <LeaveDialog onLeave={leaving.proceed} onStay={leaving.reset} />;
}

interface LeaveQuestion {
  /** Calls `leave` at once if nothing is lost. */
  askBefore: (leave: () => void) => void;
  dialog: ReactNode;
}

/** The question of `LeaveGuard`, before a request that the page cannot stay after, such as a switch of the account. */
export function useLeaveQuestion(): LeaveQuestion {
  const [asked, setAsked] = useState<{ leave: () => void } | null>(null);
  return {
    askBefore: (leave) => {
      if (getUnsavedDataKind() === null) leave();
      else setAsked({ leave });
    },
    dialog: asked && (
      <LeaveDialog
        onLeave={() => {
          setAsked(null);
          asked.leave();
        }}
        onStay={() => setAsked(null)}
      />
    ),
  };
}

function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const words = getUnsavedDataKind() === 'secret' ? texts.uncopied.leaving : texts.unsaved;
  return (
    <ConfirmDialog
      title={words.title}
      text={words.text}
      action={texts.unsaved.leave}
      cancel={texts.unsaved.stay}
      busy={false}
      error={null}
      onConfirm={onLeave}
      onClose={onStay}
    />
  );
}

function isPageLeftWithUnsavedInput({
  current,
  next,
}: Record<'current' | 'next', { pathname: string }>): boolean {
  return getUnsavedDataKind() !== null && current.pathname !== next.pathname;
}
