// Arguments of request bodies that change something: each field is declared once as a value and read by one small parser. Bodies arrive
// as JSON or as forms, where every value is text; both are read the same way.
import { z } from 'zod';

interface Presence {
  is_required?: true;
}

/** What a field may hold. `max` is the maximum length of a text (characters) or list, or the largest number. */
export type Field = Presence &
  (
    | { kind: 'text'; max: number; min?: number }
    | { kind: 'email' | 'bit' | 'decimal' | 'schedule' }
    | { kind: 'whole'; min: number; max: number }
    | { kind: 'choice'; of: readonly string[] }
    | { kind: 'texts' | 'ids' | 'rules'; max: number }
    | { kind: 'switches' | 'message'; keys: readonly string[]; are_all_required?: true }
  );
export type Fields = Readonly<Record<string, Field>>;

export const longestText = 10_000;
const ruleTypes = [
  'visit_time_site',
  'visit_time_page',
  'url_current',
  'url_visited',
  'pages_view_number',
  'url_referrer',
  'geolocation',
  'visits_number',
  'search_keyword',
  'custom_variable',
  'url_funnel',
] as const;
const ruleOperators = [
  'equals',
  'doesnt_equal',
  'lower_than',
  'lower_or_equal',
  'greater_than',
  'greater_or_equal',
  'contains',
  'doesnt_contain',
] as const;
export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const text = (max = 1000, min = 1) =>
  z.string('must be text').trim().min(min, `must have at least ${min} characters`).max(max, `must have at most ${max}`);
const not_whole = 'must be a whole number';
const whole = (min: number, max: number) =>
  z
    .union([z.int(not_whole), z.string().regex(/^\d{1,15}$/, not_whole)], not_whole)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);
const bit = z
  .union([z.literal([0, 1]), z.literal(['0', '1']), z.boolean()], 'must be 0 or 1')
  .transform((value): 0 | 1 => (Number(value) === 1 ? 1 : 0));
const listOf = <T extends z.ZodType>(each: T, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' || typeof value === 'number' ? (value === '' ? [] : [value]) : value),
    z.array(each, 'must be a list').max(max, `must have at most ${max}`),
  );
/** Rules store numbers and booleans as text, so they are returned as text. */
const plain = z
  .union([z.string(), z.number(), z.boolean()], 'must be text')
  .transform(String)
  .pipe(z.string().min(1, 'must not be empty').max(1000, 'must have at most 1000'));
const operator = z.enum(ruleOperators, `must be one of ${ruleOperators.join(', ')}`).default('equals');
const rule = z
  .object({
    type: z.preprocess(
      (type) => (type === 'custom' ? 'custom_variable' : type),
      z.enum(ruleTypes, `must be one of ${ruleTypes.join(', ')}`),
    ),
    operator,
    value: plain.optional(),
    variable_name: plain.optional(),
    variable_value: plain.optional(),
    urls: listOf(z.object({ url: plain, operator }), 100).optional(),
  })
  .superRefine((asked, context) => {
    const needs =
      asked.type === 'custom_variable'
        ? (['variable_name', 'variable_value'] as const)
        : asked.type === 'url_funnel'
          ? (['urls'] as const)
          : (['value'] as const);
    for (const name of needs)
      if (asked[name] === undefined || asked[name].length === 0)
        context.addIssue({ code: 'custom', path: [name], message: 'is required' });
  });
export type RuleWish = z.output<typeof rule>;
const clock = z.string('must be HH:MM').regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM');
const schedule = z.partialRecord(
  z.enum(weekdays, `must be one of ${weekdays.join(', ')}`),
  z.object({ enabled: bit, start: clock, end: clock }),
  'must be an object of weekdays',
);

function schemaOf(field: Field): z.ZodType {
  switch (field.kind) {
    case 'text':
      return text(field.max, field.min);
    case 'email':
      return z.email('must be an e-mail address').max(255, 'must have at most 255');
    case 'bit':
      return bit;
    case 'decimal':
      return z
        .union([z.number().nonnegative(), z.string()], 'must be a decimal with a period')
        .transform(String)
        .pipe(z.string().regex(/^\d{1,12}(\.\d{1,4})?$/, 'must be a decimal with a period'));
    case 'whole':
      return whole(field.min, field.max);
    case 'choice':
      return z.enum(field.of as [string, ...string[]], `must be one of ${field.of.join(', ')}`);
    case 'texts':
      return listOf(text(), field.max);
    case 'ids':
      return listOf(whole(0, 1e15), field.max);
    case 'rules':
      return listOf(rule, field.max).refine((rules) => rules.length > 0, 'must not be empty');
    case 'schedule':
      return schedule;
    case 'switches': {
      const each = field.are_all_required ? bit : bit.optional();
      return z.object(Object.fromEntries(field.keys.map((key) => [key, each])), 'must be an object');
    }
    case 'message':
      return z.object(
        Object.fromEntries(field.keys.map((key) => [key, text(longestText).optional()])),
        'must be an object',
      );
  }
}

/** Schema of a body: unknown fields are dropped, and null counts as a field that was not sent. */
export function bodySchema(fields: Fields): z.ZodType<Record<string, unknown>> {
  const told = Object.entries(fields).map(([name, field]) => {
    const schema = schemaOf(field);
    return [name, z.preprocess((value) => value ?? undefined, field.is_required ? schema : schema.optional())] as const;
  });
  return z.object(Object.fromEntries(told));
}

/** The values of the body, or one sentence for each invalid argument. */
export function readBody(
  schema: z.ZodType<Record<string, unknown>>,
  body: unknown,
): { args: Record<string, unknown> } | { errors: string[] } {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return { args: parsed.data };
  return {
    errors: parsed.error.issues.map(
      ({ path, input, message }) => `${path.join('.')}: ${input === undefined ? 'is required' : message}`,
    ),
  };
}

/** How the documentation and error messages describe a field. */
export function describeField(field: Field): string {
  switch (field.kind) {
    case 'text':
      return `text, ${field.min ?? 1} to ${field.max} characters`;
    case 'email':
      return 'e-mail address';
    case 'bit':
      return '0 or 1';
    case 'decimal':
      return 'decimal with a period';
    case 'whole':
      return `whole number, ${field.min} to ${field.max}`;
    case 'choice':
      return field.of.map((each) => `\`${each}\``).join(', ');
    case 'texts':
      return `list of texts, at most ${field.max}`;
    case 'ids':
      return `list of ids, at most ${field.max}`;
    case 'rules':
      return `list of rules, 1 to ${field.max}`;
    case 'schedule':
      return 'object of weekdays, each `{enabled, start, end}`';
    case 'switches':
      return `object of 0 or 1: ${field.keys.map((key) => `\`${key}\``).join(', ')}`;
    case 'message':
      return `object: ${field.keys.map((key) => `\`${key}\``).join(', ')}`;
  }
}
