import { lazyRouteComponent } from '@tanstack/react-router';
import { requestJson } from '../api/client.ts';

/**
 * A page whose script is loaded when it is needed. If that fails, the router loads the document anew, once, because a new
 * version may have replaced the script. Without a connection that would lead to an error page of the browser: the error is
 * then that of a request that got no response.
 */
export function lazyPage<Module extends Record<string, React.ComponentType>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  const loadOrThrowConnectionError = () =>
    load().catch(async (error: unknown) => {
      await requestJson('GET', 'sign-in/methods');
      throw error;
    });
  return lazyRouteComponent(loadOrThrowConnectionError, name);
}
