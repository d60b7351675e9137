import { WrongServerError } from '../errors.js';
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

/** A sign-in of a program that asks a person for a key. */
export interface StartedCommandLineSignIn {
  /** Kept secret by the program. */
  device_code: string;
  /** Shown to the person, who types it on the page. */
  user_code: string;
  /** URL of the page. */
  verification_uri: string;
  /** Seconds. */
  expires_in: number;
  /** Seconds between two polls. */
  interval: number;
}

export interface PolledCommandLineSignIn {
  /** `slow_down`: wait longer between two polls. `ended`: refused, expired, or the key was returned before. */
  state: 'pending' | 'slow_down' | 'approved' | 'ended';
  /** Once, when it is approved. */
  api_key: string | null;
}

/** Calls that need no API key. */
export class UnauthenticatedClient {
  private readonly transport: HttpTransport;

  /** @throws TypeError that names the wrong option */
  constructor(options: Omit<ZephyrOptions, 'apiKey'>) {
    this.transport = new HttpTransport({ ...options, apiKey: null });
  }

  /** @throws WrongServerError, ApiError, ConnectionError */
  async describeService({ signal }: SignalOptions = {}): Promise<ServiceDescription> {
    const path = 'api/v1/openapi.json';
    const { body, headers } = await this.transport.requestJsonWithHeaders<{
      info?: { title?: string; version?: string; 'x-package-version'?: string } | null;
    }>({ method: 'GET', path, signal });
    const { title, version, 'x-package-version': packageVersion = null } = body.info ?? {};
    if (title !== 'zephyr' || version === undefined)
      throw new WrongServerError(new URL(path, this.transport.baseUrl));
    return { packageVersion, interfaceVersion: version, date: new Date(headers.get('date') ?? '') };
  }

  /**
   * Asks for a key that a person approves in the console.
   * @param machine name by which the person knows it
   * @throws NotFoundError if the service is older; WrongServerError, ApiError, ConnectionError
   */
  startSignIn(machine: string, { signal }: SignalOptions = {}): Promise<StartedCommandLineSignIn> {
    return this.postToConsole('start', { machine }, 'device_code', signal);
  }

  /** @throws WrongServerError, ApiError, ConnectionError */
  pollSignIn(deviceCode: string, { signal }: SignalOptions = {}): Promise<PolledCommandLineSignIn> {
    return this.postToConsole('poll', { device_code: deviceCode }, 'state', signal);
  }

  private postToConsole<T extends object>(
    name: string,
    json: object,
    expectedField: string,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const path = `console/api/command-line/${name}`;
    return this.transport.requestJson({
      method: 'POST',
      path,
      json,
      headers: { 'x-console': '1' },
      expectedField,
      signal,
    });
  }
}
