import { SetMetadata } from '@nestjs/common';
import type { LimitName } from './route-limits.js';

export const LIMITED = 'auth:limited';

/** Requests of this route are counted per key, under this name. */
export const Limited = (name: LimitName) => SetMetadata(LIMITED, name);
