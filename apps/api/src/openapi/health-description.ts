import { HealthController, MetricsController } from '@app/runtime';
import {
  ApiExcludeController,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';

/** What the health routes answer, as JSON Schema. */
const STATE = { type: 'string', enum: ['up', 'down'] };

const DEPENDENCIES = {
  type: 'object',
  description: 'By name: `database`, `queue`, `storage`.',
  additionalProperties: { type: 'object', properties: { status: STATE }, required: ['status'] },
};

const LIVE = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['ok'] } },
  required: ['status'],
};

const READY = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ok', 'error', 'shutting_down'] },
    info: { ...DEPENDENCIES, description: 'Those that answer.' },
    error: { ...DEPENDENCIES, description: 'Those that do not.' },
    details: DEPENDENCIES,
  },
  required: ['status', 'details'],
};

/** An answer in which the queue is in this state, and the rest is well. */
function readyExample(queue: 'up' | 'down'): object {
  const well = { database: { status: 'up' }, storage: { status: 'up' } };
  const other = { queue: { status: queue } };
  return queue === 'up'
    ? { status: 'ok', info: { ...well, ...other }, error: {}, details: { ...well, ...other } }
    : { status: 'error', info: well, error: other, details: { ...well, ...other } };
}

let described = false;

/**
 * Every program has these routes, and only this one describes them: the others need not load the means for it. Once,
 * however many documents are made: what is described again is there twice.
 */
export function describeHealth(): void {
  if (described) return;
  described = true;
  ApiTags('service')(HealthController);
  ApiExcludeController()(MetricsController);
  describe('live', [
    ApiOperation({ summary: 'Whether the process turns' }),
    ApiOkResponse({ description: 'It does.', schema: LIVE, example: { status: 'ok' } }),
  ]);
  describe('ready', [
    ApiOperation({ summary: 'Whether the service can work, and what it needs for that' }),
    ApiOkResponse({ description: 'Everything answers.', schema: READY, example: readyExample('up') }),
    ApiServiceUnavailableResponse({
      description: 'Something is away.',
      schema: READY,
      example: readyExample('down'),
    }),
  ]);
}

function describe(method: 'live' | 'ready', decorators: MethodDecorator[]): void {
  const { prototype } = HealthController;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
  if (descriptor) for (const decorate of decorators) decorate(prototype, method, descriptor);
}
