import type { Config } from '@app/config';

interface ListenSettings {
  port: number;
  /** Names of the settings that the port and the host come from. */
  portSetting: string;
  host: string;
  hostSetting: string;
}

/** Settings of the ports with health checks and metrics. */
export function resolveHealthHostAndSetting({ api }: Config): Pick<ListenSettings, 'host' | 'hostSetting'> {
  return api.healthHost === undefined
    ? { host: api.host, hostSetting: 'HOST' }
    : { host: api.healthHost, hostSetting: 'HEALTH_HOST' };
}

/** @throws Error that names the setting to change, if the host or port is the reason; else the error of `listen` */
export async function withReadableListenErrors<T>(
  settings: ListenSettings,
  listen: () => PromiseLike<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const message = explainListenError(error as ListenError, settings);
    throw message === undefined ? error : new Error(message, { cause: error });
  }
}

interface ListenError extends NodeJS.ErrnoException {
  /** Name that does not resolve. */
  hostname?: string;
}

/** Explains errors of this port only: steps of the start before it may fail with the same codes for other hosts. */
function explainListenError(
  { code, syscall, hostname }: ListenError,
  { port, portSetting, host, hostSetting }: ListenSettings,
): string | undefined {
  const isUnknownHost = syscall === 'getaddrinfo' && hostname === host;
  if (isUnknownHost || (syscall === 'listen' && code === 'EADDRNOTAVAIL'))
    return `${host} is no address of this machine; set ${hostSetting} to one, such as 127.0.0.1 or 0.0.0.0.`;
  if (syscall !== 'listen') return undefined;
  if (code === 'EADDRINUSE')
    return `port ${port} is taken by another program; set ${portSetting} to a free one.`;
  if (code === 'EACCES')
    return `port ${port} is not permitted for this user; set ${portSetting} to one from 1024 on.`;
  return undefined;
}
