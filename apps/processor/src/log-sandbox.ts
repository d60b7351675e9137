import type { SandboxProtections } from '@app/speech';

interface WarningLogger {
  warn(details: object, message: string): void;
}

/** One line if programs that read files from callers run with fewer protections than this service knows. */
export function logMissingProtections(logger: WarningLogger, protections: SandboxProtections): void {
  const missing = Object.entries(protections).flatMap(([name, isActive]) => (isActive ? [] : [name]));
  if (missing.length === 0) return;
  const advice = 'docs/operating/sandbox.md; in a container: docs/operating/containers.md';
  logger.warn({ missing, advice }, 'media programs run without some protections of their sandbox');
}
