import { userInfo } from 'node:os';
import type { Actor } from '@app/auth';

/** The operator who runs the command, for the audit log. */
export function getOperatorActor(): Actor {
  // A container may run under a number without a name.
  const id = readUserName() ?? String(process.getuid?.() ?? 'unknown');
  return { kind: 'operator', id, name: id, address: null, requestId: null };
}

function readUserName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
