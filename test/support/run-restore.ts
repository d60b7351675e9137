import { vi } from 'vitest';
import { LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import { RestoreCommand } from '../../apps/admin/src/restore/restore.command.js';

/**
 * Runs the command `restore` and restores all mocks.
 * @returns its output
 * @throws its error
 */
export async function runRestore(backup: string): Promise<object> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await new RestoreCommand(new LazyAdminServices()).run([backup], { json: true });
    return JSON.parse(String(write.mock.calls[0]?.[0])) as object;
  } finally {
    vi.restoreAllMocks();
  }
}
