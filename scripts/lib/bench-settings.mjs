import { pathToFileURL } from 'node:url';
import { ROOT } from './root.mjs';

const SCHEMA = pathToFileURL(`${ROOT}/dist/libs/config/src/config-schema.js`).href;
/** Sections of the configuration whose effect may be measured. */
const MEASURED = ['speech', 'pipeline'];

/** @typedef {Record<string, Record<string, { name: string, formerNames: readonly string[] }>>} Schema variables by section and key */

/**
 * Removes variables of this process that name servers and secrets of an installation, because measurements start services of their
 * own. Needs the build.
 */
export async function removeSettingsOfInstallationFromEnvironment() {
  const { CONFIG_SCHEMA } = await import(SCHEMA);
  removeSettingsOfInstallation(process.env, CONFIG_SCHEMA);
}

/** @param {NodeJS.ProcessEnv} env is changed @param {Schema} schema */
export function removeSettingsOfInstallation(env, schema) {
  for (const [section, variables] of Object.entries(schema)) {
    if (MEASURED.includes(section)) continue;
    for (const { name, formerNames } of Object.values(variables))
      for (const each of [name, ...formerNames]) delete env[each];
  }
}
