import { CONFIG_SCHEMA, SECTION_TITLES } from './config-schema.js';
import type { ConfigSection, EnvVariableDeclaration } from './variable.js';

/** Markdown. */
export function renderConfigReference(): string {
  const sections = (Object.keys(CONFIG_SCHEMA) as (keyof typeof CONFIG_SCHEMA)[]).map(
    (name) => `## ${SECTION_TITLES[name]}\n\n${renderTable(CONFIG_SCHEMA[name])}`,
  );
  return `# Configuration

Every setting is an environment variable; none has to be set. A wrong value stops the start with a line that names it; an empty
one counts as unset. A name that differs by one letter from a setting is logged as a warning. A size is a number of bytes or
has a unit: \`512\`, \`200MB\`, \`16MiB\`, \`5GiB\`.
This page is generated from \`libs/config/src/sections\` by \`npm run docs:generate\`.

${sections.join('\n\n')}
`;
}

function renderTable(section: ConfigSection): string {
  const rows = Object.values(section).map(
    (v) => `| \`${v.name}\` | ${formatDefault(v)} | ${v.doc}${formerNameNote(v)} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function formerNameNote({ formerNames: [newest, ...older] }: EnvVariableDeclaration): string {
  if (newest === undefined) return '';
  const names = [newest, ...older].map((name) => `\`${name}\``).join(' or ');
  return ` Earlier versions called it ${names}, which ${older.length > 0 ? 'are' : 'is'} still read.`;
}

function formatDefault({ schema, doc }: EnvVariableDeclaration): string {
  const parsed = schema.safeParse(undefined);
  if (!parsed.success || parsed.data === undefined) return doc.includes('Default:') ? 'see text' : 'unset';
  if (Array.isArray(parsed.data)) return parsed.data.length > 0 ? `\`${parsed.data.join(',')}\`` : 'none';
  return `\`${JSON.stringify(parsed.data).replaceAll('"', '')}\``;
}
