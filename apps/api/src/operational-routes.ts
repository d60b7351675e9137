import type { FastifyRequest } from 'fastify';

/** Route patterns that are for proxies and monitoring. */
const OPERATIONAL_ROUTES = new Set(['/health/live', '/health/ready', '/metrics']);

/** Whether the route is for proxies and monitoring, not for callers. */
export function isOperationalRoute({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  return routeOptions.url !== undefined && OPERATIONAL_ROUTES.has(routeOptions.url);
}
