import { useBlocker } from '@tanstack/react-router';
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
  const words = getUnsavedDataKind() === 'secret' ? texts.uncopied.leaving : texts.unsaved;
  return (
    <ConfirmDialog
      title={words.title}
      text={words.text}
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
  return getUnsavedDataKind() !== null && current.pathname !== next.pathname;
}
