// The OpenAPI document as a page that a person can read: contents, parameters, bodies, answers. No script, nothing from elsewhere.
import { catalogue } from '#warehouse/definitions/metrics.ts';

interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  $ref?: string;
}

interface Operation {
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { description?: string }>;
}

export type Paths = Record<string, Record<string, Operation>>;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/`([^`]+)`/g, '<code>$1</code>');
const code = (text: string): string => `<code>${escaped(text)}</code>`;

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
a{color:#0b5c96}code{font-family:ui-monospace,monospace;font-size:.9em}h2{margin-top:2.5rem;border-top:1px solid #d0d7de;padding-top:1rem;font-size:1.2rem}
h2,td{overflow-wrap:anywhere}nav ul{columns:20rem;padding:0;list-style:none}nav li{break-inside:avoid;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin-bottom:1rem}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #d0d7de}
td:first-child{min-width:7rem}
@media(max-width:40rem){thead{position:absolute;clip-path:inset(50%)}tr,td{display:block}tr{padding:.4rem 0;border-bottom:1px solid #d0d7de}td{padding:.1rem 0;border:0}td:empty{display:none}}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}a{color:#79b8ff}h2,tr,th,td{border-color:#30363d}}`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<table><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead><tbody>${rows
        .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
        .join('')}</tbody></table>`;

/** Choices are more than a reader takes in: the OpenAPI document has them. */
const most_choices = 12;

/** What a value may be, in words: `string (date)`, `array of integer`, or its choices. */
function typeOf({ type, format, enum: choices, items, $ref }: Schema): string {
  if (choices && choices.length <= most_choices) return choices.map((it) => code(String(it))).join(', ');
  if ($ref !== undefined) return code($ref.replace('#/components/schemas/', ''));
  if (items) return `list of ${typeOf(items)}`;
  const name = [type ?? 'any'].flat().join(' or ');
  return escaped(format === undefined ? name : `${name} (${format})`);
}

const anchorOf = (method: string, path: string): string => `${method}-${path.replace(/[^a-z]+/gi, '-')}`;

function operationSection(method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(({ name, in: where, required, description, schema = {} }) => [
    code(name) + (required ? ', required' : ''),
    escaped(where),
    typeOf(schema),
    escaped(description ?? schema.description ?? ''),
  ]);
  const { properties = {}, required = [] } = operation.requestBody?.content?.['application/json']?.schema ?? {};
  const fields = Object.entries(properties).map(([name, schema]) => [
    code(name) + (required.includes(name) ? ', required' : ''),
    typeOf(schema),
    escaped(schema.description ?? ''),
  ]);
  const responses = Object.entries(operation.responses ?? {}).map(([status, { description }]) => [
    status,
    escaped(description ?? ''),
  ]);
  return (
    `<h2 id="${anchorOf(method, path)}">${code(`${method.toUpperCase()} ${path}`)}</h2><p>${escaped(operation.summary ?? '')}</p>` +
    table(['Parameter', 'In', 'Type', 'Meaning'], parameters) +
    table(['Field of the JSON body', 'Type', 'Meaning'], fields) +
    table(['Status', 'Answer'], responses)
  );
}

export function docsPage(paths: Paths, version: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const contents = operations.map(
    ({ method, path }) =>
      `<li><a href="#${anchorOf(method, path)}">${code(`${method.toUpperCase()} ${path}`)}</a></li>`,
  );
  const metrics = catalogue().map(({ id, definition, measures, splits }) => [
    `<a href="metrics/${id}">${code(id)}</a>`,
    escaped(definition),
    Object.entries(measures)
      .map(([name, { unit }]) => `${code(name)} (${unit})`)
      .join(', '),
    splits.join(', '),
  ]);
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Chatledger API</title><style>${style}</style></head><body><main><h1>Chatledger API</h1>` +
    `<p>Version ${escaped(version)}. Programs read the same as <a href="openapi.json">openapi.json</a>.</p>` +
    `<p>A program sends <code>Authorization: Bearer TOKEN</code>, or Basic with the token as its password; a browser that has ` +
    `signed in sends its cookie. While nobody has to sign in, requests from this machine need neither. ` +
    `An error is <code>{"error": {"type", "message", "choices"}}</code>.</p>` +
    `<nav aria-label="Contents"><ul>${contents.join('')}<li><a href="#metrics">Metrics</a></li></ul></nav>` +
    operations.map(({ method, path, operation }) => operationSection(method, path, operation)).join('') +
    `<h2 id="metrics">Metrics</h2>${table(['Metric', 'Meaning', 'Measures', 'Splits'], metrics)}</main></body></html>`
  );
}
