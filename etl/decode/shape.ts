// Checks a value against a schema of the contract without copying it, as parsing would: most records match.
import type { z } from 'zod';

type ValueCheck = (value: unknown) => boolean;

/** The parts of a schema that are read here, as zod keeps them. */
interface ZodDefinition {
  type: string;
  check?: string;
  format?: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, string>;
  checks?: { _zod: { def: { check: string; minimum?: number; value?: number; inclusive?: boolean } } }[];
}

/**
 * True only for values that `schema` accepts as they are; for others, parsing explains why not. @throws if the schema uses a kind that is
 * not supported here.
 */
export function fits(schema: z.ZodType): ValueCheck {
  const definition = schema._zod.def as unknown as ZodDefinition;
  const checks = [kindOf(definition), ...(definition.checks ?? []).map(({ _zod }) => boundOf(_zod.def))];
  const [only] = checks;
  return checks.length === 1 && only ? only : (value) => checks.every((check) => check(value));
}

function kindOf(definition: ZodDefinition): ValueCheck {
  const { type, format, shape, element, innerType, options, entries } = definition;
  if (type === 'string') return (value) => typeof value === 'string';
  if (type === 'boolean') return (value) => typeof value === 'boolean';
  if (type === 'number' && format === undefined) return Number.isFinite;
  if (type === 'number' && format === 'safeint') return Number.isSafeInteger;
  if (type === 'object' && shape) return objectOf(shape);
  if (type === 'array' && element) return listOf(fits(element));
  if (type === 'optional' && innerType) return orMissing(fits(innerType));
  if (type === 'union' && options) return anyOf(options.map(fits));
  if (type === 'enum' && entries) return oneOf(new Set<unknown>(Object.values(entries)));
  throw new Error(`shape.ts does not know schemas of the type ${type} ${format ?? ''}`);
}

const orMissing =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === undefined || check(value);
const anyOf =
  (checks: readonly ValueCheck[]): ValueCheck =>
  (value) =>
    checks.some((check) => check(value));
const oneOf =
  (values: ReadonlySet<unknown>): ValueCheck =>
  (value) =>
    values.has(value);

const listOf =
  (check: ValueCheck): ValueCheck =>
  (value) => {
    if (!Array.isArray(value)) return false;
    for (let place = 0; place < value.length; place += 1) if (!check(value[place])) return false;
    return true;
  };

function objectOf(shape: Record<string, z.ZodType>): ValueCheck {
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, check: fits(schema) }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const { name, check } of fields) if (!check((value as Record<string, unknown>)[name])) return false;
    return true;
  };
}

function boundOf({
  check,
  minimum,
  value,
  inclusive,
}: NonNullable<ZodDefinition['checks']>[number]['_zod']['def']): ValueCheck {
  if (check === 'min_length' && minimum !== undefined) return (text) => (text as string).length >= minimum;
  if (check === 'greater_than' && value !== undefined && inclusive) return (number) => (number as number) >= value;
  throw new Error(`shape.ts does not know the check ${check}`);
}
