import type { components, operations } from './generated/schema.js';

type Schemas = components['schemas'];

/** Options of a job, with the names and defaults of the interface. */
export type JobOptions = Schemas['JobOptions'];
export type OutputType = Schemas['OutputType'];
export type Job = Schemas['JobResponse'];
/** A job that will not change any more. */
export type EndedJob = Job & { status: 'completed' | 'failed' };
export type JobListItem = Schemas['JobListItem'];
export type JobListPage = Schemas['JobListResponse'];
/** Filters and page size. `fields` may be a list. */
export type JobListQuery = Omit<NonNullable<operations['listJobs']['parameters']['query']>, 'fields'> & {
  fields?: string | readonly string[];
};
export type JobStreamEvent = Schemas['JobStreamEvent'];
export type Account = Schemas['AccountResponse'];
export type TranscriptDocument = Schemas['TranscriptDocument'];
export type JobSpeakerNames = Schemas['SpeakersResponse'];
export type JobNotification = Schemas['JobNotification'];
export type UploadResponse = Schemas['UploadResponse'];
export type MultipartResponse = Schemas['MultipartResponse'];
export type ReportedPart = Schemas['ReportedPart'];
export type JobActionStatusResponse = Schemas['StatusResponse'];
/** Body of every error. */
export type Problem = Schemas['Problem'];
/** `code` of an error. The service may add codes. */
export type ErrorCode = Problem['code'] | (string & {});

/** What a transcript is in memory: the parsed document for json, text for txt, srt and vtt, bytes for docx and pdf. */
export type TranscriptInFormat<Format extends OutputType> = Format extends 'json'
  ? TranscriptDocument
  : Format extends 'docx' | 'pdf'
    ? Uint8Array<ArrayBuffer>
    : string;

export interface SignalOptions {
  /** Ends the call: it rejects with the reason of the signal. The job goes on, if there is one. */
  signal?: AbortSignal;
}

export type Progress =
  | {
      phase: 'upload';
      /** Bytes that the service has. */
      uploadedBytes: number;
      /** `null` for a stream of unknown length. */
      totalBytes: number | null;
      /** Why an upload that an earlier process began starts again from the beginning, once. */
      restartReason?: string;
    }
  | {
      phase: 'transcription';
      /** Steps that are done. Advisory: the end of a job is its `completed` or `failed` event. */
      completed: number;
      total: number;
      /** `preprocess`, `chunk:N` or `aggregation` */
      step: string;
    };

export interface ProgressOptions {
  onProgress?: (progress: Progress) => void;
}
