import { HealthController, MetricsController } from '@app/runtime';
import {
  ApiExcludeController,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';

const STATE = { type: 'string', enum: ['up', 'degraded', 'down'] };

const DEPENDENCIES = {
  type: 'object',
  description:
    'By name: `database`, `queue`, `storage`; `schema` if the database schema is of another version than this process.',
  additionalProperties: {
    type: 'object',
    properties: {
      status: STATE,
      message: { type: 'string', description: 'Present unless the status is `up`.' },
    },
    required: ['status'],
  },
};

const LIVE = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['ok'] } },
  required: ['status'],
};

const READY = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: ['ok', 'degraded', 'error'],
      description:
        '`degraded`: ready, but a dependency that not every request needs is down, or the database schema is of another version.',
    },
    info: { ...DEPENDENCIES, description: 'Dependencies that are up or degraded.' },
    error: {
      ...DEPENDENCIES,
      description: 'Dependencies that are down and without which the process is not ready.',
    },
    details: DEPENDENCIES,
  },
  required: ['status', 'details'],
};

function buildReadyExample(status: 'ok' | 'degraded' | 'error', down?: string): object {
  const failedCheck = { status: status === 'error' ? 'down' : 'degraded', message: 'does not answer' };
  const states = ['database', 'queue', 'storage'].map(
    (name) => [name, name === down ? failedCheck : { status: 'up' }] as const,
  );
  const isError = (name: string) => status === 'error' && name === down;
  const only = (wanted: boolean) =>
    Object.fromEntries(states.filter(([name]) => isError(name) === wanted)) as object;
  return { status, info: only(false), error: only(true), details: Object.fromEntries(states) as object };
}

let isDocumented = false;

/**
 * Adds Swagger decorators to the health routes. All programs have these routes, but only the API loads Swagger. Idempotent:
 * decorating twice would duplicate the responses.
 */
export function decorateHealthRoutesForOpenApi(): void {
  if (isDocumented) return;
  isDocumented = true;
  ApiTags('service')(HealthController);
  ApiExcludeController()(MetricsController);
  decorateHandler('live', [
    ApiOperation({ summary: 'Liveness: whether the process runs' }),
    ApiOkResponse({ description: 'It runs.', schema: LIVE, example: { status: 'ok' } }),
  ]);
  decorateHandler('ready', [
    ApiOperation({
      summary: 'Readiness: whether requests may be sent to this process, and which dependency is down',
    }),
    ApiOkResponse({
      description: 'It is ready. With the queue or the object store down its status is `degraded`.',
      schema: READY,
      examples: {
        ok: { summary: 'Everything is up', value: buildReadyExample('ok') },
        degraded: { summary: 'The queue is down', value: buildReadyExample('degraded', 'queue') },
      },
    }),
    ApiServiceUnavailableResponse({
      description: 'Postgres is down, or the process is being stopped.',
      schema: READY,
      example: buildReadyExample('error', 'database'),
    }),
  ]);
}

function decorateHandler(method: 'live' | 'ready', decorators: MethodDecorator[]): void {
  const { prototype } = HealthController;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
  if (descriptor) for (const decorate of decorators) decorate(prototype, method, descriptor);
}
