import { useBlocker } from '@tanstack/react-router';
import { hasUnsavedInput } from '../lib/unsaved-input.ts';
import { texts } from '../texts/index.ts';
import { ConfirmDialog } from './dialog.tsx';

/** Asks before a page with unsaved input is left, by a link, the history or the browser. */
export function LeaveGuard() {
  const leaving = useBlocker({
    shouldBlockFn: isPageLeftWithUnsavedInput,
    enableBeforeUnload: hasUnsavedInput,
    withResolver: true,
  });
  if (leaving.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={texts.unsaved.title}
      text={texts.unsaved.text}
      action={texts.unsaved.leave}
      cancel={texts.unsaved.stay}
      busy={false}
      error={null}
      onConfirm={leaving.proceed}
      onClose={leaving.reset}
    />
  );
}

function isPageLeftWithUnsavedInput({
  current,
  next,
}: Record<'current' | 'next', { pathname: string }>): boolean {
  return hasUnsavedInput() && current.pathname !== next.pathname;
}
