import { formatDateTime, formatFullDateTime, formatRelative } from '../lib/format.ts';
import { texts } from '../texts/index.ts';

export function Time({ value, relative = false }: { value: string | null; relative?: boolean }) {
  if (value === null) return <span className="text-muted">{texts.never}</span>;
  return (
    <time dateTime={value} title={formatFullDateTime(value)}>
      {relative ? formatRelative(value) : formatDateTime(value)}
    </time>
  );
}
