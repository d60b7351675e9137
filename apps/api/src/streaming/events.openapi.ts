import { toEventDataSchema, type DocumentedEvent } from '../openapi/api-event-stream.js';
import type { Schema } from '../openapi/document-types.js';
import { EXAMPLE_VALUES } from '../openapi/example-values.js';
import { AcceptedEvent, CompletedEvent, FailedEvent, ProgressEvent, WaitingEvent } from './events.dto.js';

export const DOCUMENTED_EVENTS = {
  accepted: {
    event: 'accepted',
    description: 'First, before any waiting.',
    data: AcceptedEvent,
    id: '0',
    example: { job_id: EXAMPLE_VALUES.jobId, download_url: EXAMPLE_VALUES.downloadUrl },
  },
  waiting: {
    event: 'waiting',
    description: 'Every few seconds while too many streams are open.',
    data: WaitingEvent,
    id: '0',
    example: { position: 3, eta_seconds: 12 },
  },
  progress: {
    event: 'progress',
    description: 'Any number of times; a short file may have none.',
    data: ProgressEvent,
    id: '1',
    example: { completed: 2, total: 5, step: 'chunk:0' },
  },
  completed: {
    event: 'completed',
    description: 'The job has completed.',
    data: CompletedEvent,
    id: '2',
    example: { job_id: EXAMPLE_VALUES.jobId, download_url: EXAMPLE_VALUES.downloadUrl, output_type: 'txt' },
  },
  failed: {
    event: 'failed',
    description: 'The job has failed. Sent instead of `completed`.',
    data: FailedEvent,
    id: '2',
    example: { step: 'preprocess', reason: 'The file holds no audio that can be decoded.' },
  },
  transcript: {
    event: 'transcript',
    description:
      'After `completed`: the text of the transcript, one `data:` line per line; plain text for `docx` and `pdf`.',
    data: String as unknown as new () => object,
    id: '2',
    example: 'SPEAKER_1: Good morning.\nSPEAKER_2: Good morning to you.',
  },
} as const satisfies Record<string, DocumentedEvent>;

/** `GET /jobs/{job_id}/stream`. */
export const JOB_STREAM_EVENTS = [
  DOCUMENTED_EVENTS.waiting,
  DOCUMENTED_EVENTS.progress,
  DOCUMENTED_EVENTS.completed,
  DOCUMENTED_EVENTS.failed,
] as const;

/** `POST /transcribe`. */
export const TRANSCRIBE_STREAM_EVENTS = [
  DOCUMENTED_EVENTS.accepted,
  ...JOB_STREAM_EVENTS,
  DOCUMENTED_EVENTS.transcript,
] as const;

/** Named schemas of parsed events, for clients that parse the streams themselves. */
export const EVENT_UNION_SCHEMAS: Record<string, Schema> = {
  JobStreamEvent: buildEventSchema('One event of `GET /api/v1/jobs/{job_id}/stream`.', JOB_STREAM_EVENTS),
  TranscribeStreamEvent: buildEventSchema(
    'One event of `POST /api/v1/transcribe`.',
    TRANSCRIBE_STREAM_EVENTS,
  ),
};

function buildEventSchema(description: string, events: readonly DocumentedEvent[]): Schema {
  return {
    description: `${description} \`event\` determines the schema of \`data\`.`,
    oneOf: events.map(({ event, data, description: meaning }) => ({
      type: 'object',
      description: meaning,
      properties: {
        event: { const: event },
        id: { type: 'string', description: 'A value for `Last-Event-ID`.' },
        data: toEventDataSchema(data),
      },
      required: ['event', 'data'],
    })),
  };
}
