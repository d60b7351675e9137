import fc from 'fast-check';
import type { Description, Operation, Parameter } from './described.js';
import { FORM_TYPE, generateForm } from './forms.js';
import { anyJson, anyText, SchemaArbitraries, type ResourcePool } from './values.js';

export type KeyKind = 'valid' | 'without credits' | 'none' | 'invalid';

export interface GeneratedRequest {
  operation: Operation;
  key: KeyKind;
  /** Includes the query. */
  path: string;
  headers: [string, string][];
  body: string | null;
}

const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/xml',
  'text/plain',
  'audio/mpeg',
  'x',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  '',
];

/** Texts that are not JSON, or JSON that no library writes. */
const RAW_BODIES = [
  '',
  '{',
  'null',
  '{"file_size":1e999}',
  '{"job_id":"\\ud800"}',
  '\ufeff{}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  '{"job_id":1,"job_id":2}',
  '{"__proto__":{"file_size":1}}',
  "{'file_size': 1}",
  'NaN',
  '\u0000',
];

/** Header values that fetch accepts. */
const headerText = fc.stringMatching(/^[!-~¡-ÿ]([ -~¡-ÿ]{0,60}[!-~¡-ÿ])?$/);

/** Requests of the given routes, by default of all, with valid and invalid values in every position. */
export function generateRequest(
  description: Description,
  pool: ResourcePool,
  operations: readonly Operation[] = description.operations,
): fc.Arbitrary<GeneratedRequest> {
  const arbitraries = new SchemaArbitraries(description, pool);
  return fc.oneof(...operations.map((operation) => generateRequestTo(operation, arbitraries)));
}

function generateRequestTo(
  operation: Operation,
  arbitraries: SchemaArbitraries,
): fc.Arbitrary<GeneratedRequest> {
  const key = fc.oneof(
    { weight: 10, arbitrary: fc.constant<KeyKind>('valid') },
    { weight: 3, arbitrary: fc.constant<KeyKind>('without credits') },
    { weight: 2, arbitrary: fc.constantFrom<KeyKind>('none', 'invalid') },
  );
  const parametersIn = (location: Parameter['in']) =>
    operation.parameters.filter((parameter) => parameter.in === location);
  return fc
    .record({
      key,
      path: generatePath(operation, parametersIn('path'), arbitraries),
      query: generateQuery(parametersIn('query'), arbitraries),
      headers: generateHeaders(parametersIn('header')),
      content: generateBody(operation, arbitraries),
    })
    .map(({ key: kind, path, query, headers, content }) => ({
      operation,
      key: kind,
      path: path + (query === '' ? '' : `?${query}`),
      headers: [...headers, ...content.headers],
      body: content.body,
    }));
}

const encodeText = (text: unknown) => encodeURIComponent(String(text).toWellFormed());

function generatePath(
  { path }: Operation,
  parameters: Parameter[],
  arbitraries: SchemaArbitraries,
): fc.Arbitrary<string> {
  // Excluded: segments of dots, which change the path, and empty segments, which match another route.
  const invalidId = anyText.filter((text) => !/^\.*$/.test(text));
  const values = parameters.map(({ schema: { examples = [], ...schema } }) =>
    fc
      .oneof(
        { weight: 5, arbitrary: arbitraries.of(schema).filter((value) => !/^\.*$/.test(String(value))) },
        { weight: 1, arbitrary: invalidId },
        // Path parameters that are not ids have valid examples.
        ...(schema.format === 'uuid' ? [] : [{ weight: 5, arbitrary: fc.constantFrom(...examples) }]),
      )
      .map((value) => String(value).slice(0, 500)),
  );
  return fc
    .tuple(...values)
    .map((pathValues) =>
      parameters.reduce(
        (result, { name }, index) => result.replace(`{${name}}`, () => encodeText(pathValues[index])),
        path,
      ),
    );
}

/** Most parameters are omitted; one may occur twice. */
function generateQuery(parameters: Parameter[], arbitraries: SchemaArbitraries): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema }) => {
    const value = fc.oneof(
      { weight: 3, arbitrary: arbitraries.of(schema) },
      { weight: 1, arbitrary: anyText },
    );
    const occurrences = fc.oneof(
      { weight: 40, arbitrary: fc.constantFrom(0, 0, 0, 1) },
      { weight: 1, arbitrary: fc.constant(2) },
    );
    return fc
      .tuple(value, occurrences)
      .map(([parameterValue, count]) =>
        Array.from({ length: count }, () => `${name}=${encodeText(parameterValue)}`),
      );
  });
  const unknown = fc.option(
    anyText.map((text) => [`unknown=${encodeText(text)}`]),
    { nil: [], freq: 1 },
  );
  return fc.tuple(...pairs, unknown).map((parameterLists) => parameterLists.flat().join('&'));
}

function generateHeaders(parameters: Parameter[]): fc.Arbitrary<[string, string][]> {
  const chosen = parameters.map(({ name }) =>
    fc
      .option(fc.oneof(headerText, fc.nat(20).map(String)), { nil: null, freq: 1 })
      .map((value) => [name, value] as const),
  );
  return fc
    .tuple(...chosen)
    .map((headerPairs) => headerPairs.filter((pair): pair is [string, string] => pair[1] !== null));
}

function generateBody(
  { body }: Operation,
  arbitraries: SchemaArbitraries,
): fc.Arbitrary<{ headers: [string, string][]; body: string | null }> {
  if (Object.keys(body).length === 0) return fc.constant({ headers: [], body: null });
  const form = body[FORM_TYPE]?.schema;
  if (form) return generateForm(form, arbitraries);
  const schema = body['application/json']?.schema;
  // Bytes that are not audio, so that no engine runs.
  const text = schema
    ? generateJsonText(arbitraries.of(schema))
    : fc.oneof(
        { weight: 3, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: fc.string({ maxLength: 50 }) },
      );
  const type = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...Object.keys(body)) },
    { weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES) },
  );
  return fc
    .tuple(text, type)
    .map(([content, declared]) => ({ headers: [['Content-Type', declared]], body: content }));
}

function generateJsonText(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const text = (value: unknown) => JSON.stringify(value);
  const withInvalidField = fc.tuple(valid, anyJson, fc.nat(20)).map(([value, invalidValue, position]) => {
    const fields = Object.entries(value as object);
    const index = position % (fields.length + 1);
    fields[index] = [fields[index]?.[0] ?? 'unknown', invalidValue];
    return text(Object.fromEntries(fields));
  });
  return fc.oneof(
    { weight: 8, arbitrary: valid.map(text) },
    { weight: 6, arbitrary: withInvalidField },
    { weight: 1, arbitrary: anyJson.map(text) },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_BODIES) },
  );
}
