import { NotTheServiceError } from '../errors.js';
import { HttpTransport } from '../http/http-transport.js';
import type { ZephyrOptions } from '../options.js';
import type { SignalOptions } from '../types.js';

export interface ServiceDescription {
  /** `null` if the service does not say. */
  packageVersion: string | null;
  interfaceVersion: string;
  /** The clock of the service. */
  date: Date;
}

/** Routes that need no API key. */
export class PublicRoutes {
  private readonly transport: HttpTransport;

  /** @throws TypeError that names the wrong option */
  constructor(options: Omit<ZephyrOptions, 'apiKey'>) {
    this.transport = new HttpTransport({ ...options, apiKey: null });
  }

  /** @throws NotTheServiceError, ApiError, ConnectionError */
  async describeService({ signal }: SignalOptions = {}): Promise<ServiceDescription> {
    const path = 'api/v1/openapi.json';
    const { body, headers } = await this.transport.requestJsonWithHeaders<{
      info?: { title?: string; version?: string; 'x-package-version'?: string } | null;
    }>({ method: 'GET', path, signal });
    const { title, version, 'x-package-version': packageVersion = null } = body.info ?? {};
    if (title !== 'zephyr' || version === undefined)
      throw new NotTheServiceError(new URL(path, this.transport.baseUrl));
    return { packageVersion, interfaceVersion: version, date: new Date(headers.get('date') ?? '') };
  }
}
