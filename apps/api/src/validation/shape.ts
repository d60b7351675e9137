import { getMetadataStorage } from 'class-validator';

export type DtoClass = new () => object;

/** A list that a DTO takes, and how long it may be. */
interface ListRule {
  most: number;
  message: string;
}

/** The fields of a DTO, as its decorators declare them. */
export interface Shape {
  fields: readonly string[];
  lists: ReadonlyMap<string, ListRule>;
}

const known = new Map<DtoClass, Shape>();

/** Read once a class: the decorators do not change. */
export function shapeOf(dto: DtoClass): Shape {
  let shape = known.get(dto);
  if (!shape) known.set(dto, (shape = readShape(dto)));
  return shape;
}

function readShape(dto: DtoClass): Shape {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const lists = rules
    .filter(({ name }) => name === 'arrayMaxSize')
    .map(({ propertyName, constraints, message }): [string, ListRule] => [
      propertyName,
      { most: Number(constraints[0]), message: typeof message === 'string' ? message : 'is too long' },
    ]);
  return { fields: [...new Set(rules.map(({ propertyName }) => propertyName))], lists: new Map(lists) };
}
