/** Logged besides type, message and stack. Parameters of queries must not be logged. */
const LOGGED_PROPERTIES = [
  'code',
  'status',
  'statusCode',
  'query',
  'table',
  'constraint',
  'syscall',
  'address',
  'port',
];
const MAX_DEPTH = 5;

/** Uses an allow-list, because errors of libraries carry the data on which they failed. */
export function serializeError(error: unknown): unknown {
  return serializeAtDepth(error, 0);
}

function serializeAtDepth(error: unknown, depth: number): unknown {
  if (!(error instanceof Error) || depth === MAX_DEPTH) return error instanceof Error ? error.message : error;
  const properties = error as unknown as Record<string, unknown>;
  const entries = LOGGED_PROPERTIES.filter((name) => isPrimitive(properties[name])).map((name) => [
    name,
    properties[name],
  ]);
  return {
    type: error.constructor.name,
    message: error.message,
    ...(Object.fromEntries(entries) as Record<string, unknown>),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: serializeAtDepth(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && {
      errors: error.errors.map((inner) => serializeAtDepth(inner, depth + 1)),
    }),
  };
}

function isPrimitive(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
