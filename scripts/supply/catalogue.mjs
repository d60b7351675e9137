import { ROOT } from '../lib/root.mjs';

/** @returns {Promise<readonly { name: string, kind: string, licence: string }[]>} models that can be fetched; built first */
export async function readCatalogue() {
  return (await import(`${ROOT}/dist/libs/speech/src/models/catalogue/catalogue.js`)).CATALOGUE;
}
