import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ROOT } from '../lib/root.mjs';
import { Trouble } from '../lib/trouble.mjs';
import { runNpmJson } from './npm-json.mjs';

/**
 * The software bill of materials: npm's own, of all locked packages, with other components beside them.
 *
 * @param {object[]} others components that npm does not know of
 * @returns {Promise<object>} CycloneDX 1.5
 * @throws Trouble when npm makes none
 */
export async function buildSbom(others) {
  const command = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const { json, stderr } = await runNpmJson(command);
  if (!json?.components) throw new Trouble(`npm sbom failed: ${stderr}`);
  const { metadata, components, dependencies } = json;
  // npm calls the project by the name of its folder.
  const { name } = JSON.parse(await readFile(`${ROOT}/package.json`, 'utf8'));
  return {
    ...json,
    metadata: { ...metadata, component: { ...metadata.component, name } },
    components: [...components, ...others],
    dependencies: [...dependencies, ...others.map((each) => ({ ref: each['bom-ref'], dependsOn: [] }))],
  };
}

/**
 * Programs as components of CycloneDX, in the versions that are installed here. A Debian package has an address of its
 * own (purl); where there is no dpkg, or the package is missing, a program goes without version and address.
 *
 * @param {{ apt: string[], licence: string }[]} programs
 * @param {'required' | 'optional'} scope
 */
export async function systemComponents(programs, scope) {
  const distribution = await distributionId();
  const licences = new Map(programs.flatMap(({ apt, licence }) => apt.map((name) => [name, licence])));
  return Promise.all(
    [...licences].map(async ([name, licence]) => {
      const [version, arch] = await installedDeb(name);
      const purl = version && `pkg:deb/${distribution}/${name}@${encodeURIComponent(version)}?arch=${arch}`;
      return {
        type: 'application',
        'bom-ref': purl ?? `system:${name}`,
        name,
        ...(version && { version }),
        scope,
        licenses: licencesOf(licence),
        ...(purl && { purl }),
      };
    }),
  );
}

/** The Node that runs this. */
export function nodeComponent() {
  const { node } = process.versions;
  const purl = `pkg:generic/node@${node}`;
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version: node,
    scope: 'required',
    licenses: licencesOf('MIT'),
    purl,
  };
}

function licencesOf(licence) {
  return licence.includes(' ') ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/** @returns {Promise<string[]>} version and architecture; none when it is not installed */
async function installedDeb(name) {
  const format = '-f=${db:Status-Abbrev}\t${Version}\t${Architecture}';
  const found = await promisify(execFile)('dpkg-query', ['-W', format, name]).catch(() => undefined);
  const [status, version, arch] = found?.stdout.split('\n')[0].split('\t') ?? [];
  return status?.startsWith('ii') ? [version, arch] : [];
}

async function distributionId() {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID="?([\w.-]+)/m.exec(text)?.[1] ?? 'debian';
}
