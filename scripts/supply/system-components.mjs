import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

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
