import { openAudioFile } from './node-files.js';
import type { ZephyrOptions } from './options.js';
import { ZephyrCore } from './zephyr.js';

export * from './exports.js';
export { uploadStateFile } from './node-files.js';

/** Client of a zephyr service, for runtimes that have files. */
export class Zephyr extends ZephyrCore {
  /** @throws TypeError that names the wrong option */
  constructor(options: ZephyrOptions) {
    super(options, openAudioFile);
  }
}
