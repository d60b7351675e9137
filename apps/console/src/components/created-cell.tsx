import type { UserReference } from '../api/types.ts';
import { texts } from '../texts/index.ts';
import { Time } from './time.tsx';

/** When something was created, and by whom: null for the operator. */
export function CreatedAtAndByCell({ at, by }: { at: string; by: UserReference | null }) {
  return (
    <>
      <Time value={at} relative />
      <div className="text-muted text-xs break-all">{by ? by.name || by.email : texts.operator}</div>
    </>
  );
}
