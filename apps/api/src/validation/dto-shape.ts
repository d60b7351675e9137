import { getMetadataStorage } from 'class-validator';

export type DtoClass = new () => object;

/** A list that a DTO takes, and how long it may be. */
interface ListRule {
  maxItems: number;
  message: string;
}

/** The fields of a DTO, as its decorators declare them. */
export interface DtoShape {
  fields: readonly string[];
  lists: ReadonlyMap<string, ListRule>;
}

const shapeCache = new Map<DtoClass, DtoShape>();

/** Read once a class: the decorators do not change. */
export function getDtoShape(dto: DtoClass): DtoShape {
  let shape = shapeCache.get(dto);
  if (!shape) shapeCache.set(dto, (shape = readShape(dto)));
  return shape;
}

function readShape(dto: DtoClass): DtoShape {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const lists = rules
    .filter(({ name }) => name === 'arrayMaxSize')
    .map(({ propertyName, constraints, message }): [string, ListRule] => [
      propertyName,
      { maxItems: Number(constraints[0]), message: typeof message === 'string' ? message : 'is too long' },
    ]);
  return { fields: [...new Set(rules.map(({ propertyName }) => propertyName))], lists: new Map(lists) };
}
