import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '@app/errors';
import { getMetadataStorage } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { createValidatedDto, type DtoClass, getDtoMetadata } from './create-validated-dto.js';

const API = join(import.meta.dirname, '..');

/** Lists without a greatest length, and why none is needed. */
const UNBOUNDED_LISTS: Record<string, string> = {};

const dtos = new Map<string, DtoClass>();

const files = readdirSync(API, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.dto.ts'),
);
const modules = await Promise.all(
  files.map((file) => import(join(API, file)) as Promise<Record<string, unknown>>),
);
for (const [name, value] of modules.flatMap((module) => Object.entries(module)))
  if (typeof value === 'function' && getRules(value as DtoClass).length > 0)
    addWithNested(name, value as DtoClass);

function getRules(dto: DtoClass) {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
}

function addWithNested(name: string, dto: DtoClass): void {
  dtos.set(name, dto);
  for (const [field, nested] of getDtoMetadata(dto).nested) addWithNested(`${name}.${field}`, nested);
}

function findInvalidFields(dto: DtoClass, value: unknown): string[] {
  try {
    createValidatedDto(dto, value);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 422) throw error;
    return (error.errors ?? []).map(({ field }) => field);
  }
}

describe('the DTOs of the API', () => {
  it('that nest another one reject everything that is no object in its place', () => {
    const names: string[] = [];
    for (const [name, dto] of dtos)
      for (const field of getDtoMetadata(dto).nested.keys()) {
        names.push(`${name}.${field}`);
        for (const value of [undefined, null, 'text', 1, [], [{}]])
          expect(
            findInvalidFields(dto, { [field]: value }),
            `${name}.${field}: ${JSON.stringify(value)}`,
          ).toContain(field);
        expect(
          findInvalidFields(dto, { [field]: {} }).some((each) => each.startsWith(`${field}.`)),
          name,
        ).toBe(true);
      }
    expect(names).toEqual(
      expect.arrayContaining(['PasskeySignInDto.credential', 'PasskeySignInDto.credential.response']),
    );
  });

  it('use no rule whose nested rules are dropped', () => {
    for (const [name, dto] of dtos) {
      const dropped = getRules(dto).filter(({ type }) => type === 'nestedValidation');
      expect(dropped.map(({ propertyName }) => `${name}.${propertyName}`)).toEqual([]);
    }
  });

  it('have a greatest length for every list', () => {
    const lists = [...dtos].flatMap(([name, dto]) => {
      const isList = ({ name: rule, each, propertyName }: ReturnType<typeof getRules>[number]) =>
        rule?.startsWith('array') === true ||
        rule === 'isArray' ||
        each ||
        getDesignType(dto, propertyName) === Array;
      const fields = new Set(
        getRules(dto)
          .filter(isList)
          .map(({ propertyName }) => propertyName),
      );
      return [...fields].map((field) => ({
        list: `${name}.${field}`,
        isBounded: getDtoMetadata(dto).lists.has(field),
      }));
    });
    expect(lists.map(({ list }) => list)).toContain('CreateUploadDto.custom_vocabulary');
    const unbounded = lists.filter(({ isBounded }) => !isBounded).map(({ list }) => list);
    expect(unbounded).toEqual(Object.keys(UNBOUNDED_LISTS));
  });
});

function getDesignType(dto: DtoClass, field: string): unknown {
  return Reflect.getMetadata('design:type', dto.prototype as object, field);
}
