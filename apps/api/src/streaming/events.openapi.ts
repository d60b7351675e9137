import type { DocumentedEvent } from '../openapi/api-events.js';
import { EXAMPLE } from '../openapi/examples.js';
import { AcceptedEvent, CompletedEvent, FailedEvent, ProgressEvent, WaitingEvent } from './events.dto.js';

/** What the two streams of the service are made of. */
export const EVENTS = {
  accepted: {
    event: 'accepted',
    description: 'At once, before any waiting.',
    data: AcceptedEvent,
    id: '0',
    example: { job_id: EXAMPLE.jobId, download_url: EXAMPLE.downloadUrl },
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
    description: 'Any number of times, none for a short file.',
    data: ProgressEvent,
    id: '1',
    example: { completed: 2, total: 5, step: 'chunk:0' },
  },
  completed: {
    event: 'completed',
    description: 'The job has ended well.',
    data: CompletedEvent,
    id: '2',
    example: { job_id: EXAMPLE.jobId, download_url: EXAMPLE.downloadUrl, output_type: 'txt' },
  },
  failed: {
    event: 'failed',
    description: 'The job has ended without a transcript. Comes instead of `completed`.',
    data: FailedEvent,
    id: '2',
    example: { step: 'preprocess', reason: 'The file holds no audio that can be decoded.' },
  },
  transcript: {
    event: 'transcript',
    description:
      'After `completed`: the text of the transcript, one `data:` line a line; its plain text for `docx` and `pdf`.',
    data: String as unknown as new () => object,
    id: '2',
    example: 'SPEAKER_1: Good morning.\nSPEAKER_2: Good morning to you.',
  },
} as const satisfies Record<string, DocumentedEvent>;
