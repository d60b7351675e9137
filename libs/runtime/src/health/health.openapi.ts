/** What the health routes answer, as JSON Schema. */
const STATE = { type: 'string', enum: ['up', 'down'] };

const DEPENDENCIES = {
  type: 'object',
  description: 'By name: `database`, `queue`, `storage`.',
  additionalProperties: { type: 'object', properties: { status: STATE }, required: ['status'] },
};

export const LIVE = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['ok'] } },
  required: ['status'],
};

export const READY = {
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
export function readyExample(queue: 'up' | 'down'): object {
  const well = { database: { status: 'up' }, storage: { status: 'up' } };
  const other = { queue: { status: queue } };
  return queue === 'up'
    ? { status: 'ok', info: { ...well, ...other }, error: {}, details: { ...well, ...other } }
    : { status: 'error', info: well, error: other, details: { ...well, ...other } };
}
