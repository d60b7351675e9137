import { readFile } from 'node:fs/promises';
import { Trouble } from '../lib/trouble.mjs';
import { ROOT } from '../lib/root.mjs';
import { npmJson } from './npm-json.mjs';

/**
 * The software bill of materials: npm's own, of all locked packages, with other components beside them.
 *
 * @param {object[]} others components that npm does not know of
 * @returns {Promise<object>} CycloneDX 1.5
 * @throws Trouble when npm makes none
 */
export async function billOfMaterials(others) {
  const asked = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const { answer, said } = await npmJson(asked);
  if (!answer?.components) throw new Trouble(`npm sbom failed: ${said}`);
  const { metadata, components, dependencies } = answer;
  // npm calls the project by the name of its folder.
  const { name } = JSON.parse(await readFile(`${ROOT}/package.json`, 'utf8'));
  return {
    ...answer,
    metadata: { ...metadata, component: { ...metadata.component, name } },
    components: [...components, ...others],
    dependencies: [...dependencies, ...others.map((each) => ({ ref: each['bom-ref'], dependsOn: [] }))],
  };
}
