export {
  ConfigInvalid,
  configWarnings,
  developmentKeyFile,
  loadConfig,
  modelsFolder,
  workFolder,
} from './load.js';
export { configReference } from './reference.js';
export type { Config } from './schema.js';
export { listItems, listText } from './variable.js';
