import { useEffect } from 'react';

const STORAGE_KEY = 'correction-drafts';

/** A segment of a transcript, and who corrects it. */
export interface CorrectionDraftKey {
  userId: string;
  jobId: string;
  segment: number;
}

/** What was typed in place of a segment's text. */
export interface CorrectionDraft {
  text: string;
  /** The correction that was there before; null for none. */
  seen: string | null;
}

type PlacedDraft = CorrectionDraftKey & CorrectionDraft;

/** In fields that are open. */
const typed = new Map<string, PlacedDraft>();

/** Keeps what is typed for a page that is replaced meanwhile, as when the session ends. @param draft null if nothing was changed */
export function useRegisterCorrectionDraft(place: CorrectionDraftKey, draft: CorrectionDraft | null): void {
  const { userId, jobId, segment } = place;
  const { text, seen } = draft ?? {};
  useEffect(() => {
    if (text === undefined || seen === undefined) return undefined;
    const key = buildFieldKey({ jobId, segment });
    typed.set(key, { userId, jobId, segment, text, seen });
    return () => {
      typed.delete(key);
    };
  }, [userId, jobId, segment, text, seen]);
}

/** Stores, in this tab, what is typed when its page is replaced without a question. What is stored of other fields stays. */
export function storeCorrectionDrafts(): void {
  if (typed.size === 0) return;
  const others = readDrafts().filter((draft) => !typed.has(buildFieldKey(draft)));
  writeDrafts([...others, ...typed.values()]);
}

/** @returns the stored drafts of a transcript by segment, if they are of the user */
export function readCorrectionDrafts(userId: string, jobId: string): ReadonlyMap<number, CorrectionDraft> {
  const drafts = readDrafts().filter((draft) => draft.userId === userId && draft.jobId === jobId);
  return new Map(drafts.map(({ segment, text, seen }) => [segment, { text, seen }]));
}

/** After their fields were opened again. */
export function deleteCorrectionDrafts(jobId: string): void {
  writeDrafts(readDrafts().filter((draft) => draft.jobId !== jobId));
}

/** After a sign-in: nobody reads what another user has typed in the tab. */
export function deleteCorrectionDraftsOfOtherUsers(userId: string): void {
  writeDrafts(readDrafts().filter((draft) => draft.userId === userId));
}

function buildFieldKey({ jobId, segment }: Pick<CorrectionDraftKey, 'jobId' | 'segment'>): string {
  return `${jobId} ${segment}`;
}

function readDrafts(): PlacedDraft[] {
  try {
    return JSON.parse(globalThis.sessionStorage.getItem(STORAGE_KEY) ?? '[]') as PlacedDraft[];
  } catch {
    return [];
  }
}

function writeDrafts(drafts: readonly PlacedDraft[]): void {
  try {
    if (drafts.length === 0) globalThis.sessionStorage.removeItem(STORAGE_KEY);
    else globalThis.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(drafts));
  } catch {
    // Without storage the page works as before.
  }
}
