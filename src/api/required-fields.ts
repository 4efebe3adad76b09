// Which fields an OpenAPI document calls required. Its generator asks whether a shape takes `undefined`, which one that may only be left
// out (`exactOptional`) does not: zod's own JSON Schema knows better.
import { z } from '@hono/zod-openapi';

interface Shown {
  $ref?: string;
  properties?: Record<string, Shown>;
  required?: string[];
  items?: Shown;
  additionalProperties?: Shown | boolean;
  anyOf?: Shown[];
  oneOf?: Shown[];
  allOf?: Shown[];
}

/** Takes from `shown`, in place, what `schema` lets be left out. `named`: the document's schemas by name. */
export function mendRequired(
  shown: object,
  schema: z.ZodType,
  { io, named }: { io: 'input' | 'output'; named: Readonly<Record<string, object>> },
): void {
  mend(shown, z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Shown, named);
}

function mend(shown: Shown, exact: Shown, named: Readonly<Record<string, Shown>>): void {
  const own = shown.$ref === undefined ? shown : named[shown.$ref.slice(shown.$ref.lastIndexOf('/') + 1)];
  if (!own) return;
  const { properties: exactly } = exact;
  if (own.required && exactly) {
    const required = own.required.filter((name) => !Object.hasOwn(exactly, name) || exact.required?.includes(name));
    if (required.length > 0) own.required = required;
    else delete own.required;
  }
  const go = (one: Shown | boolean | undefined, other: Shown | boolean | undefined): void => {
    if (typeof one === 'object' && typeof other === 'object') mend(one, other, named);
  };
  for (const [name, property] of Object.entries(own.properties ?? {})) go(property, exactly?.[name]);
  go(own.items, exact.items);
  go(own.additionalProperties, exact.additionalProperties);
  for (const kind of ['anyOf', 'oneOf', 'allOf'] as const)
    for (const [place, one] of (own[kind] ?? []).entries()) go(one, exact[kind]?.[place]);
}
