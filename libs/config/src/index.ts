export { ConfigInvalid, loadConfig, modelsFolder, workFolder } from './load.js';
export { configReference } from './reference.js';
export type { Config } from './schema.js';
