import { expect } from 'vitest';

/** What a retrieval has beside the fields of the specification, of a job that has no audio and was given no metadata. */
export const ADDED_FIELDS = {
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string,
  completed_at: null,
  output_type: 'json',
  duration_seconds: null,
  metadata: {},
};
