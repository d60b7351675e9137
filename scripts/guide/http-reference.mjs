/**
 * Writes the page of all routes from the OpenAPI document, as Markdown, so that it is rendered, linked and searched like
 * the other pages.
 *
 * @param {Record<string, any>} document
 * @returns {string}
 */
export function renderHttpReference(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const sections = document.tags.map((tag) => {
    const ofTag = operations.filter(({ operation }) => operation.tags?.includes(tag.name));
    if (ofTag.length === 0) return '';
    return `## ${tag.name}\n\n${tag.description}\n\n${ofTag.map((entry) => renderOperation(document, entry)).join('\n\n')}`;
  });
  return `# All routes\n\n${INTRODUCTION}\n\n${sections.filter(Boolean).join('\n\n')}\n`;
}

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);
const INTRODUCTION = `Made from the OpenAPI document of the service. [The reference](/docs) has the same with every field of every
response, and sends requests. The [guide to the API](api.md) explains how the routes belong together.`;

/** @param {Record<string, any>} document @param {{ method: string, path: string, operation: Record<string, any> }} entry */
function renderOperation(document, { method, path, operation }) {
  const parameters = (operation.parameters ?? [])
    .map((parameter) => dereference(document, parameter))
    .map(({ name, in: place, required, description, schema }) => [
      code(name),
      place,
      describe(schema, required),
      description,
    ]);
  const fields = listBodyFields(document, operation.requestBody);
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    dereference(document, response).description,
  ]);
  return [
    `### ${method} ${path}`,
    [operation.summary && `${operation.summary}.`, operation.description].filter(Boolean).join('\n\n'),
    renderTable(['parameter', 'in', 'type', 'meaning'], parameters),
    renderTable(['field of the body', 'type', 'meaning'], fields),
    renderTable(['status', 'meaning'], responses),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** @param {Record<string, any>} document @param {Record<string, any> | undefined} body */
function listBodyFields(document, body) {
  const [content] = Object.values(dereference(document, body)?.content ?? {});
  const { fields, required } = collectFields(document, content?.schema);
  return [...fields].map(([name, field]) => [
    code(name),
    describe(field, required.has(name)),
    field.description,
  ]);
}

/**
 * Of a schema with parts, the fields of all; of one with alternatives too, but only those that each requires are required.
 *
 * @param {Record<string, any>} document @param {any} given
 * @returns {{ fields: Map<string, any>, required: Set<string> }}
 */
function collectFields(document, given) {
  const { properties = {}, required = [], allOf = [], oneOf = [] } = dereference(document, given) ?? {};
  // Alternatives forbid the fields of each other by the type null.
  const own = Object.entries(properties).filter(([, field]) => field.type !== 'null');
  const parts = allOf.map((part) => collectFields(document, part));
  const alternatives = oneOf.map((part) => collectFields(document, part));
  const inAll = [...(alternatives[0]?.required ?? [])].filter((name) =>
    alternatives.every((alternative) => alternative.required.has(name)),
  );
  return {
    fields: new Map([
      ...[...parts, ...alternatives].flatMap(({ fields }) => [...fields]),
      ...own.map(([name, field]) => [name, dereference(document, field)]),
    ]),
    required: new Set([...required, ...parts.flatMap((part) => [...part.required]), ...inAll]),
  };
}

/** @param {Record<string, any>} document @param {any} value @returns {any} */
function dereference(document, value) {
  const reference = value?.$ref;
  if (reference === undefined) return value;
  const names = reference.replace(/^#\//, '').split('/');
  const found = names.reduce((inner, name) => inner?.[name], document);
  if (found === undefined) throw new Error(`The OpenAPI document has no ${reference}.`);
  return dereference(document, found);
}

/** @param {Record<string, any> | undefined} schema @param {boolean | undefined} required */
function describe(schema = {}, required = false) {
  const types = [schema.type ?? (schema.enum ? 'string' : 'object')].flat().join(' or ');
  const values = schema.enum ? `: ${schema.enum.map(code).join(', ')}` : '';
  const standard = schema.default === undefined ? '' : `, default ${code(schema.default)}`;
  return `${types}${values}${standard}${required ? ', required' : ''}`;
}

/** @param {unknown} value */
const code = (value) => `\`${String(value)}\``;

/** @param {string[]} head @param {(string | undefined)[][]} rows */
function renderTable(head, rows) {
  if (rows.length === 0) return '';
  const line = (cells) => `| ${cells.map(renderCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** @param {string | undefined} text */
const renderCell = (text) => (text ?? '').replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
