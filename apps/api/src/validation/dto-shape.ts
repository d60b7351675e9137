import { getMetadataStorage } from 'class-validator';

export type DtoClass = new () => object;

/** The length limit of a list field. */
interface ListRule {
  maxItems: number;
  message: string;
}

/** The fields that the decorators of a DTO declare. */
export interface DtoShape {
  fields: readonly string[];
  lists: ReadonlyMap<string, ListRule>;
}

const shapeCache = new Map<DtoClass, DtoShape>();

/** Cached per class. */
export function getDtoShape(dto: DtoClass): DtoShape {
  let shape = shapeCache.get(dto);
  if (!shape) shapeCache.set(dto, (shape = buildDtoShape(dto)));
  return shape;
}

function buildDtoShape(dto: DtoClass): DtoShape {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const lists = rules
    .filter(({ name }) => name === 'arrayMaxSize')
    .map(({ propertyName, constraints, message }): [string, ListRule] => [
      propertyName,
      { maxItems: Number(constraints[0]), message: typeof message === 'string' ? message : 'is too long' },
    ]);
  return { fields: [...new Set(rules.map(({ propertyName }) => propertyName))], lists: new Map(lists) };
}
