import type { User } from '@app/database';
import type { AdminServices } from '../lazy-admin-services.js';
import { CommandError } from '../output.js';

/** @throws CommandError if there is none */
export async function getUserByEmail({ users }: AdminServices, email: string): Promise<User> {
  const user = await users.findByEmail(email);
  if (!user) throw new CommandError(`There is no user ${email}.`);
  return user;
}
