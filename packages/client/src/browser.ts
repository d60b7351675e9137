import type { ZephyrOptions } from './options.js';
import { ZephyrCore } from './zephyr.js';

export * from './exports.js';

/** Client of a zephyr service, for browsers: audio comes as a File, a Blob, bytes or a stream, never by path. */
export class Zephyr extends ZephyrCore {
  /** @throws TypeError that names the wrong option */
  constructor(options: ZephyrOptions) {
    super(options, (path) =>
      Promise.reject(new TypeError(`${String(path)}: a browser cannot open a path. Send a File or Blob.`)),
    );
  }
}
