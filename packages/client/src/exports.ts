export * from './errors.js';
export type { StreamOptions } from './events/job-stream.js';
export type { SubmitOptions, ZephyrOptions } from './options.js';
export type { JobList } from './resources/job-list.js';
export {
  type PolledCommandLineSignIn,
  UnauthenticatedClient,
  type ServiceDescription,
  type StartedCommandLineSignIn,
} from './resources/unauthenticated-client.js';
export type { TranscriptOptions } from './resources/transcripts.js';
export type { AudioInput, SubmittedJob } from './resources/uploads.js';
export type { UnwrapOptions, Webhook, WebhookHeaders } from './resources/webhooks.js';
export type * from './types.js';
export {
  parseUploadState,
  uploadStateInStorage,
  type UploadState,
  type UploadStateStore,
} from './uploads/upload-state.js';
export type { Transcription } from './zephyr.js';
