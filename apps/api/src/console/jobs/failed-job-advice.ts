import type { ConsoleJobSummary } from '@app/jobs';

const ADVICE_BY_STAGE: Record<string, string> = {
  upload: 'Send the file again, and leave the page open until it has arrived.',
  billing: 'Top up the account, then transcribe the recording again.',
};
const CHECK_FILE = 'Check that the file plays, convert it to WAV or MP3, then transcribe it again.';
const CHECK_ADDRESS = 'Check that the URL serves the recording without a sign-in, then transcribe it again.';
const TRY_AGAIN = 'Transcribe the recording again. If it fails again, send the request id to the operator.';

/** What to do about a failed job. @returns null if nothing needs to be done */
export function getFailedJobAdvice({
  status,
  failedStage,
  source,
}: Pick<ConsoleJobSummary, 'status' | 'failedStage' | 'source'>): string | null {
  if (status !== 'failed' || failedStage === null || failedStage === 'cancelled') return null;
  if (failedStage === 'preprocess') return source === 'url' ? CHECK_ADDRESS : CHECK_FILE;
  return ADVICE_BY_STAGE[failedStage] ?? TRY_AGAIN;
}
