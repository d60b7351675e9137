import { type MutationKey, MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CorrectedTextBySegment } from './plain-text.ts';
import {
  type SegmentCorrection,
  correctionMutationOptions,
  type SpeakerNameChanges,
  speakerNamesMutationOptions,
  mergeCorrections,
  applySpeakerNames,
} from './transcript-changes.ts';
import type { TranscriptDocument } from './transcript-document.ts';
import { correctionsQueryOptions, transcriptQueryOptions } from './transcript-queries.ts';

const ACCOUNT = 'account';
const JOB = 'job';

interface HeldRequest {
  method: string;
  path: string;
  body: unknown;
  answer: (status: number, body?: unknown) => void;
}

let queryClient: QueryClient;
let requests: HeldRequest[];

beforeEach(() => {
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  requests = [];
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  vi.stubGlobal(
    'fetch',
    (url: URL, { method, body }: { method: string; body?: string }) =>
      new Promise<Response>((resolve) => {
        requests.push({
          method,
          path: url.pathname.replace('/console/api/jobs/job/', ''),
          body: body === undefined ? undefined : (JSON.parse(body) as unknown),
          answer: (status, answer) => resolve(Response.json(answer ?? {}, { status })),
        });
      }),
  );
});

afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

const readPending = <T>(mutationKey: MutationKey | undefined) =>
  queryClient
    .getMutationCache()
    .findAll({ mutationKey: mutationKey ?? [], status: 'pending' })
    .map(({ state }) => state.variables as T);

async function waitForRequests(count: number): Promise<void> {
  await vi.waitFor(() => expect(requests).toHaveLength(count));
}

/** So that what would be sent without waiting is sent. */
const runPendingCallbacks = () => new Promise<void>((resolve) => setTimeout(resolve));

describe('names of speakers that are saved one after the other', () => {
  const { queryKey } = transcriptQueryOptions(ACCOUNT, JOB);

  beforeEach(() => {
    queryClient.setQueryData(queryKey, {
      duration: 1,
      language: 'en',
      warnings: [],
      segments: [],
      speakers: [
        { id: 'SPEAKER_1', name: null },
        { id: 'SPEAKER_2', name: null },
      ],
    });
  });

  const save = (names: SpeakerNameChanges) => {
    const rejected = vi.fn();
    const options = speakerNamesMutationOptions(queryClient, ACCOUNT, JOB);
    const saved = new MutationObserver(queryClient, { ...options, onError: rejected })
      .mutate(names)
      .catch(() => undefined);
    return { saved, rejected };
  };
  const readShownNames = () => {
    const { mutationKey } = speakerNamesMutationOptions(queryClient, ACCOUNT, JOB);
    const saved = queryClient.getQueryData(queryKey) as TranscriptDocument;
    return applySpeakerNames(saved, readPending(mutationKey)).speakers.map(({ name }) => name);
  };

  it('are sent one at a time, and the later ones stay shown when the earlier ones are accepted', async () => {
    const first = save({ SPEAKER_1: 'Ada' });
    const second = save({ SPEAKER_1: 'Grace' });
    expect(readShownNames()).toEqual(['Grace', null]);
    await waitForRequests(1);
    await runPendingCallbacks();
    expect(requests.map(({ body }) => body)).toEqual([{ speakers: { SPEAKER_1: 'Ada' } }]);
    requests[0]?.answer(200, { speakers: { SPEAKER_1: 'Ada' } });
    await first.saved;
    expect(readShownNames()).toEqual(['Grace', null]);
    await waitForRequests(2);
    requests[1]?.answer(200, { speakers: { SPEAKER_1: 'Grace' } });
    await second.saved;
    expect(readShownNames()).toEqual(['Grace', null]);
  });

  it('are rejected each for itself, and then the names are shown that the service has', async () => {
    const first = save({ SPEAKER_1: 'Ada', SPEAKER_2: 'Alan' });
    const second = save({ SPEAKER_1: 'Grace' });
    await waitForRequests(1);
    requests[0]?.answer(503);
    await first.saved;
    expect(first.rejected).toHaveBeenCalledOnce();
    expect(readShownNames()).toEqual(['Grace', null]);
    await waitForRequests(2);
    requests[1]?.answer(503);
    await second.saved;
    expect(second.rejected).toHaveBeenCalledOnce();
    expect(readShownNames()).toEqual([null, null]);
  });
});

describe('corrections that are saved at the same time', () => {
  const { queryKey } = correctionsQueryOptions(ACCOUNT, JOB);
  let stopReading: () => void;

  beforeEach(() => {
    queryClient.setQueryData(queryKey, new Map());
    // As the page does: what is invalidated is read again.
    const observer = new QueryObserver(queryClient, {
      ...correctionsQueryOptions(ACCOUNT, JOB),
      staleTime: 60_000,
    });
    stopReading = observer.subscribe(() => undefined);
  });

  afterEach(() => stopReading());

  const save = (correction: SegmentCorrection) =>
    new MutationObserver(queryClient, correctionMutationOptions(queryClient, ACCOUNT, JOB)).mutate(
      correction,
    );
  const readShownTexts = () => {
    const { mutationKey } = correctionMutationOptions(queryClient, ACCOUNT, JOB);
    const saved = queryClient.getQueryData(queryKey) as CorrectedTextBySegment;
    return Object.fromEntries(mergeCorrections(saved, readPending(mutationKey)));
  };

  it('stay shown while others are saved, and are read again once, after the last of them', async () => {
    const first = save({ segment: 1, text: 'one', replaces: null });
    const second = save({ segment: 2, text: 'two', replaces: null });
    await waitForRequests(2);
    expect(requests[0]).toMatchObject({
      ...{ method: 'PUT', path: 'corrections/1', body: { text: 'one', replaces: null } },
    });
    expect(readShownTexts()).toEqual({ 1: 'one', 2: 'two' });
    requests[0]?.answer(200);
    await first;
    await runPendingCallbacks();
    expect(requests).toHaveLength(2);
    expect(readShownTexts()).toEqual({ 1: 'one', 2: 'two' });
    requests[1]?.answer(200);
    await second;
    await waitForRequests(3);
    expect(requests[2]).toMatchObject({ method: 'GET', path: 'corrections' });
    expect(readShownTexts()).toEqual({ 1: 'one', 2: 'two' });
  });

  it('are not replaced by an older list that was being read when they were accepted', async () => {
    void queryClient.refetchQueries({ queryKey });
    await waitForRequests(1);
    const saved = save({ segment: 1, text: 'one', replaces: null });
    await waitForRequests(2);
    requests[1]?.answer(200);
    await saved;
    requests[0]?.answer(200, { corrections: [] });
    await runPendingCallbacks();
    expect(readShownTexts()).toEqual({ 1: 'one' });
  });

  it('are reported as failed before the list has been read again, and the text before is shown', async () => {
    const saved = save({ segment: 1, text: 'one', replaces: null });
    await waitForRequests(1);
    requests[0]?.answer(503);
    await expect(saved).rejects.toThrow();
    expect(readShownTexts()).toEqual({});
    // The list is still being read.
    await waitForRequests(2);
  });
});
