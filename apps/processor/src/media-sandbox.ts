import { fileURLToPath } from 'node:url';
import { resolveMediaSandboxMode, resolveWorkFolder } from '@app/config';
import { type BootContext, getPackageFolderUrl } from '@app/runtime';
import { detectSandboxProtections, setSandboxHiddenFolders, type SandboxProtections } from '@app/speech';
import { Gauge, type Registry } from 'prom-client';

const ADVICE =
  'Install bubblewrap and allow user namespaces (docs/operating/sandbox.md), or accept it with MEDIA_SANDBOX=prefer.';

/**
 * Call it before the first program starts.
 * @throws Error if the sandbox is required and does not work here
 */
export async function prepareMediaSandbox({
  config,
  logger,
}: Pick<BootContext, 'config' | 'logger'>): Promise<SandboxProtections> {
  const installed = fileURLToPath(getPackageFolderUrl()).replace(/\/$/, '');
  setSandboxHiddenFolders([installed, config.service.dataDir, resolveWorkFolder(config)]);
  const protections = await detectSandboxProtections();
  const missing = Object.entries(protections).flatMap(([name, isActive]) => (isActive ? [] : [name]));
  if (!protections.ownFilesOnly && resolveMediaSandboxMode(config) === 'require')
    throw new Error(
      `Programs that read files of callers would see the files of this user and could connect to others. ${ADVICE}`,
    );
  if (missing.length > 0) logger.warn({ missing, advice: ADVICE }, 'media programs run with less protection');
  return protections;
}

export function registerSandboxMetric(registry: Registry, protections: SandboxProtections): void {
  const gauge = new Gauge({
    name: 'zephyr_sandbox_protection',
    help: '1 if a protection of the sandbox for media programs is active in this process, else 0.',
    labelNames: ['protection'],
    registers: [registry],
  });
  for (const [protection, isActive] of Object.entries(protections))
    gauge.set({ protection }, isActive ? 1 : 0);
}
