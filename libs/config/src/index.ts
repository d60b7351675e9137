export {
  InvalidConfigError,
  configWarnings,
  resolveDevelopmentKeyFile,
  loadConfig,
  resolveModelsFolder,
  resolveWorkFolder,
} from './load-config.js';
export { renderConfigReference } from './config-reference.js';
export type { Config } from './config-schema.js';
export { parseList, formatList } from './variable.js';
