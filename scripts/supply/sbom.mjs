import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ROOT } from '../lib/root.mjs';
import { UserFacingError } from '../lib/user-facing-error.mjs';
import { runNpmJson } from './npm-json.mjs';

/**
 * Adds components to the software bill of materials of npm.
 *
 * @param {object[]} extraComponents
 * @returns {Promise<object>} CycloneDX 1.5
 * @throws UserFacingError when npm fails
 */
export async function buildSbom(extraComponents) {
  const command = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const { json, stderr } = await runNpmJson(command);
  if (!json?.components) throw new UserFacingError(`npm sbom failed: ${stderr}`);
  const { metadata, components, dependencies } = json;
  // npm uses the name of the folder.
  const { name } = JSON.parse(await readFile(`${ROOT}/package.json`, 'utf8'));
  return {
    ...json,
    metadata: { ...metadata, component: { ...metadata.component, name } },
    components: [...components, ...extraComponents],
    dependencies: [
      ...dependencies,
      ...extraComponents.map((each) => ({ ref: each['bom-ref'], dependsOn: [] })),
    ],
  };
}

/**
 * Converts programs to CycloneDX components with their installed versions. A Debian package has a purl; without dpkg or
 * package, version and purl are omitted.
 *
 * @param {{ apt: string[], licence: string }[]} programs
 * @param {'required' | 'optional'} scope
 */
export async function buildSystemComponents(programs, scope) {
  const distribution = await readDistributionId();
  const licences = new Map(programs.flatMap(({ apt, licence }) => apt.map((name) => [name, licence])));
  return Promise.all(
    [...licences].map(async ([name, licence]) => {
      const [version, arch] = await findInstalledPackage(name);
      const purl = version && `pkg:deb/${distribution}/${name}@${encodeURIComponent(version)}?arch=${arch}`;
      return {
        type: 'application',
        'bom-ref': purl ?? `system:${name}`,
        name,
        ...(version && { version }),
        scope,
        licenses: formatLicences(licence),
        ...(purl && { purl }),
      };
    }),
  );
}

export function buildNodeComponent() {
  const { node } = process.versions;
  const purl = `pkg:generic/node@${node}`;
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version: node,
    scope: 'required',
    licenses: formatLicences('MIT'),
    purl,
  };
}

function formatLicences(licence) {
  return licence.includes(' ') ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/** @returns {Promise<string[]>} version and architecture; empty if it is not installed */
async function findInstalledPackage(name) {
  const format = '-f=${db:Status-Abbrev}\t${Version}\t${Architecture}';
  const found = await promisify(execFile)('dpkg-query', ['-W', format, name]).catch(() => undefined);
  const [status, version, arch] = found?.stdout.split('\n')[0].split('\t') ?? [];
  return status?.startsWith('ii') ? [version, arch] : [];
}

async function readDistributionId() {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID="?([\w.-]+)/m.exec(text)?.[1] ?? 'debian';
}
