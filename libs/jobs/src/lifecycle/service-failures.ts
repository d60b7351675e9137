/** Reasons of jobs that failed because of the service and not because of their recording. */
export const SERVICE_FAILURES = {
  crashing: 'Processing this file ended the worker several times; it was given up.',
  failing: 'Processing failed several times; it was given up.',
  losing: 'Intermediate files of this job were lost several times; it was given up.',
  slow: 'A step of processing took too long several times; it was given up.',
  late: 'The job was not finished within its deadline.',
} as const;

export type ServiceFailure = keyof typeof SERVICE_FAILURES;

/** Finds the service failure, if any. @param data of a `failed` event, as stored */
export function parseServiceFailure(data: Record<string, unknown>): ServiceFailure | null {
  const { given_up: code } = data;
  return typeof code === 'string' && Object.hasOwn(SERVICE_FAILURES, code) ? (code as ServiceFailure) : null;
}
