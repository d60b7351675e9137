import { type createJobAndEnqueueIfUrl, DEFAULT_JOB_OPTIONS } from '@app/jobs';

type NewJob = Parameters<typeof createJobAndEnqueueIfUrl>[1];
type GivenFields = Pick<NewJob, 'accountId'> & Partial<NewJob>;

const COMMON = {
  options: DEFAULT_JOB_OPTIONS,
  contentType: 'application/octet-stream',
  deadlineSeconds: 3_600,
};

export const buildUploadJob = (given: GivenFields): NewJob => ({
  ...COMMON,
  ...{ source: 'upload', audioUrl: null, uploadSeconds: 3_600 },
  ...given,
});

export const buildUrlJob = (given: GivenFields): NewJob => ({
  ...COMMON,
  ...{ source: 'url', audioUrl: 'https://recordings.example/a.mp3', uploadSeconds: null },
  ...given,
});
