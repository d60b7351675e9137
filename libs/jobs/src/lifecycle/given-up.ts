/** Why a job was given up that says nothing of its recording: whichever stage it was in, the service failed it. */
export const GIVEN_UP = {
  crashing: 'Processing this file ended the worker several times; it was given up.',
  failing: 'Processing failed several times; it was given up.',
  late: 'The job was not finished within its deadline.',
} as const;

const REASONS: readonly string[] = Object.values(GIVEN_UP);

/** Whether a failed job with this reason was given up by the service. */
export function wasGivenUp(reason: string): boolean {
  return REASONS.includes(reason);
}
