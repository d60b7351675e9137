import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { ApiJobParam } from '../jobs/jobs.openapi.js';
import { ApiEvents } from '../openapi/api-events.js';
import { ApiProblems, ApiRoute } from '../openapi/api-route.js';
import { EVENTS } from './events.openapi.js';

const { waiting, progress, completed, failed } = EVENTS;

export function ApiJobStream(): MethodDecorator {
  return applyDecorators(
    ApiRoute({
      id: 'streamJob',
      summary: 'Watch a job as server-sent events',
      description: `Ends when the job has ended. Every event has an \`id\`, the job's own number, contiguous from 1; comments are heartbeats. The stream of a job that has ended answers its last event at once.`,
    }),
    ApiJobParam(),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'The id of the last event you saw: the stream goes on after it.',
      schema: { type: 'string', examples: ['3'] },
    }),
    ApiEvents({
      description: 'The events of the job, up to its end.',
      events: [waiting, progress, completed, failed],
    }),
    ApiProblems('job_not_found'),
  );
}
