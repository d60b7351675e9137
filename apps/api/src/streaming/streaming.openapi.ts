import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { ApiJobParam } from '../jobs/jobs.openapi.js';
import { ApiEventStream } from '../openapi/api-event-stream.js';
import { ApiErrorCodes, ApiRoute } from '../openapi/api-route.js';
import { JOB_STREAM_EVENTS } from './events.openapi.js';

export function ApiJobStream(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'streamJob',
      summary: 'Watch a job as server-sent events',
      description: `Streams events until the job has ended. Every event has an \`id\`, numbered per job from 1 without gaps; comments are heartbeats. The stream of an ended job always sends the last event, \`completed\` or \`failed\`, even when \`Last-Event-ID\` is the id of that event.`,
    }),
    ApiJobParam(),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description:
        'The id of the last event that you saw: the stream continues after it. For the id of the final event, that event is sent once more. An unknown id starts from the beginning.',
      schema: { type: 'string', examples: ['3'] },
    }),
    ApiEventStream({
      description: 'The events of the job until it has ended.',
      events: JOB_STREAM_EVENTS,
    }),
    ApiErrorCodes('job_not_found', 'concurrency_limit_exceeded'),
  );
}
