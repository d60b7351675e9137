import { access } from 'node:fs/promises';
import { runInterruptibly } from '../interruption.mjs';

const POLICY = '/usr/sbin/policy-rc.d';
/** Exists where systemd runs. */
const SYSTEMD = '/run/systemd/system';
const MARK = 'of an installation by zephyr, which deletes it at its end';

/**
 * Prevents packages from starting system services, now and at the next boot, because this project starts private ones.
 * An existing policy stays unchanged. Also when a signal ends the process, services may start again afterwards. Only one
 * installation at a time may do so, because the first that ends deletes the policy.
 *
 * @template T
 * @param {readonly string[]} services
 * @param {(signal: AbortSignal) => Promise<T>} install
 * @param {{ runAsRoot: (command: readonly string[]) => Promise<{ code: number }>, policy?: string, systemd?: string }} options
 */
export function withoutServices(services, install, { runAsRoot, policy = POLICY, systemd = SYSTEMD }) {
  return runInterruptibly(async (signal) => {
    if (services.length === 0) return install(signal);
    const create = `test -e "$1" || { printf '#!/bin/sh\\n# %s\\nexit 101\\n' "$2" > "$1" && chmod 755 "$1"; }`;
    // By its mark, because a signal may have hidden how its creation ended.
    const remove = 'grep -qs "$2" "$1" && rm -f "$1"';
    const onPolicy = (script) =>
      runAsRoot(['sh', '-c', `trap '' INT TERM HUP; ${script}`, 'sh', policy, MARK]);
    try {
      await onPolicy(create);
      return await install(signal);
    } finally {
      await onPolicy(remove);
      if (await exists(systemd)) await runAsRoot(['systemctl', 'disable', ...services]);
    }
  });
}

/** @param {string} path */
function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
