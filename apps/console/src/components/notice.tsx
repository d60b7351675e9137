import type { ReactNode } from 'react';
import { ApiError, NoResponseError } from '../api/client.ts';
import { describeFieldError, findFieldErrorMessage } from '../lib/field-error.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';

export function Notice({
  kind = 'info',
  children,
}: {
  kind?: 'info' | 'error' | 'success';
  children: ReactNode;
}) {
  const style = {
    info: 'border-line bg-raised',
    error: 'border-danger bg-danger-soft',
    success: 'border-success bg-success-soft',
  }[kind];
  return (
    <div role={kind === 'error' ? 'alert' : 'status'} className={`rounded-md border px-3 py-2 ${style}`}>
      {children}
    </div>
  );
}

const NO_FIELDS: readonly string[] = [];

/** An error of a form or a button, without what the fields show. */
export function ActionErrorNotice({
  error,
  shownFields = NO_FIELDS,
}: {
  error: unknown;
  shownFields?: readonly string[];
}) {
  if (!error) return null;
  if (error instanceof ApiError && error.fields.length > 0) {
    const others = error.fields.filter(({ field }) => !shownFields.includes(field));
    if (others.length === 0) return null;
    return <Notice kind="error">{others.map(describeFieldError).join(' ')}</Notice>;
  }
  const { title, text } = toErrorTitleAndText(error, texts.errors.actionTitle);
  return (
    <Notice kind="error">
      <strong className="font-semibold">{title}.</strong> {text}
    </Notice>
  );
}

/** In place of data that could not be loaded. */
export function LoadErrorNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { title, text } = toErrorTitleAndText(error);
  return (
    <Notice kind="error">
      <p className="font-semibold">{title}</p>
      <p>{text}</p>
      {error instanceof ApiError && error.requestId !== null && (
        <p className="text-muted mt-1 text-xs break-all">{texts.requestId(error.requestId)}</p>
      )}
      {!isFinalError(error) && (
        <Button className="mt-2" onClick={onRetry}>
          {texts.retry}
        </Button>
      )}
    </Notice>
  );
}

/** Whether the same request gets the same answer again. */
function isFinalError(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 422].includes(error.status);
}

/** @param otherwise the title of an error without one of its own */
export function toErrorTitleAndText(
  error: unknown,
  otherwise: string = texts.errors.title,
): { title: string; text: string } {
  const t = texts.errors;
  if (error instanceof NoResponseError) return { title: t.offlineTitle, text: error.message };
  if (!(error instanceof ApiError)) return { title: otherwise, text: t.crash };
  const { status, message, retryAfterSeconds: seconds } = error;
  const retry = seconds === null ? null : t.retryIn(seconds);
  // The message of a rate limit says when to try again, that of a limit on concurrent requests does not.
  const parts = message.includes('Try again') ? [message] : [message, retry];
  if (status === 429) return { title: t.tooManyTitle, text: parts.filter(Boolean).join(' ') };
  if (status === 403) return { title: t.forbiddenTitle, text: message };
  if (status === 404) return { title: t.notThereTitle, text: message };
  if ([502, 503, 504].includes(status)) return { title: t.busyTitle, text: retry ?? t.retrySoon };
  const sentences = error.fields.map(describeFieldError).join(' ');
  return { title: otherwise, text: sentences || message };
}

/** The sentence about a field. */
export function findFieldMessageOfApiError(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return findFieldErrorMessage(error.fields, field);
}
