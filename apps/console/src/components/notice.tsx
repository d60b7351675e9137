import type { ReactNode } from 'react';
import { ApiError, NoAnswerError } from '../api/client.ts';
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

/** An error of a form, without what its fields show. */
export function ErrorNotice({
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
    return (
      <Notice kind="error">{others.map(({ field, message }) => `${field} ${message}`).join('; ')}</Notice>
    );
  }
  const { title, text } = toErrorTitleAndText(error);
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
      <Button className="mt-2" onClick={onRetry}>
        {texts.retry}
      </Button>
    </Notice>
  );
}

export function toErrorTitleAndText(error: unknown): { title: string; text: string } {
  if (error instanceof NoAnswerError) return { title: texts.errors.offlineTitle, text: error.message };
  if (!(error instanceof ApiError)) return { title: texts.errors.title, text: texts.errors.crash };
  const retry = error.retryAfterSeconds === null ? '' : ` ${texts.errors.retryIn(error.retryAfterSeconds)}`;
  if (error.status === 429) return { title: texts.errors.tooManyTitle, text: `${error.message}${retry}` };
  if (error.status === 403) return { title: texts.errors.forbiddenTitle, text: error.message };
  if ([502, 503, 504].includes(error.status))
    return { title: texts.errors.unavailableTitle, text: `${texts.errors.unavailable}${retry}` };
  return { title: texts.errors.title, text: error.message };
}

/** The message of a field. */
export function getFieldErrorMessage(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const message = error.fields.find((each) => each.field === field)?.message;
  return message === undefined ? undefined : `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}.`;
}
