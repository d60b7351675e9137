export { ConfigInvalid, loadConfig, modelsFolder } from './load.js';
export { configReference } from './reference.js';
export type { Config } from './schema.js';
