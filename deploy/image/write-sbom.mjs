/**
 * `node deploy/image/write-sbom.mjs NPM_SBOM`: prints the software bill of materials of the image as CycloneDX JSON: the npm
 * packages of NPM_SBOM, and Node, ffmpeg and the Debian packages of this file system.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const STATUS_FOLDER = '/var/lib/dpkg/status.d';
const FFMPEG_VERSION_FILE = '/usr/share/doc/ffmpeg/version';

const npm = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'));
const components = [
  describe('platform', 'node', process.versions.node, `pkg:generic/node@${process.versions.node}`),
  await describeFfmpeg(),
  ...(await describeDebianPackages()),
];
const sbom = {
  ...npm,
  components: [...npm.components, ...components],
  dependencies: [
    ...npm.dependencies,
    ...components.map((component) => ({ ref: component['bom-ref'], dependsOn: [] })),
  ],
};
process.stdout.write(`${JSON.stringify(sbom)}\n`);

/** Built from Debian's source package, so that its advisories apply. */
async function describeFfmpeg() {
  const version = (await readFile(FFMPEG_VERSION_FILE, 'utf8')).trim();
  return describe('application', 'ffmpeg', version, debianPurl('ffmpeg', version, 'source'));
}

async function describeDebianPackages() {
  const names = (await readdir(STATUS_FOLDER)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const record = await readFile(join(STATUS_FOLDER, name), 'utf8');
      const field = (/** @type {string} */ key) => new RegExp(`^${key}: (.+)$`, 'm').exec(record)?.[1] ?? '';
      return describe(
        'library',
        name,
        field('Version'),
        debianPurl(name, field('Version'), field('Architecture')),
      );
    }),
  );
}

/** @param {string} name @param {string} version @param {string} architecture */
function debianPurl(name, version, architecture) {
  return `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
}

/** @param {string} type @param {string} name @param {string} version @param {string} purl */
function describe(type, name, version, purl) {
  return { type, 'bom-ref': purl, name, version, purl };
}
