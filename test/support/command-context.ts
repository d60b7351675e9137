import { LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';

/** Runs the work with a context of its own, like a separate program. */
export async function withCommandContext<T>(work: (context: LazyAdminServices) => Promise<T>): Promise<T> {
  const context = new LazyAdminServices();
  try {
    return await work(context);
  } finally {
    await context.onApplicationShutdown();
  }
}
