export {
  InvalidConfigError,
  listVariableNameWarnings,
  resolveDevelopmentAccountFilePaths,
  loadConfig,
  resolveEngineChoiceSettings,
  resolveMediaSandboxMode,
  resolveRequireTwoFactors,
  resolveModelsFolder,
  resolveWorkFolder,
} from './load-config.js';
export { isLoopbackHost } from './is-loopback-host.js';
export { renderConfigReference } from './config-reference.js';
export type { Config } from './config-schema.js';
export { parseByteSize, parseCommaSeparatedList, formatCommaSeparatedList } from './variable.js';
