/** What is said of an error besides its name, message and stack. Values that a query was given are never among it. */
const SAID = ['code', 'status', 'statusCode', 'query', 'table', 'constraint', 'syscall', 'address', 'port'];
const DEEPEST = 5;

/** An error as a log line has it: an allow-list, as errors of libraries carry the data they failed on. */
export function errorForLog(error: unknown): unknown {
  return described(error, 0);
}

function described(error: unknown, depth: number): unknown {
  if (!(error instanceof Error) || depth === DEEPEST) return error instanceof Error ? error.message : error;
  const properties = error as unknown as Record<string, unknown>;
  const said = SAID.filter((name) => isPlain(properties[name])).map((name) => [name, properties[name]]);
  return {
    type: error.constructor.name,
    message: error.message,
    ...(Object.fromEntries(said) as Record<string, unknown>),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: described(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && {
      errors: error.errors.map((inner) => described(inner, depth + 1)),
    }),
  };
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
