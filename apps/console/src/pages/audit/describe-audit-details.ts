import { formatDateTime } from '../../lib/format.ts';
import { maskIfUrl } from '../../lib/receiver-url-secrets.ts';
import { texts } from '../../texts/index.ts';

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Such as `Name: archive, Expires: 1 Jan 2027, 10:00`. What has no value is left out, and what the column of the target shows. */
export function describeAuditDetails(
  details: Readonly<Record<string, unknown>>,
  shownElsewhere: readonly string[],
): string {
  const { from, to, ...others } = details;
  const isChange = !isEmpty(from) && !isEmpty(to);
  return [
    ...(isChange ? [`${describeValue(from, 'from')} → ${describeValue(to, 'to')}`] : []),
    ...Object.entries(isChange ? others : details)
      .filter(([name, value]) => !isEmpty(value) && !shownElsewhere.includes(name))
      .map(([name, value]) => `${texts.audit.fields[name] ?? toWords(name)}: ${describeValue(value, name)}`),
  ].join(', ');
}

function describeValue(value: unknown, field?: string): string {
  if (typeof value === 'boolean') return value ? texts.job.yes : texts.job.no;
  if (Array.isArray(value)) return value.map((each) => describeValue(each)).join(' · ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, each]) => `${name} ${isEmpty(each) ? texts.job.none : describeValue(each)}`)
      .join(' · ');
  const text = String(value);
  if (TIME.test(text)) return formatDateTime(text);
  const names = texts.audit.values[field ?? ''] ?? {};
  // The text may be a name that somebody chose, such as that of a property of every object.
  return (Object.hasOwn(names, text) && names[text]) || isolateDirection(maskIfUrl(text));
}

/** A name with characters that change the direction of text would reverse what follows it. */
function isolateDirection(text: string): string {
  return /[\u202a-\u202e\u2066-\u2069]/.test(text) ? `\u2068${text}\u2069` : text;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The words of a field that this page does not know. */
function toWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
