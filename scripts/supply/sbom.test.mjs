import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';

import { readLockedPackages } from './lock.mjs';
import { PROGRAMS_TO_RUN } from './programs.mjs';
import { buildSbom, buildNodeComponent, buildSystemComponents } from './sbom.mjs';

/** The part of the CycloneDX 1.5 schema that is used. */
const LICENCE = {
  type: 'object',
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
  properties: {
    expression: { type: 'string', minLength: 1 },
    license: {
      type: 'object',
      required: ['id'],
      additionalProperties: false,
      properties: { id: { type: 'string', pattern: '^[A-Za-z0-9.+-]+$' } },
    },
  },
};
const COMPONENT = {
  type: 'object',
  required: ['type', 'name', 'bom-ref'],
  properties: {
    type: { enum: ['application', 'library', 'platform'] },
    name: { type: 'string', minLength: 1 },
    version: { type: 'string' },
    'bom-ref': { type: 'string', minLength: 1 },
    scope: { enum: ['required', 'optional', 'excluded'] },
    purl: { type: 'string', pattern: '^pkg:(npm|deb|generic)/[^\\s]+$' },
    licenses: { type: 'array', items: LICENCE },
    hashes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['alg', 'content'],
        properties: { alg: { const: 'SHA-512' }, content: { type: 'string', pattern: '^[0-9a-f]{128}$' } },
      },
    },
  },
};
const SBOM = {
  type: 'object',
  required: ['bomFormat', 'specVersion', 'serialNumber', 'metadata', 'components', 'dependencies'],
  properties: {
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.5' },
    serialNumber: { type: 'string', pattern: '^urn:uuid:[0-9a-f-]{36}$' },
    metadata: { type: 'object', required: ['component'], properties: { component: COMPONENT } },
    components: { type: 'array', items: COMPONENT },
  },
};

describe('the software bill of materials', () => {
  let sbom;
  beforeAll(async () => {
    sbom = await buildSbom([
      buildNodeComponent(),
      ...(await buildSystemComponents(PROGRAMS_TO_RUN, 'required')),
    ]);
  });

  it('conforms to the schema of CycloneDX', () => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(SBOM);
    validate(sbom);
    expect(validate.errors ?? []).toEqual([]);
    expect(sbom.metadata.component.name).toBe('zephyr');
  });

  it('contains every package of the lock file, with its checksum if there is one', async () => {
    const hashes = new Map(sbom.components.map(({ purl, hashes: [hash] = [] }) => [purl, hash?.content]));
    const packages = await readLockedPackages();
    // A copy in the archive of another package has no own checksum.
    const integrities = new Map(packages.map((each) => [`${each.name} ${each.version}`, undefined]));
    for (const { name, version, integrity } of packages)
      if (integrity) integrities.set(`${name} ${version}`, integrity);
    for (const { name, version } of packages) {
      const integrity = integrities.get(`${name} ${version}`);
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      expect(hashes.has(purl), purl).toBe(true);
      const sum = integrity && Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
      expect(hashes.get(purl), purl).toBe(sum);
    }
  });

  it('contains system programs and Node', () => {
    const findComponent = (wanted) =>
      sbom.components.find(({ name, type }) => name === wanted && type !== 'library');
    expect(findComponent('node').version).toBe(process.versions.node);
    for (const { apt } of PROGRAMS_TO_RUN)
      for (const name of apt) expect(findComponent(name), name).toMatchObject({ scope: 'required' });
  });

  it('contains each component once, and every component that another depends on', () => {
    const names = sbom.components.map((each) => each['bom-ref']);
    const known = new Set([...names, sbom.metadata.component['bom-ref']]);
    expect(known.size).toBe(names.length + 1);
    for (const { ref, dependsOn = [] } of sbom.dependencies)
      expect([ref, ...dependsOn].filter((name) => !known.has(name))).toEqual([]);
  });
});
