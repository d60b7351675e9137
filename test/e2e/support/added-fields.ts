import { expect } from 'vitest';

/** The fields of a job response in addition to those of the specification, for a job without audio and metadata. */
export const ADDED_FIELDS = {
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string,
  completed_at: null,
  output_type: 'json',
  duration_seconds: null,
  metadata: {},
};
